package dev.staithe.database;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A relational database.
 *
 * @param url {@code jdbc:postgresql:...}, or {@code jdbc:h2:file:...} for one node
 * @param user as whom
 * @param passwordFile a file that holds the password alone, read again for each connection; absent
 *     where none is asked
 * @param connections the most at once, by each part that uses it; 3 to 200, since bringing tables
 *     up to date takes three
 */
public record DatabaseProperties(
    @Nullable String url,
    @DefaultValue("staithe") String user,
    @Nullable Path passwordFile,
    @DefaultValue("10") int connections) {
  /** Checks forms and ranges. */
  public DatabaseProperties {
    Settings.require(
        url == null || url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:h2:"),
        "url",
        url == null ? "" : url,
        "jdbc:postgresql://host:port/name or jdbc:h2:file:/path/name");
    if (passwordFile != null) {
      Settings.requireFile(passwordFile, "password-file");
    }
    Settings.requireWithin(connections, 3, 200, "connections");
  }
}
