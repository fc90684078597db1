package dev.staithe.service;

import org.jspecify.annotations.Nullable;

/**
 * What all services are told in the same words, below {@code staithe}: the record of a service's
 * properties implements it, by components of these names.
 */
public interface SharedProperties {
  /** The server's end of TLS. */
  TlsProperties tls();

  /** Who may read metrics and details of health. */
  MetricsProperties metrics();

  /** Which certificates of clients are believed; null where clients are never asked for one. */
  default @Nullable ClientCertificateProperties clientCertificates() {
    return null;
  }

  /** Bytes of answers that are encrypted at once, 0 for single records: answers that are small. */
  default int encryptedAtOnce() {
    return 0;
  }
}
