package dev.staithe.tls;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What outgoing connections need for TLS.
 *
 * @param trust a PEM bundle, or a folder as {@code /etc/grid-security/certificates}
 * @param checkInterval between two looks at the files, zero for none
 * @param batchBytes how many bytes of data one call of an engine may encrypt or decrypt: 0 for a
 *     single record of 16 KiB, else 32 KiB to 4 MiB
 */
public record ClientTlsSettings(Path trust, Duration checkInterval, int batchBytes) {
  /** A folder of revocation lists changes every few hours. */
  public static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofMinutes(1);

  /** Checks the values. */
  public ClientTlsSettings {
    if (checkInterval.isNegative()) {
      throw new IllegalArgumentException("the check interval is not negative");
    }
    BatchSize.check(batchBytes);
  }

  /** The defaults for a bundle or folder. */
  public static ClientTlsSettings of(Path trust) {
    return new ClientTlsSettings(
        trust, DEFAULT_CHECK_INTERVAL, ServerTlsSettings.DEFAULT_BATCH_BYTES);
  }
}
