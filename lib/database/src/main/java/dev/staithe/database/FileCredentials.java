package dev.staithe.database;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.util.Credentials;
import dev.staithe.service.PasswordFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user with the password that stands in a file, as it is when a connection is made: it may be
 * changed while the service runs. Thread-safe.
 */
final class FileCredentials implements HikariCredentialsProvider {
  private final String user;
  private final Path file;

  /** The last that was there; where it is null PostgreSQL's driver looks for one elsewhere. */
  private volatile @Nullable String password;

  /**
   * Reads it for the first time.
   *
   * @throws IOException where it cannot be read
   */
  FileCredentials(String user, Path file) throws IOException {
    this.user = user;
    this.file = file;
    this.password = PasswordFile.read(Optional.of(file)).orElse(null);
  }

  @Override
  public Credentials getCredentials() {
    try {
      PasswordFile.read(Optional.of(file)).ifPresent(there -> password = there);
    } catch (IOException e) {
      // While it is replaced the one before may still be good; the server tells.
    }
    return Credentials.of(user, password);
  }
}
