package dev.staithe.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ceph as Debian packages it, on this machine alone, with its object store (RGW) on a free port of
 * the loopback address. Takes a minute to start and some hundred megabytes.
 */
public final class CephServer implements AutoCloseable {
  private final Path folder;
  private final ManagedProcess process;

  private CephServer(Path folder, ManagedProcess process) {
    this.folder = folder;
    this.process = process;
  }

  /**
   * Starts one without any bucket.
   *
   * @throws UncheckedIOException in one line where it does not start, or packages are missing
   */
  public static CephServer start() {
    try {
      // Not below the folder of a test: the paths of its sockets must be short.
      Path folder = Files.createTempDirectory("ceph");
      try {
        return new CephServer(
            folder, new PeerScript(Checkout.root(), "ceph").start(folder, 3, Core.ANY));
      } catch (IOException e) {
        Folders.delete(folder);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where its object store listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + process.port(0));
  }

  /** The file with the credentials of its only user. */
  public Path credentialsFile() {
    return folder.resolve("credentials");
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
