package dev.staithe.cli.certificate;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/** Files with a key in them: only their owner can read them, and each is replaced in one step. */
public final class CredentialFile {
  private CredentialFile() {}

  /**
   * One file with certificate, key, and the certificates above, in this order, as grid tools want
   * it.
   *
   * @throws IOException where it cannot be written, in one line
   */
  public static void write(Path file, Credential credential) throws IOException {
    List<X509Certificate> chain = credential.chain();
    String text =
        Pem.encode(List.of(chain.getFirst()))
            + Pem.encode(credential.key())
            + Pem.encode(chain.subList(1, chain.size()));
    write(file, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Any content. */
  public static void write(Path file, byte[] content) throws IOException {
    try {
      AtomicFile.write(file, content, "rw-------");
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  static IOException unwritable(Path file, IOException failure) {
    Path folder = file.toAbsolutePath().getParent();
    boolean there = folder == null || Files.isDirectory(folder);
    return new IOException(
        file + " cannot be written: " + (there ? reason(failure) : "no such folder"), failure);
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException said when said.getReason() != null ->
          String.valueOf(said.getReason());
      default -> String.valueOf(failure.getMessage());
    };
  }
}
