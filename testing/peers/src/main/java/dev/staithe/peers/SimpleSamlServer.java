package dev.staithe.peers;

import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * SimpleSAMLphp as Debian packages it, with as many identity providers as a test asks for, each by
 * {@code perf/peers/simplesamlphp} at a port of the loopback address over plain HTTP. Web browser
 * SSO, ECP, single logout. Not thread-safe.
 */
public final class SimpleSamlServer implements AutoCloseable {
  private final Path folder;
  private final List<Idp> idps = new ArrayList<>();
  private final List<String> trusted = new ArrayList<>();

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
                  List.of(name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1)),
              "mail", List.of(name + "@" + scope),
              "eduPersonScopedAffiliation", List.of("member@" + scope),
              "schacHomeOrganization", List.of(scope)));
    }

    private String json() {
      return "{\"name\":%s,\"password\":%s,\"attributes\":%s}"
          .formatted(
              quoted(name),
              quoted(password),
              attributes.entrySet().stream()
                  .map(each -> quoted(each.getKey()) + ":" + list(each.getValue()))
                  .collect(Collectors.joining(",", "{", "}")));
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

    /** As the script reads it. */
    private String json(String name) {
      return """
      {"entity":%s,"shown":%s,"scopes":%s,"encrypts":%s,"ecp":%s,"signsAssertion":%s,
      "signsResponse":%s,"wantsSignedRequests":%s,"users":%s}
      """
          .formatted(
              quoted("idp/" + name),
              quoted(name),
              list(scopes),
              encrypted,
              ecp,
              signsAssertion,
              signsResponse,
              wantsSignedRequests,
              users.stream().map(User::json).collect(Collectors.joining(",\n", "[", "]")));
    }
  }

  /** A provider that runs. */
  public static final class Idp {
    private final String name;
    private final Options options;
    private final Path folder;
    private final ManagedProcess process;

    private Idp(String name, Options options, Path folder, ManagedProcess process) {
      this.name = name;
      this.options = options;
      this.folder = folder;
      this.process = process;
    }

    /** A short name, shown to people too. */
    public String name() {
      return name;
    }

    /** The port that it listens at. */
    public int port() {
      return process.port(0);
    }

    /** What it is like. */
    public Options options() {
      return options;
    }

    /** Where it is, with a slash at the end. */
    public URI url() {
      return URI.create("http://127.0.0.1:" + port() + "/");
    }

    /** What it calls itself. */
    public String entityId() {
      return url() + "idp/" + name;
    }

    private void trust(int number, String metadata) throws IOException {
      // Never half of it, whatever it reads meanwhile.
      Path next = Files.writeString(folder.resolve("sp").resolve(number + ".next"), metadata);
      Files.move(
          next,
          next.resolveSibling(number + ".xml"),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private SimpleSamlServer(Path folder) {
    this.folder = folder;
  }

  /** Prepares an installation without providers; all goes below that folder, which is made. */
  public static SimpleSamlServer start(Path folder) {
    try {
      return new SimpleSamlServer(Files.createDirectories(folder).toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts one more provider.
   *
   * @throws UncheckedIOException where it does not start, or Debian's packages are missing
   */
  public Idp idp(String name, Options options) {
    try {
      Path its = Files.createDirectory(folder.resolve(name));
      Files.writeString(its.resolve("provider.json"), options.json(name));
      var script = new PeerScript(Checkout.root(), "simplesamlphp");
      Idp idp = new Idp(name, options, its, script.start(its, 1, Core.ANY));
      idps.add(idp);
      for (int i = 0; i < trusted.size(); i++) {
        idp.trust(i, trusted.get(i));
      }
      return idp;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the provider says of itself, as it publishes it. */
  public String metadata(Idp idp) {
    try {
      return Files.readString(metadataFile(idp));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@link #metadata(Idp)} in a file of its own. */
  public Path metadataFile(Idp idp) {
    return idp.folder.resolve("idp.xml");
  }

  /** Makes all providers know a service provider by its metadata, from the next request on. */
  public void trust(String metadata) {
    try {
      for (Idp idp : idps) {
        idp.trust(trusted.size(), metadata);
      }
      trusted.add(metadata);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the providers have logged. */
  public String log() {
    var text = new StringBuilder();
    for (Idp idp : idps) {
      try (Stream<Path> files = Files.list(idp.folder.resolve("log"))) {
        for (Path file : files.sorted().toList()) {
          text.append(idp.name).append(' ').append(file.getFileName()).append(":\n");
          text.append(Files.readString(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return text.toString();
  }

  private static String list(List<String> values) {
    return values.stream().map(SimpleSamlServer::quoted).collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Ends all providers. */
  @Override
  public void close() {
    idps.forEach(idp -> idp.process.close());
  }
}
