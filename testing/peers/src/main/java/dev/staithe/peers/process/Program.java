package dev.staithe.peers.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A program of the system.
 *
 * @param name as typed
 * @param debianPackages that hold it and what it needs, separated by blanks
 */
public record Program(String name, String debianPackages) {
  public static final Program APACHE = new Program("apache2", "apache2-bin");
  public static final Program ARCHED = new Program("arched", "nordugrid-arc-arex");
  public static final Program CURL = new Program("curl", "curl");
  public static final Program GCC = new Program("gcc", "gcc");
  public static final Program GLOBUS_URL_COPY =
      new Program("globus-url-copy", "globus-gass-copy-progs");
  public static final Program GRIDFTP_SERVER =
      new Program("globus-gridftp-server", "globus-gridftp-server-progs");
  public static final Program GRID_PROXY_INIT =
      new Program("grid-proxy-init", "globus-proxy-utils");
  public static final Program HAPROXY = new Program("haproxy", "haproxy");
  public static final Program HTPROXYDESTROY = new Program("htproxydestroy", "gridsite-clients");
  public static final Program HTPROXYPUT = new Program("htproxyput", "gridsite-clients");
  public static final Program HTPROXYRENEW = new Program("htproxyrenew", "gridsite-clients");
  public static final Program HTPROXYTIME = new Program("htproxytime", "gridsite-clients");
  public static final Program HTPROXYUNIXTIME = new Program("htproxyunixtime", "gridsite-clients");
  public static final Program INITDB = new Program("initdb", "postgresql");
  public static final Program LITMUS = new Program("litmus", "litmus");
  public static final Program MYPROXY_LOGON = new Program("myproxy-logon", "myproxy");
  public static final Program MYPROXY_SERVER = new Program("myproxy-server", "myproxy-server");
  public static final Program NGINX = new Program("nginx", "nginx-light");
  public static final Program OIDC_AGENT = new Program("oidc-agent", "oidc-agent-cli");
  public static final Program OIDC_GEN = new Program("oidc-gen", "oidc-agent-cli");
  public static final Program OIDC_TOKEN = new Program("oidc-token", "oidc-agent-cli");
  public static final Program OPENSSL = new Program("openssl", "openssl");
  public static final Program PG_BASEBACKUP = new Program("pg_basebackup", "postgresql");
  public static final Program PG_DUMP = new Program("pg_dump", "postgresql");
  public static final Program PHP =
      new Program("php", "simplesamlphp php-cli php-xml php-mbstring php-curl");
  public static final Program PKCS11_TOOL = new Program("pkcs11-tool", "opensc");
  public static final Program POSTGRES = new Program("postgres", "postgresql");
  public static final Program PROMTOOL = new Program("promtool", "prometheus");
  public static final Program PSQL = new Program("psql", "postgresql");
  public static final Program RCLONE = new Program("rclone", "rclone");
  public static final Program REDIS = new Program("redis-server", "redis-server");
  public static final Program REDIS_CLI = new Program("redis-cli", "redis-server");
  public static final Program SCITOKENS_LIST_ACCESS =
      new Program("scitokens-list-access", "scitokens-cpp");
  public static final Program SCITOKENS_VERIFY = new Program("scitokens-verify", "scitokens-cpp");
  public static final Program SETPRIV = new Program("setpriv", "util-linux");
  public static final Program SHELL = new Program("sh", "dash");
  public static final Program SLAPADD = new Program("slapadd", "slapd");
  public static final Program SLAPD = new Program("slapd", "slapd");
  public static final Program SOAPCPP2 = new Program("soapcpp2", "gsoap libgsoap-dev");
  public static final Program SOFTHSM2_UTIL = new Program("softhsm2-util", "softhsm2");
  public static final Program SWTPM = new Program("swtpm", "swtpm");
  public static final Program TPM2_CREATEAK = tpm2("createak");
  public static final Program TPM2_CREATEEK = tpm2("createek");
  public static final Program TPM2_EVICTCONTROL = tpm2("evictcontrol");
  public static final Program TPM2_FLUSHCONTEXT = tpm2("flushcontext");
  public static final Program TPM2_PCREXTEND = tpm2("pcrextend");
  public static final Program TPM2_PCRREAD = tpm2("pcrread");
  public static final Program TPM2_QUOTE = tpm2("quote");
  public static final Program UNSHARE = new Program("unshare", "util-linux");
  public static final Program VOMS_PROXY_FAKE = new Program("voms-proxy-fake", "voms-clients");
  public static final Program VOMS_PROXY_INIT = new Program("voms-proxy-init2", "voms-clients");
  public static final Program XMLSEC1 = new Program("xmlsec1", "xmlsec1");
  public static final Program XROOTD = new Program("xrootd", "xrootd-server xrootd-client");

  /** Servers live here, which the PATH of an ordinary user leaves out. */
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin");

  /**
   * What came of running a program.
   *
   * @param output what it wrote to its standard output
   * @param errors what it wrote to its standard error output
   */
  public record Ran(int exitCode, byte[] output, String errors) {}

  private static Program tpm2(String name) {
    return new Program("tpm2_" + name, "tpm2-tools");
  }

  /** Where it is, if anywhere. */
  public Optional<Path> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Stream.of(path.split(":")), SYSTEM_FOLDERS.stream())
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .or(this::newestOfPostgresql);
  }

  /** Debian keeps the programs of each major version in a folder of its own. */
  private Optional<Path> newestOfPostgresql() {
    try (DirectoryStream<Path> versions =
        Files.newDirectoryStream(Path.of("/usr/lib/postgresql"), "[0-9]*")) {
      return StreamSupport.stream(versions.spliterator(), false)
          .max(Comparator.comparingInt(version -> Integer.parseInt("" + version.getFileName())))
          .map(version -> version.resolve("bin").resolve(name))
          .filter(Files::isExecutable);
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /**
   * Where it is, as a first word of a command.
   *
   * @throws IllegalStateException where it is missing, with the package to install: a test that
   *     skips itself has proved nothing
   */
  public String path() {
    return find().orElseThrow(() -> new IllegalStateException(missing(name).reason())).toString();
  }

  /**
   * What to say where something of its packages is not there.
   *
   * @param what its name, or that of a file
   */
  public Readiness.Missing missing(String what) {
    return new Readiness.Missing(
        "%s is missing: install the Debian package%s %s"
            .formatted(what, debianPackages.contains(" ") ? "s" : "", debianPackages));
  }

  /** Ready with the first line that it says to that option, or missing. */
  public Readiness readiness(String versionOption) {
    if (find().isEmpty()) {
      return missing(name);
    }
    try {
      Ran ran = run(List.of(versionOption), Map.of(), new byte[0], Duration.ofMinutes(1));
      return new Readiness.Ready(
          (new String(ran.output(), StandardCharsets.UTF_8) + "\n" + ran.errors())
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .findFirst()
              .map(line -> line.replaceFirst("^.*version: ", ""))
              .orElse(""));
    } catch (UncheckedIOException e) {
      return new Readiness.Missing(
          name + " does not run: " + Objects.requireNonNull(e.getCause()).getMessage());
    }
  }

  /**
   * Runs it to its end.
   *
   * @param input for its standard input; secrets go this way, not by the arguments
   */
  public Ran run(
      List<String> arguments, Map<String, String> environment, byte[] input, Duration longest) {
    return run(arguments, environment, input, longest, null);
  }

  /** Runs it to its end in that folder, which takes the files that it leaves. */
  public Ran run(
      List<String> arguments,
      Map<String, String> environment,
      byte[] input,
      Duration longest,
      @Nullable Path folder) {
    List<String> command = new ArrayList<>(List.of(path()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    if (folder != null) {
      builder.directory(folder.toFile());
    }
    try {
      Process process = builder.start();
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      ByteArrayOutputStream errors = new ByteArrayOutputStream();
      Thread one = Thread.ofVirtual().start(() -> drain(process.getInputStream(), output));
      Thread two = Thread.ofVirtual().start(() -> drain(process.getErrorStream(), errors));
      try (var in = process.getOutputStream()) {
        in.write(input);
      } catch (IOException closedEarly) {
        // its exit code tells why
      }
      if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " did not end within " + longest);
      }
      one.join();
      two.join();
      return new Ran(
          process.exitValue(), output.toByteArray(), errors.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " runs", e);
    }
  }

  private static void drain(InputStream from, ByteArrayOutputStream to) {
    try (from) {
      from.transferTo(to);
    } catch (IOException ended) {
      // with the process
    }
  }
}
