package dev.staithe.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ceph as Debian packages it, on this machine alone, with its object store (RGW) on a free port of
 * the loopback address and its file system mounted twice, for which it needs root and {@code
 * /dev/fuse}. Takes a minute or two to start and some hundred megabytes.
 */
public final class CephServer implements ObjectEngine {
  private static @Nullable CephServer shared;

  private final Path folder;
  private final @Nullable ManagedProcess process;

  private CephServer(Path folder, @Nullable ManagedProcess process) {
    this.folder = folder;
    this.process = process;
  }

  /**
   * One for all tests of this JVM, with which it ends; or the one that runs in the folder that
   * {@code -Dceph.folder} names, which is left as it is.
   *
   * @throws UncheckedIOException in one line where it does not start, or packages are missing
   */
  public static synchronized CephServer shared() {
    CephServer server = shared;
    if (server == null) {
      String running = System.getProperty("ceph.folder");
      server = running == null ? start() : new CephServer(Path.of(running), null);
      shared = server;
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    return server;
  }

  private static CephServer start() {
    try {
      // Not below the folder of a test: the paths of its sockets must be short.
      Path folder = Files.createTempDirectory("ceph");
      try {
        return new CephServer(
            folder,
            new PeerScript(Checkout.root(), "ceph").start(folder, 3, Core.ANY, List.of("fs")));
      } catch (IOException e) {
        Folders.delete(folder);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public URI endpoint() {
    try {
      return URI.create(Files.readString(folder.resolve("ready")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Path credentialsFile() {
    return folder.resolve("credentials");
  }

  /** Makes a bucket of its object store, unless it is there. */
  public void bucket(String name) {
    String there = ":s3,provider=Ceph,env_auth=true,endpoint='" + endpoint() + "':" + name;
    Path said = folder.resolve("log/rclone");
    try (ManagedProcess rclone =
        ManagedProcess.start(
            List.of("rclone", "--config=", "mkdir", there),
            Map.of("AWS_SHARED_CREDENTIALS_FILE", "" + credentialsFile(), "AWS_CA_BUNDLE", ""),
            said)) {
      if (rclone.awaitEnd(Until.LONGEST) != 0) {
        throw new AssertionError(rclone.output());
      }
    }
  }

  /** Where its file system is mounted, as by one machine. */
  public Path oneMount() {
    return folder.resolve("one");
  }

  /** Where the same is mounted, as by another machine. */
  public Path otherMount() {
    return folder.resolve("two");
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
      Folders.delete(folder);
    }
  }
}
