package dev.staithe.peers;

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

/**
 * The Versity S3 gateway over a temporary folder, on a free port of the loopback address: a strict
 * and complete object store that starts in a second. It may be paused, killed and started again.
 */
public final class VersityServer implements ObjectEngine {
  /** A key that is no secret. */
  public static final String ACCESS_KEY = "staithe-test";

  /** Its secret, for as long as a test. */
  public static final String SECRET_KEY = "not-a-secret-of-anybody";

  /** Building it takes minutes, once for a checkout. */
  private static final Duration LONGEST = Duration.ofMinutes(20);

  private static final class Made {
    static final String PROGRAM = make();
  }

  private final Path folder;
  private final int port;
  private final List<String> tls;
  private String secret = SECRET_KEY;
  private ManagedProcess process;

  private VersityServer(Path folder, int port, List<String> tls) {
    this.folder = folder;
    this.port = port;
    this.tls = tls;
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

  private static VersityServer start(List<String> tls, String... buckets) {
    try {
      Path folder = Files.createTempDirectory("versitygw");
      for (String bucket : buckets) {
        Files.createDirectories(folder.resolve("data").resolve(bucket));
      }
      Path credentials =
          Files.createFile(
              folder.resolve("credentials"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(credentials, credentials(ACCESS_KEY, SECRET_KEY));
      VersityServer server = new VersityServer(folder, Listening.freePorts(1).getFirst(), tls);
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
    command.addAll(tls);
    command.addAll(List.of("posix", dataFolder().toString()));
    return ManagedProcess.start(
        command,
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
    return URI.create(tls.isEmpty() ? "http://127.0.0.1:" + port : "https://localhost:" + port);
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
