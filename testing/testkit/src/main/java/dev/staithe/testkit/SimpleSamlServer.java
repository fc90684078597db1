package dev.staithe.testkit;

import dev.staithe.pki.HostCertificateRequest;
import dev.staithe.pki.KeyKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * SimpleSAMLphp as Debian packages it, with as many identity providers as a test asks for: one
 * installation and one configuration, and for each provider a port of the loopback address at which
 * PHP serves it over plain HTTP. Web browser SSO, ECP, single logout. Not thread-safe.
 */
public final class SimpleSamlServer implements AutoCloseable {
  private static final Path INSTALLED = Path.of("/usr/share/simplesamlphp/www");

  private final Path folder;
  private final ThrowAwayAuthority authority;
  private final List<Idp> idps = new ArrayList<>();
  private final List<ExternalProcess> processes = new ArrayList<>();
  private int trusted;

  /** Somebody who can log in, with attributes by their short names, as {@code mail}. */
  public record User(String name, String password, Map<String, List<String>> attributes) {
    /**
     * One with eduPersonPrincipalName, displayName, mail and scoped affiliation of that scope, and
     * the name for a password with {@code " pass"} behind it.
     */
    public static User of(String name, String scope) {
      return new User(
          name,
          name + " pass",
          Map.of(
              "eduPersonPrincipalName", List.of(name + "@" + scope),
              "displayName",
                  List.of(
                      name.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + name.substring(1)),
              "mail", List.of(name + "@" + scope),
              "eduPersonScopedAffiliation", List.of("member@" + scope),
              "schacHomeOrganization", List.of(scope)));
    }
  }

  /**
   * What a provider is like.
   *
   * @param users who can log in
   * @param scopes the {@code shibmd:Scope}s of its metadata
   * @param encrypted whether assertions are encrypted
   * @param ecp whether it offers the profile of enhanced clients
   * @param signsAssertion whether the assertion is signed
   * @param signsResponse whether the response around it is signed
   * @param wantsSignedRequests whether it refuses requests without signature
   */
  public record Options(
      List<User> users,
      List<String> scopes,
      boolean encrypted,
      boolean ecp,
      boolean signsAssertion,
      boolean signsResponse,
      boolean wantsSignedRequests) {
    /** Signs both, does not encrypt, offers ECP; alice and bob of that scope. */
    public static Options of(String scope) {
      return new Options(
          List.of(User.of("alice", scope), User.of("bob", scope)),
          List.of(scope),
          false,
          true,
          true,
          true,
          false);
    }

    /** The same with encrypted assertions. */
    public Options withEncryption() {
      return new Options(
          users, scopes, true, ecp, signsAssertion, signsResponse, wantsSignedRequests);
    }

    /** The same with other users. */
    public Options withUsers(List<User> others) {
      return new Options(
          others, scopes, encrypted, ecp, signsAssertion, signsResponse, wantsSignedRequests);
    }

    /** The same, and signatures of requests are asked for. */
    public Options withSignedRequests() {
      return new Options(users, scopes, encrypted, ecp, signsAssertion, signsResponse, true);
    }
  }

  /**
   * A provider that runs.
   *
   * @param name a short name, shown to people too
   */
  public record Idp(String name, int port, Options options) {
    /** Where it is, with a slash at the end. */
    public URI url() {
      return URI.create("http://127.0.0.1:" + port + "/");
    }

    /** What it calls itself. */
    public String entityId() {
      return url() + "idp/" + name;
    }
  }

  private SimpleSamlServer(Path folder, ThrowAwayAuthority authority) {
    this.folder = folder;
    this.authority = authority;
  }

  /**
   * Prepares an installation without providers; keys and sessions go below that folder, which is
   * made.
   *
   * @throws AssertionError where Debian's packages are missing
   */
  public static SimpleSamlServer start(Path folder) {
    if (!Files.isRegularFile(INSTALLED.resolve("module.php"))) {
      throw Tool.PHP.missing("simplesamlphp");
    }
    try {
      for (String part :
          List.of("metadata", "cert", "log", "data", "tmp", "sessions", "sp", "hosted")) {
        Files.createDirectories(folder.resolve(part));
      }
      var server =
          new SimpleSamlServer(
              folder, ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC()));
      server.writeConfiguration();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one more provider. */
  public Idp idp(String name, Options options) {
    try {
      // xmlseclibs signs with RSA only.
      ThrowAwayAuthority.Host host =
          authority.host(
              new HostCertificateRequest(
                  List.of(name + ".example.org"), KeyKind.RSA_2048, Duration.ofDays(7)));
      Files.copy(
          host.certificate(),
          folder.resolve("cert").resolve(name + ".pem"),
          StandardCopyOption.REPLACE_EXISTING);
      Files.copy(
          host.key(),
          folder.resolve("cert").resolve(name + "-key.pem"),
          StandardCopyOption.REPLACE_EXISTING);
      Idp idp = new Idp(name, FreePort.next(), options);
      idps.add(idp);
      Files.writeString(folder.resolve("hosted").resolve(idp.port() + ".php"), hosted(idp));
      writeConfiguration();
      ExternalProcess process =
          ExternalProcess.start(
              List.of(
                  Tool.PHP.path(),
                  "-d",
                  "session.save_path=" + folder.resolve("sessions"),
                  "-d",
                  "error_log=" + folder.resolve("log").resolve(name + ".errors"),
                  "-S",
                  "127.0.0.1:" + idp.port(),
                  "-t",
                  INSTALLED.toString()),
              Map.of("SIMPLESAMLPHP_CONFIG_DIR", folder.toString(), "PHP_CLI_SERVER_WORKERS", "4"),
              folder.resolve("log").resolve(name));
      processes.add(process);
      process.awaitPort(idp.port(), Eventually.LONGEST);
      return idp;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the provider says of itself, as it publishes it. */
  public String metadata(Idp idp) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var answer =
          client.send(
              HttpRequest.newBuilder(idp.url().resolve("saml2/idp/metadata.php")).build(),
              BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new AssertionError(
            "the provider answers " + answer.statusCode() + "\n" + answer.body() + log());
      }
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** {@link #metadata(Idp)} in a file of its own. */
  public Path metadataFile(Idp idp) {
    try {
      return Files.writeString(folder.resolve("metadata-of-" + idp.name() + ".xml"), metadata(idp));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes all providers know a service provider by its metadata, from the next request on. */
  public void trust(String metadata) {
    try {
      Files.writeString(folder.resolve("sp").resolve(trusted++ + ".xml"), metadata);
      writeConfiguration();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the providers have logged. */
  public String log() {
    try (var files = Files.list(folder.resolve("log"))) {
      var text = new StringBuilder();
      for (Path file : files.sorted().toList()) {
        text.append(file.getFileName()).append(":\n").append(Files.readString(file));
      }
      return text.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeConfiguration() throws IOException {
    String sources =
        java.util.stream.IntStream.range(0, trusted)
            .mapToObj(
                i ->
                    "['type' => 'xml', 'file' => "
                        + php(folder.resolve("sp").resolve(i + ".xml").toString())
                        + "],")
            .collect(Collectors.joining("\n"));
    replace(
        "config.php",
        """
        <?php
        $config = [
          'baseurlpath' => 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . '/',
          'certdir' => %1$s . '/cert/',
          'loggingdir' => %1$s . '/log/',
          'datadir' => %1$s . '/data/',
          'tempdir' => %1$s . '/tmp',
          'metadatadir' => %1$s . '/metadata',
          'attributenamemapdir' => '/etc/simplesamlphp/attributemap/',
          'timezone' => 'UTC',
          'technicalcontact_name' => 'Tests',
          'technicalcontact_email' => 'tests@example.org',
          'secretsalt' => 'of this test alone',
          'auth.adminpassword' => bin2hex(random_bytes(16)),
          'admin.checkforupdates' => false,
          'trusted.url.domains' => null,
          'showerrors' => true,
          'errorreporting' => false,
          'debug' => ['saml' => false, 'backtraces' => true, 'validatexml' => false],
          'logging.level' => SimpleSAML\\Logger::INFO,
          'logging.handler' => 'file',
          'logging.logfile' => 'simplesamlphp.log',
          'enable.saml20-idp' => true,
          'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
          // Cookies know no ports: without this all providers would be one.
          'session.cookie.name' => 'Idp' . $_SERVER['SERVER_PORT'],
          'session.phpsession.cookiename' => 'IdpSession' . $_SERVER['SERVER_PORT'],
          'session.authtoken.cookiename' => 'IdpToken' . $_SERVER['SERVER_PORT'],
          'session.cookie.secure' => false,
          'session.cookie.samesite' => null,
          'language.cookie.secure' => false,
          'session.phpsession.savepath' => %1$s . '/sessions',
          'store.type' => 'phpsession',
          'authproc.idp' => [],
          'metadata.sources' => [
            ['type' => 'flatfile'],
            %2$s
          ],
        ];
        """
            .formatted(php(folder.toString()), sources));
    replace(
        "metadata/saml20-idp-hosted.php",
        "<?php\n$mine = "
            + php(folder.resolve("hosted").toString())
            + " . '/' . $_SERVER['SERVER_PORT'] . '.php';\nif (is_file($mine)) { include $mine; }\n");
    replace("authsources.php", authsources());
  }

  /** Never half of it, whatever the providers read meanwhile. */
  private void replace(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), content);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private String authsources() {
    var text = new StringBuilder("<?php\n$config = [\n");
    text.append("'admin' => ['core:AdminPassword'],\n");
    for (Idp idp : idps) {
      text.append(php("users-" + idp.name())).append(" => ['exampleauth:UserPass',\n");
      for (User user : idp.options().users()) {
        text.append(php(user.name() + ":" + user.password())).append(" => [\n");
        user.attributes()
            .forEach(
                (name, values) ->
                    text.append(php(name)).append(" => ").append(list(values)).append(",\n"));
        text.append("],\n");
      }
      text.append("],\n");
    }
    return text.append("];\n").toString();
  }

  private static String hosted(Idp idp) {
    Options options = idp.options();
    return """
    <?php
    $metadata[%s] = [
      'host' => '__DEFAULT__',
      'privatekey' => %s,
      'certificate' => %s,
      'auth' => %s,
      'scope' => %s,
      'UIInfo' => ['DisplayName' => ['en' => %s]],
      'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
      'authproc' => [10 => ['class' => 'core:AttributeMap', 'name2oid']],
      'assertion.encryption' => %s,
      'saml20.ecp' => %s,
      'saml20.sign.assertion' => %s,
      'saml20.sign.response' => %s,
      'validate.authnrequest' => %s,
      'sign.logout' => true,
      'validate.logout' => true,
    ];
    """
        .formatted(
            php(idp.entityId()),
            php(idp.name() + "-key.pem"),
            php(idp.name() + ".pem"),
            php("users-" + idp.name()),
            list(options.scopes()),
            php(idp.name()),
            options.encrypted(),
            options.ecp(),
            options.signsAssertion(),
            options.signsResponse(),
            options.wantsSignedRequests());
  }

  private static String list(List<String> values) {
    return values.stream().map(SimpleSamlServer::php).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String php(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** Ends all providers. */
  @Override
  public void close() {
    processes.forEach(ExternalProcess::close);
  }
}
