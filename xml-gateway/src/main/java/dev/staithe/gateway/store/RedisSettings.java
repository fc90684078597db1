package dev.staithe.gateway.store;

import dev.staithe.service.redis.RedisAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Redis 7 or newer, or Valkey: one primary by one address, which must always lead to the primary.
 *
 * @param user the name in Redis's access list; null for the default one
 * @param passwordFile holds the password in its first line; it is read again for each connection;
 *     null for none
 * @param tls how to reach it by TLS; null for without. The host's name is verified
 * @param timeout how long one question may take before its request is refused, 50 ms to 10 s
 */
public record RedisSettings(
    String host,
    int port,
    @Nullable String user,
    @Nullable Path passwordFile,
    @Nullable SSLSocketFactory tls,
    Duration timeout) {
  /** Checks the time. */
  public RedisSettings {
    if (timeout.compareTo(Duration.ofMillis(50)) < 0
        || timeout.compareTo(Duration.ofSeconds(10)) > 0) {
      throw new IllegalArgumentException("the timeout of Redis is 50 ms to 10 s");
    }
  }

  RedisAddress address() {
    return new RedisAddress(
        host,
        port,
        Optional.ofNullable(user),
        Optional.ofNullable(passwordFile),
        Optional.ofNullable(tls));
  }
}
