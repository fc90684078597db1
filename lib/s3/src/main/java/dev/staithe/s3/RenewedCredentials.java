package dev.staithe.s3;

import dev.staithe.tls.Reloadable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a file, read again when it changes; what was read last stays in use where the new
 * file is broken. Safe for use by many threads.
 */
public final class RenewedCredentials implements AutoCloseable {
  private final Reloadable<S3Credentials> file;

  /**
   * Reads the file for the first time.
   *
   * @param interval between two looks at it; a refusal of the engine is answered by one at once
   * @throws IOException with one line
   */
  public RenewedCredentials(Path path, Duration interval, Clock clock) throws IOException {
    try {
      file =
          new Reloadable<>(
              "the credentials of the object store",
              List.of(path),
              interval,
              clock,
              () -> S3Credentials.read(path));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("reading a file of credentials needs no algorithm", e);
    }
  }

  /** Those in use now. */
  S3Credentials current() {
    return file.current();
  }

  /** Looks at the file; whether others are in use since. */
  boolean renewed() {
    return file.check();
  }

  /**
   * The same, whoever has looked meanwhile.
   *
   * @param used by which a request was signed
   */
  boolean renewedSince(S3Credentials used) {
    return renewed() || !current().equals(used);
  }

  /** Why the newest file is not in use, one line; null where it is. */
  public @Nullable String lastError() {
    return file.lastError();
  }

  @Override
  public void close() {
    file.close();
  }
}
