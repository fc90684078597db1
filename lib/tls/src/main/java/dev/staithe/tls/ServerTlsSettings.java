package dev.staithe.tls;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a server needs for TLS.
 *
 * @param certificateFile PEM, the host's certificate first and those between it and its authority
 *     behind
 * @param keyFile PEM, not encrypted; may be the same file
 * @param checkInterval between two looks at the files, zero for none; below a second makes no sense
 *     and is allowed
 * @param batchBytes how many bytes of data one call of an engine may encrypt or decrypt: 0 for a
 *     single record of 16 KiB, else 32 KiB to 4 MiB
 */
public record ServerTlsSettings(
    Path certificateFile, Path keyFile, Duration checkInterval, int batchBytes) {
  /**
   * Eight full records: measured, more brings nothing that stands out of the noise, and each busy
   * connection holds up to three buffers of this size.
   */
  public static final int DEFAULT_BATCH_BYTES = 128 * 1024;

  /** Often enough for a renewed certificate, seldom enough to cost nothing. */
  public static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(30);

  /** Checks the values. */
  public ServerTlsSettings {
    if (checkInterval.isNegative()) {
      throw new IllegalArgumentException("the check interval is not negative");
    }
    BatchSize.check(batchBytes);
  }

  /** The defaults for two files. */
  public static ServerTlsSettings of(Path certificateFile, Path keyFile) {
    return new ServerTlsSettings(
        certificateFile, keyFile, DEFAULT_CHECK_INTERVAL, DEFAULT_BATCH_BYTES);
  }
}
