package dev.staithe.authn.store;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.service.redis.RedisAddress;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/** Which store, where it is, and what it is to promise. */
public sealed interface StoreSettings {
  /** What writes are to promise. */
  PersistenceModel model();

  /**
   * PostgreSQL, or H2 in a file of this node's own.
   *
   * @param url as JDBC wants it; of several PostgreSQL servers the primary is used
   * @param user who logs in there
   * @param passwordFile holds the password in its first line; it is read again for each connection
   * @param readUrl a hot standby near this node to read the revocation log, sessions and last uses
   *     from; only with {@link PersistenceModel#ASSURED_READ}, because with any other an old state
   *     would be taken for the present one
   */
  record Relational(
      PersistenceModel model,
      String url,
      String user,
      Optional<Path> passwordFile,
      Optional<String> readUrl)
      implements StoreSettings {}

  /**
   * Redis 7 or newer, or Valkey: one primary by one address, which must always lead to the primary.
   *
   * @param passwordFile holds the password in its first line; it is read again for each connection
   * @param user the name in Redis's access list; empty for the default one
   * @param tls how to reach it by TLS; empty for without. The host's name is verified
   */
  record Redis(
      PersistenceModel model,
      String host,
      int port,
      Optional<String> user,
      Optional<Path> passwordFile,
      Optional<SSLSocketFactory> tls)
      implements StoreSettings {
    RedisAddress address() {
      return new RedisAddress(host, port, user, passwordFile, tls);
    }
  }
}
