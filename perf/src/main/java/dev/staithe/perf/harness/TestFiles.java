package dev.staithe.perf.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The files that are fetched, made once and shared by all servers. Not thread-safe. */
public final class TestFiles {
  private static final int PIECE = 1 << 20;
  private static final int TRIES = 10;
  private static final long BETWEEN_TRIES = TimeUnit.MILLISECONDS.toNanos(300);

  private final Path folder;

  /** In a folder, which is made. */
  public TestFiles(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    Files.createDirectories(folder.resolve("files"));
  }

  /** Where they lie. */
  public Path folder() {
    return folder;
  }

  /** A new empty folder for a server, which others may enter. */
  public Path newFolder(String name) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    return made;
  }

  /**
   * Puts a file of random bytes into a server's folder. Servers get the same file by a hard link,
   * so that all of them find it in the page cache.
   *
   * @return its name
   */
  public String give(Path data, long bytes) throws IOException {
    String name = "file-" + bytes;
    Path shared = folder.resolve("files").resolve(name);
    if (!Files.exists(shared)) {
      make(shared, bytes);
    }
    Path given = data.resolve(name);
    if (!Files.exists(given)) {
      Files.createLink(given, shared);
    }
    return name;
  }

  private static void make(Path file, long bytes) throws IOException {
    var random = new Random(bytes);
    byte[] piece = new byte[PIECE];
    try (var channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      for (long left = bytes; left > 0; left -= Math.min(PIECE, left)) {
        random.nextBytes(piece);
        ByteBuffer part = ByteBuffer.wrap(piece, 0, (int) Math.min(PIECE, left));
        while (part.hasRemaining()) {
          channel.write(part);
        }
      }
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /** Makes a folder of many empty files. */
  public static void fill(Path folder, int entries) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (int i = 0; i < entries; i++) {
      Path file = folder.resolve("entry-%05d.dat".formatted(i));
      if (!Files.exists(file)) {
        Files.createFile(file);
      }
    }
  }

  /** Deletes what clients have put into a server's folder, and lets the disk come to rest. */
  public void deleteUploads(Path data) throws IOException {
    try (var found = Files.newDirectoryStream(data, "put-*")) {
      for (Path each : found) {
        Files.delete(each);
      }
    }
    rest();
  }

  /** Waits until what was written is on the disk, so that it disturbs nobody later. */
  void rest() throws IOException {
    var sync = new ProcessBuilder("sync", "-f", folder.toString()).start();
    try {
      sync.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Deletes everything, with a few tries: a server that is being ended may still write.
   *
   * @throws IOException where something is left
   */
  public void delete() throws IOException {
    for (int attempt = 1; Files.exists(folder); attempt++) {
      try (Stream<Path> tree = Files.walk(folder)) {
        for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      } catch (IOException | UncheckedIOException e) {
        if (attempt == TRIES) {
          throw new IOException(folder + " could not be deleted: " + e.getMessage(), e);
        }
        LockSupport.parkNanos(BETWEEN_TRIES); // others need the time to end
      }
    }
  }
}
