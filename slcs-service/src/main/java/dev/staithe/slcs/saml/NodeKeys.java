package dev.staithe.slcs.saml;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Whether all nodes on a database sign requests with one key. Where they do not, an identity
 * provider knows the key of one of them, and what is signed or decrypted by another fails now and
 * then, depending on the node that a browser meets. Thread-safe.
 */
final class NodeKeys implements AutoCloseable {
  /** How long a node counts as there after it said so last; it says so every half minute. */
  static final Duration ALIVE = Duration.ofMinutes(2);

  private static final Logger log = LoggerFactory.getLogger(NodeKeys.class);

  private final JdbcClient jdbc;
  private final String own;
  private final boolean madeHere;
  private final Clock clock;
  private volatile boolean warned;

  /**
   * @param own digest of this node's public key
   * @param madeHere whether this node made its key because none was named: then no other has it
   */
  NodeKeys(DataSource store, String own, boolean madeHere, Clock clock) {
    this.jdbc = JdbcClient.create(store);
    this.own = own;
    this.madeHere = madeHere;
    this.clock = clock;
  }

  /**
   * Looks for others, and tells them of this node.
   *
   * @throws IllegalStateException with one line where others are there and this node made its key
   *     by itself. A key that was named may be the next one, on its way to all nodes one by one:
   *     that is a warning
   */
  void start() {
    if (madeHere && others()) {
      throw new IllegalStateException(
          "must be named, with its certificate, and be the same on all nodes: another node uses"
              + " this database with another key (or did until "
              + ALIVE.toMinutes()
              + " minutes ago)");
    }
    say();
  }

  /** Tells the others again, and warns where they have another key. */
  void say() {
    boolean others = others();
    if (others && !warned) {
      log.warn(
          "another node on this database signs with another key than this one: logins will fail now"
              + " and then until staithe.saml.key is the same on all nodes");
    }
    warned = others;
    long now = clock.instant().getEpochSecond();
    int known =
        jdbc.sql("UPDATE saml_node_key SET seen = ? WHERE digest = ?").params(now, own).update();
    if (known == 0) {
      try {
        jdbc.sql("INSERT INTO saml_node_key (digest, seen) VALUES (?, ?)")
            .params(own, now)
            .update();
      } catch (DuplicateKeyException e) {
        // A node with the same key was faster.
      }
    }
    jdbc.sql("DELETE FROM saml_node_key WHERE seen < ?")
        .param(now - 10 * ALIVE.toSeconds())
        .update();
  }

  /** Whether {@link #say} has found nodes with another key. */
  boolean warned() {
    return warned;
  }

  private boolean others() {
    return jdbc.sql("SELECT count(*) FROM saml_node_key WHERE digest <> ? AND seen > ?")
            .params(List.of(own, clock.instant().minus(ALIVE).getEpochSecond()))
            .query(Long.class)
            .single()
        > 0;
  }

  /** A node with the same key says so again before long. */
  @Override
  public void close() {
    try {
      jdbc.sql("DELETE FROM saml_node_key WHERE digest = ?").param(own).update();
    } catch (DataAccessException e) {
      log.debug("the key of this node stays for a while", e);
    }
  }
}
