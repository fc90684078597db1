package dev.staithe.gateway;

import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Keys, trust and time of messages, which have nothing to do with those of TLS.
 *
 * @param certificate PEM file with the gateway's certificate for messages and its chain
 * @param key PEM file with the private key, RSA
 * @param trust a folder of authorities with their revocation lists, or a PEM bundle: whose
 *     signatures are believed
 * @param known a folder of PEM files of signers whose messages only name their certificates
 * @param revocation what lists of revoked certificates mean
 * @param namespaces what files of namespaces mean
 * @param freshness for which a message is fresh after its creation; a second to an hour
 * @param skew by which clocks may differ; ten minutes at the most
 * @param replayMost signatures and nonces that are remembered, 1,000 to 100,000,000; where it is
 *     full, messages are refused. 0 for no memory at all, where {@code staithe.measuring} is set
 */
@ConfigurationPropertiesSource
public record MessageProperties(
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path trust,
    @Nullable Path known,
    @DefaultValue("if-valid") ClientChainRules.Revocation revocation,
    @DefaultValue("if-present") ClientChainRules.Namespaces namespaces,
    @DefaultValue("5m") Duration freshness,
    @DefaultValue("1m") Duration skew,
    @DefaultValue("2000000") int replayMost) {
  private static final Duration LONGEST_FRESH = Duration.ofHours(1);
  private static final Duration WIDEST_SKEW = Duration.ofMinutes(10);

  /** Checks the files and the ranges that hold while measuring. */
  public MessageProperties {
    if (certificate != null || key != null) {
      Settings.requireFile(certificate, "certificate");
      Settings.requireFile(key, "key");
    }
    Settings.requireWithin(freshness, Duration.ofSeconds(1), Duration.ofDays(3650), "freshness");
    Settings.requireWithin(skew, Duration.ZERO, Duration.ofDays(3650), "skew");
    Settings.requireWithin(replayMost, 0, 100_000_000, "replay-most");
  }

  /** Refuses what is for measuring alone. */
  void requireStrict() {
    Settings.requireWithin(freshness, Duration.ofSeconds(1), LONGEST_FRESH, "message.freshness");
    Settings.requireWithin(skew, Duration.ZERO, WIDEST_SKEW, "message.skew");
    Settings.requireWithin(replayMost, 1_000, 100_000_000, "message.replay-most");
  }
}
