package dev.staithe.service.properties;

import dev.staithe.service.log.AccessLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all services are told in the same words, below {@code staithe}: the record of a service's
 * properties implements it, by components of these names.
 */
public interface SharedProperties {
  /** The server's end of TLS. */
  TlsProperties tls();

  /** What one client may take. */
  LimitsProperties limits();

  /** One line for every request. */
  AccessLog.Settings accessLog();

  /** A reverse proxy in front; a service that is never behind one has no such setting. */
  default Proxy proxy() {
    return List::of;
  }

  /** Whether clients that offer HTTP/2 get it; over TLS only. */
  default boolean http2() {
    return false;
  }

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

  /** A reverse proxy in front. */
  @FunctionalInterface
  interface Proxy {
    /** Networks of proxies whose forwarding headers count, as CIDR. */
    List<String> trusted();
  }
}
