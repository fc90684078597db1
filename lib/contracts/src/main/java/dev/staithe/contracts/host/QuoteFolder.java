package dev.staithe.contracts.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where programs write what a TPM signed, for this user's eyes only. It is read at once, and what
 * stays is written over by the next. For one thread at a time.
 *
 * @param folder absolute; it is there
 */
public record QuoteFolder(Path folder) {
  /** Makes the folder, or takes the one that is there, and keeps others out of it. */
  public static QuoteFolder in(Path folder) throws IOException {
    Set<PosixFilePermission> own = PosixFilePermissions.fromString("rwx------");
    Path place =
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(own)).toAbsolutePath();
    Files.setPosixFilePermissions(place, own);
    return new QuoteFolder(place);
  }

  /** The place of a file, and none there: what is read later is of the next run. */
  public Path fresh(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file);
    return file;
  }

  /**
   * What a program wrote to that file.
   *
   * @throws IOException where it has written none, or more than so many bytes
   */
  public byte[] written(String name, int most) throws IOException {
    try (InputStream file = Files.newInputStream(folder.resolve(name))) {
      byte[] bytes = file.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new IOException("the file " + name + " has more than " + most + " bytes");
      }
      return bytes;
    }
  }
}
