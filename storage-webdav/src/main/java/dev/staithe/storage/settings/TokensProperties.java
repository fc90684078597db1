package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Tokens that this server makes: macaroons and JWTs.
 *
 * @param enabled whether anybody is given one; those that were given are taken until they end
 * @param keyFile the file with the keys, which nodes that serve the same areas share; absent: in
 *     the folder of the first area, out of reach of its clients
 * @param sealingKeyFile the file with what the keys are sealed by; absent: made beside them
 * @param usual how long a token is good where nobody asks for a time
 * @param longest that is given, whatever is asked for
 * @param rotation how long tokens are made with the same key
 */
public record TokensProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Path keyFile,
    @Nullable Path sealingKeyFile,
    @DefaultValue("1h") Duration usual,
    @DefaultValue("24h") Duration longest,
    @DefaultValue("7d") Duration rotation) {
  /** Checks the ranges and the file. */
  public TokensProperties {
    Duration least = Duration.ofMinutes(1);
    Settings.requireWithin(longest, least, Duration.ofDays(30), "longest");
    Settings.requireWithin(usual, least, longest, "usual");
    Settings.requireWithin(rotation, Duration.ofHours(1), Duration.ofDays(365), "rotation");
    if (sealingKeyFile != null) {
      Settings.requireFile(sealingKeyFile, "sealing-key-file");
    }
  }
}
