package dev.staithe.pki;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** Replaces a file in one step: a temporary file in the same folder, synced, then renamed. */
public final class AtomicFile {
  /** In letters of three bytes it still leaves room for the rest below 255 bytes. */
  private static final int LONGEST_START = 50;

  private AtomicFile() {}

  /**
   * Writes the file.
   *
   * @param permissions as {@code rw-------}; they hold from the moment the temporary file exists,
   *     where the file store knows POSIX permissions
   * @throws IOException where it cannot be written, or what is there is no file
   */
  public static void write(Path file, byte[] content, String permissions) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new PemException(file + " cannot be written: it is no file name");
    }
    requireReplaceable(file);
    String name = file.getFileName().toString();
    // Behind a long name there is no room for more.
    String start = name.length() > LONGEST_START ? "." : "." + name + ".";
    Path temporary = folder.resolve(start + UUID.randomUUID() + ".tmp");
    boolean moved = false;
    try (var channel =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)))) {
      var buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      moved = true;
    } finally {
      if (!moved) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  /**
   * That nothing is there, or a file: in place of a device, {@code /dev/null} above all, root would
   * get a file that every program of the machine takes for it.
   *
   * @throws IOException where something else is there
   */
  public static void requireReplaceable(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(Files.isDirectory(file) ? "it is a folder" : "it is no plain file");
    }
  }
}
