package dev.staithe.storage.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** A small file that only its owner may read. */
public final class SecretFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private SecretFile() {}

  /**
   * Reads the file, or makes it with what {@code first} gives; two processes that start together
   * see the same content.
   *
   * @throws IOException with one line, also where others than the owner could read the file
   */
  public static byte[] readOrCreate(Path file, Supplier<byte[]> first) throws IOException {
    if (!Files.exists(file)) {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      create(file, first.get());
    }
    return read(file);
  }

  /**
   * Reads a file that is there.
   *
   * @throws IOException with one line, also where others than the owner could read the file
   */
  public static byte[] read(Path file) throws IOException {
    Set<PosixFilePermission> open = new HashSet<>(Files.getPosixFilePermissions(file));
    open.removeAll(PosixFilePermissions.fromString("rwx------"));
    if (!open.isEmpty()) {
      throw new IOException(file + " can be read by others than its owner: chmod 600 " + file);
    }
    return Files.readAllBytes(file);
  }

  private static void create(Path file, byte[] content) throws IOException {
    Path fresh = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
    try {
      try (SeekableByteChannel out =
          Files.newByteChannel(
              fresh,
              EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
        ByteBuffer left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
          out.write(left);
        }
      }
      // What others seal by it is on the device soon: an empty file would have lost that.
      Sync.DATA.data(fresh);
      // A link, unlike a rename, does not replace what another process has made meanwhile.
      Files.createLink(file, fresh);
      Sync.ALL.names(file.toAbsolutePath().getParent());
    } catch (FileAlreadyExistsException madeMeanwhile) {
      // its content is read instead
    } catch (UnsupportedOperationException noLinks) {
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
