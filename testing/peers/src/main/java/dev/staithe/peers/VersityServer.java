package dev.staithe.peers;

import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Listening;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.ProcessTree;
import dev.staithe.peers.process.Readiness;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Versity S3 gateway over a temporary folder, on a free port of the loopback address: a strict
 * and complete object store that starts in a second. It may be paused, killed and started again.
 */
public final class VersityServer implements ObjectEngine {
  /** A key that is no secret. */
  public static final String ACCESS_KEY = "staithe-test";

  /** Its secret, for as long as a test. */
  public static final String SECRET_KEY = "not-a-secret-of-anybody";

  private static final String REQUESTS = "requests.log";

  /** Building it takes minutes, once for a checkout. */
  private static final Duration LONGEST = Duration.ofMinutes(20);

  private static final class Made {
    static final String PROGRAM = make();
  }

  private final Path folder;
  private final int port;
  private final Core core;
  private final List<String> options;
  private String secret = SECRET_KEY;
  private ManagedProcess process;

  private VersityServer(Path folder, int port, Core core, List<String> options) {
    this.folder = folder;
    this.port = port;
    this.core = core;
    this.options = options;
    this.process = launch();
  }

  private static String make() {
    try {
      Path log = Files.createTempFile("versitygw", ".log");
      try (ManagedProcess making =
          ManagedProcess.start(
              List.of(Checkout.root().resolve("deploy/versitygw").toString()), Map.of(), log)) {
        int status = making.awaitEnd(LONGEST);
        String said = making.output().strip();
        if (status != 0) {
          throw new AssertionError(said);
        }
        return said.substring(said.lastIndexOf('\n') + 1);
      } finally {
        Files.delete(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one with these buckets, which are empty. */
  public static VersityServer start(String... buckets) {
    return start(List.of(), buckets);
  }

  /**
   * Starts one that speaks TLS alone.
   *
   * @param certificate for {@code localhost}, a PEM file
   * @param key of it, a PEM file
   */
  public static VersityServer overTls(Path certificate, Path key, String... buckets) {
    return start(List.of("--cert", certificate.toString(), "--key", key.toString()), buckets);
  }

  /** Whether it can be started: it is built first where it is not there, which takes minutes. */
  public static Readiness readiness() {
    try {
      return Files.isExecutable(Path.of(Made.PROGRAM))
          ? new Readiness.Ready("Versity gateway " + version())
          : new Readiness.Missing("deploy/versitygw: it has made no program");
    } catch (AssertionError | NoClassDefFoundError e) {
      return new Readiness.Missing("deploy/versitygw: " + e.getMessage());
    }
  }

  /** As the script has it: what the program says of itself is where it was built. */
  private static String version() {
    try (Stream<String> script = Files.lines(Checkout.root().resolve("deploy/versitygw"))) {
      return script
          .filter(line -> line.startsWith("version="))
          .map(line -> line.split("[= ]", 3)[1])
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts one that is measured, with these buckets, and counts its requests.
   *
   * @param folder an empty one of its own, which is deleted at its end
   * @param core where it may run
   */
  public static VersityServer measured(Path folder, Core core, String... buckets) {
    return start(folder, core, List.of("--access-log", "" + folder.resolve(REQUESTS)), buckets);
  }

  private static VersityServer start(List<String> tls, String... buckets) {
    try {
      return start(Files.createTempDirectory("versitygw"), Core.ANY, tls, buckets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static VersityServer start(
      Path folder, Core core, List<String> options, String... buckets) {
    try {
      for (String bucket : buckets) {
        Files.createDirectories(folder.resolve("data").resolve(bucket));
      }
      Path credentials =
          Files.createFile(
              folder.resolve("credentials"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(credentials, credentials(ACCESS_KEY, SECRET_KEY));
      VersityServer server =
          new VersityServer(folder, Listening.freePorts(1).getFirst(), core, options);
      server.await();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of credentials as tools of object stores have it. */
  public static String credentials(String accessKey, String secretKey) {
    return "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n"
        .formatted(accessKey, secretKey);
  }

  private ManagedProcess launch() {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Made.PROGRAM, "--port", "127.0.0.1:" + port, "--keep-alive", "--quiet"));
    command.addAll(options);
    command.addAll(List.of("posix", dataFolder().toString()));
    return ManagedProcess.start(
        core.start(command),
        Map.of("ROOT_ACCESS_KEY", ACCESS_KEY, "ROOT_SECRET_KEY", secret),
        folder.resolve("log"));
  }

  private void await() {
    try {
      process.awaitPort(port, Until.LONGEST);
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  @Override
  public URI endpoint() {
    return URI.create(
        options.contains("--cert") ? "https://localhost:" + port : "http://127.0.0.1:" + port);
  }

  /** The port that it listens at. */
  public int port() {
    return port;
  }

  @Override
  public Path credentialsFile() {
    return folder.resolve("credentials");
  }

  /** Where its buckets are folders and its objects files. */
  public Path dataFolder() {
    return folder.resolve("data");
  }

  /** How many requests one that is {@link #measured} has answered. */
  public long requests() throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve(REQUESTS))) {
      return lines.filter(line -> line.contains(" s3_")).count();
    }
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Stops it where it is; connections stay open and nobody answers. */
  public void pause() {
    ProcessTree.of(process.pid()).pause();
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    ProcessTree.of(process.pid()).resume();
  }

  /** Ends it at once, as {@code kill -9} does. */
  public void kill() {
    process.kill();
    process.close();
  }

  /** Starts it again on the same port after {@link #kill}. */
  public void restart() {
    restart(secret);
  }

  /** The same, with another secret for its key, which the credentials file does not have yet. */
  public void restart(String secret) {
    this.secret = secret;
    process = launch();
    await();
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      ProcessTree.of(process.pid()).kill();
    }
    process.close();
    Folders.delete(folder);
  }
}
