package dev.staithe.service.redis;

import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/**
 * Redis 7 or newer, or Valkey: one primary by one address, which must always lead to the primary.
 *
 * @param user the name in Redis's access list; empty for the default one
 * @param passwordFile holds the password in its first line; it is read again for each connection
 * @param tls how to reach it by TLS; empty for without. The host's name is verified
 */
public record RedisAddress(
    String host,
    int port,
    Optional<String> user,
    Optional<Path> passwordFile,
    Optional<SSLSocketFactory> tls) {}
