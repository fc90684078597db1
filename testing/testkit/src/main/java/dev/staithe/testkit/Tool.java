package dev.staithe.testkit;

import java.io.ByteArrayOutputStream;
import java.io.File;
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
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A program of the operating system that tests cannot do without. */
enum Tool {
  CURL("curl", "curl"),
  LITMUS("litmus", "litmus"),
  HAPROXY("haproxy", "haproxy"),
  NGINX("nginx", "nginx-light"),
  RCLONE("rclone", "rclone"),
  XROOTD("xrootd", "xrootd-server xrootd-client"),
  POSTGRES("postgres", "postgresql"),
  INITDB("initdb", "postgresql"),
  PG_BASEBACKUP("pg_basebackup", "postgresql"),
  PSQL("psql", "postgresql"),
  PG_DUMP("pg_dump", "postgresql"),
  REDIS("redis-server", "redis-server"),
  REDIS_CLI("redis-cli", "redis-server"),
  SHELL("sh", "dash"),
  SETPRIV("setpriv", "util-linux"),
  PHP("php", "simplesamlphp php-cli php-xml php-mbstring php-curl"),
  SLAPD("slapd", "slapd"),
  SLAPADD("slapadd", "slapd"),
  OPENSSL("openssl", "openssl"),
  GRID_PROXY_INIT("grid-proxy-init", "globus-proxy-utils"),
  VOMS_PROXY_INIT("voms-proxy-init2", "voms-clients"),
  VOMS_PROXY_FAKE("voms-proxy-fake", "voms-clients"),
  HTPROXYPUT("htproxyput", "gridsite-clients"),
  HTPROXYRENEW("htproxyrenew", "gridsite-clients"),
  HTPROXYTIME("htproxytime", "gridsite-clients"),
  HTPROXYUNIXTIME("htproxyunixtime", "gridsite-clients"),
  HTPROXYDESTROY("htproxydestroy", "gridsite-clients"),
  ARCHED("arched", "nordugrid-arc-arex"),
  GCC("gcc", "gcc"),
  SOAPCPP2("soapcpp2", "gsoap libgsoap-dev"),
  XMLSEC1("xmlsec1", "xmlsec1"),
  OIDC_AGENT("oidc-agent", "oidc-agent-cli"),
  OIDC_GEN("oidc-gen", "oidc-agent-cli"),
  OIDC_TOKEN("oidc-token", "oidc-agent-cli"),
  SCITOKENS_VERIFY("scitokens-verify", "scitokens-cpp"),
  SCITOKENS_LIST_ACCESS("scitokens-list-access", "scitokens-cpp"),
  UNSHARE("unshare", "util-linux"),
  APACHE("apache2", "apache2-bin");

  private static final List<String> ELSEWHERE = List.of("/usr/bin", "/usr/sbin", "/bin", "/sbin");

  private final String program;
  private final String packages;

  Tool(String program, String packages) {
    this.program = program;
    this.packages = packages;
  }

  /**
   * What came of running a program.
   *
   * @param output what it wrote to its standard output
   * @param errors what it wrote to its standard error output
   */
  record Ran(int exitCode, byte[] output, String errors) {}

  /**
   * Where it is.
   *
   * @throws AssertionError with the command that installs it where it is missing: a test that skips
   *     itself has proved nothing
   */
  String path() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    for (String folder : path.split(File.pathSeparator)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return Path.of(folder, program).toString();
      }
    }
    for (String folder : ELSEWHERE) {
      if (Files.isExecutable(Path.of(folder, program))) {
        return Path.of(folder, program).toString();
      }
    }
    return newestOfPostgresql().orElseThrow(() -> missing(program));
  }

  /** Debian keeps the programs of each major version in a folder of its own. */
  private Optional<String> newestOfPostgresql() {
    try (DirectoryStream<Path> versions =
        Files.newDirectoryStream(Path.of("/usr/lib/postgresql"), "[0-9]*")) {
      return StreamSupport.stream(versions.spliterator(), false)
          .filter(version -> Files.isExecutable(version.resolve("bin").resolve(program)))
          .max(
              Comparator.comparingInt(
                  version -> Integer.parseInt(version.getFileName().toString())))
          .map(version -> version.resolve("bin").resolve(program).toString());
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  AssertionError missing(String what) {
    return new AssertionError(what + " is missing: apt-get install -y " + packages);
  }

  /**
   * Runs it to its end.
   *
   * @param input for its standard input; secrets go this way, not by the arguments
   */
  Ran run(List<String> arguments, Map<String, String> environment, byte[] input, Duration longest) {
    return run(arguments, environment, input, longest, null);
  }

  /** Runs it to its end in that folder, which takes the files that it leaves. */
  Ran run(
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
        throw new AssertionError(program + " did not end within " + longest);
      }
      one.join();
      two.join();
      return new Ran(
          process.exitValue(), output.toByteArray(), errors.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while " + program + " runs", e);
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
