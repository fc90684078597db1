package dev.staithe.delegation.client;

import dev.staithe.pki.Credential;
import dev.staithe.pki.PemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate and its key in files, read again when they change; files that do not fit each
 * other, or are half written, change nothing. Thread-safe.
 */
public final class CredentialFiles {
  private static final Logger LOG = LoggerFactory.getLogger(CredentialFiles.class);

  /** Nanoseconds between two looks. */
  private static final long LOOK_EVERY = 10_000_000_000L;

  private record CachedCredential(Credential credential, List<FileTime> stamp, long lookedAt) {}

  private final Path certificate;
  private final Path key;
  private volatile CachedCredential held;

  private CredentialFiles(Path certificate, Path key, CachedCredential held) {
    this.certificate = certificate;
    this.key = key;
    this.held = held;
  }

  /**
   * Reads them.
   *
   * @throws PemException where that cannot be done
   */
  public static CredentialFiles read(Path certificate, Path key) throws IOException {
    List<FileTime> stamp = stamp(certificate, key);
    return new CredentialFiles(
        certificate,
        key,
        new CachedCredential(Credential.read(certificate, key), stamp, System.nanoTime()));
  }

  /** What they held when they last fitted. */
  public Credential current() {
    CachedCredential last = held;
    if (System.nanoTime() - last.lookedAt() < LOOK_EVERY) {
      return last.credential();
    }
    CachedCredential next = look(last);
    held = next;
    return next.credential();
  }

  private CachedCredential look(CachedCredential last) {
    try {
      List<FileTime> stamp = stamp(certificate, key);
      if (!stamp.equals(last.stamp())) {
        return new CachedCredential(Credential.read(certificate, key), stamp, System.nanoTime());
      }
    } catch (IOException e) {
      LOG.warn("{} stays in use as it was: {}", certificate, e.getMessage());
    }
    return new CachedCredential(last.credential(), last.stamp(), System.nanoTime());
  }

  private static List<FileTime> stamp(Path certificate, Path key) throws IOException {
    return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
  }
}
