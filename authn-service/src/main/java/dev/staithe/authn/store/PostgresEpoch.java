package dev.staithe.authn.store;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one row that says which sessions are good at all. */
final class PostgresEpoch {
  /**
   * Names the history that a primary writes: cluster, timeline (changes with each fail-over and
   * restore), and when the statistics were begun anew, which a recovery from a crash does and an
   * orderly restart does not. Transaction ids that were seen before such a change may be given to
   * other transactions after it.
   */
  static final String PRIMARY_GENERATION =
      """
      (select system_identifier from pg_control_system())::text
      || '.' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
      || '.' || coalesce((select (extract(epoch from stats_reset) * 1000000)::bigint
                            from pg_stat_bgwriter)::text, '')
      """;

  /** Cluster and table, which a restore from a dump does not bring back. */
  private static final String HOME =
      "(select system_identifier from pg_control_system())::text || '.' || '%s'::regclass::oid";

  private static final Logger log = LoggerFactory.getLogger(PostgresEpoch.class);

  /** Exact in every JSON reader. */
  private static final long BELOW = 1L << 53;

  private static final SecureRandom RANDOM = new SecureRandom();

  private PostgresEpoch() {}

  /** An epoch that was never before. */
  static long fresh() {
    return RANDOM.nextLong(1, BELOW);
  }

  /**
   * Begins an epoch where there is none, or where the tables came back from a dump: sessions that
   * were ended after it would be good again. Writes the present generation down for those who read
   * from standbys. Must be done by each connection before it writes to the log. Commits.
   */
  static void ensure(Connection connection, SessionRows rows) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement local = connection.createStatement()) {
      // Whatever is acknowledged later comes after it in the write-ahead log.
      local.execute("set local synchronous_commit = local");
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into "
                + rows.epochs()
                + " (epoch, generation) values (?, "
                + PRIMARY_GENERATION
                + ") on conflict (one) do nothing")) {
      insert.setLong(1, fresh());
      insert.executeUpdate();
    }
    String home = HOME.formatted(rows.epochs());
    try (PreparedStatement restored =
        connection.prepareStatement(
            "update "
                + rows.epochs()
                + " set epoch = ?, home = "
                + home
                + " where home <> "
                + home)) {
      restored.setLong(1, fresh());
      if (restored.executeUpdate() > 0) {
        log.warn("The tables of sessions were restored from a dump: all sessions have ended");
      }
    }
    try (Statement update = connection.createStatement()) {
      update.executeUpdate(
          "update " + rows.epochs() + " set home = " + home + " where home is null");
      update.executeUpdate(
          "update "
              + rows.epochs()
              + " set generation = "
              + PRIMARY_GENERATION
              + " where generation <> "
              + PRIMARY_GENERATION);
    }
    connection.commit();
  }
}
