package dev.staithe.authn.store;

import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.service.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the revocation log on a connection of its own.
 *
 * <p>The position is the smallest transaction id that was still running when the log was read:
 * every transaction below it had ended, and what it wrote was seen. All at or above it are read
 * again, so that one that commits late is not skipped, however early it began. This holds on a hot
 * standby too, whose snapshots know the primary's transactions.
 */
final class PostgresLog extends RevocationLog {
  private static final int ROWS_AT_ONCE = 10_000;

  private final PostgresConnections connections;
  private final SessionRows rows;
  private final Clock clock;
  private final String name;
  private final EpochSource missingEpoch;
  private @Nullable Connection connection;

  /** Begins an epoch where there is none. */
  interface EpochSource {
    void ensure() throws SQLException;
  }

  PostgresLog(
      PostgresConnections connections,
      SessionRows rows,
      Clock clock,
      String name,
      EpochSource missingEpoch) {
    this.connections = connections;
    this.rows = rows;
    this.clock = clock;
    this.name = name;
    this.missingEpoch = missingEpoch;
  }

  private record Snapshot(
      long epoch, String generation, long xmin, boolean onStandby, boolean follows) {
    String position() {
      return generation + ":" + Long.toUnsignedString(xmin);
    }

    /** Whether what was seen up to that position is still all there. */
    boolean continues(String position) {
      int colon = position.lastIndexOf(':');
      if (colon < 0 || !position.substring(0, colon).equals(generation)) {
        return false;
      }
      try {
        long before = Long.parseUnsignedLong(position.substring(colon + 1));
        // A standby may merely be behind the server that was read before; a primary may not.
        return onStandby || Long.compareUnsigned(xmin, before) >= 0;
      } catch (NumberFormatException notOurs) {
        return false;
      }
    }
  }

  @Override
  boolean isConnected() {
    return connection != null;
  }

  @Override
  LogEnd readOnce(String position, long end, Consumer<List<Revocation>> sink)
      throws StoreUnavailable {
    try {
      return read(position, end, sink);
    } catch (SQLException e) {
      drop();
      throw new StoreUnavailable(
          "the revocation log cannot be read: " + PostgresConnections.line(e), e);
    }
  }

  private LogEnd read(String position, long end, Consumer<List<Revocation>> sink)
      throws SQLException, StoreUnavailable {
    Connection open = connection;
    if (open == null || open.isClosed()) {
      open = connections.reading(name, remaining(end));
      connection = open;
      open.setAutoCommit(false);
      open.setReadOnly(true);
      // Both statements below see one snapshot.
      open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    }
    open.setNetworkTimeout(Runnable::run, Math.toIntExact(remaining(end).toMillis()));
    Snapshot snapshot = snapshot(open);
    if (snapshot == null) {
      open.rollback();
      missingEpoch.ensure();
      snapshot = snapshot(open);
      if (snapshot == null) {
        open.rollback();
        throw new StoreUnavailable("the store has no epoch yet");
      }
    }
    if (!snapshot.follows()) {
      open.rollback();
      throw new StoreUnavailable("the standby that is read does not follow its primary");
    }
    boolean continues = snapshot.continues(position);
    entries(open, continues ? position : "", sink);
    open.commit();
    return new LogEnd(snapshot.epoch(), snapshot.position(), !position.isEmpty() && !continues);
  }

  private @Nullable Snapshot snapshot(Connection open) throws SQLException {
    try (PreparedStatement query =
            open.prepareStatement(
                """
                select epoch,
                       case when pg_is_in_recovery() then generation else %s end,
                       pg_snapshot_xmin(pg_current_snapshot())::text,
                       pg_is_in_recovery(),
                       not pg_is_in_recovery() or exists (select 1 from pg_stat_wal_receiver)
                  from %s
                """
                    .formatted(PostgresEpoch.PRIMARY_GENERATION, rows.epochs()));
        ResultSet row = query.executeQuery()) {
      return row.next()
          ? new Snapshot(
              row.getLong(1),
              row.getString(2),
              Long.parseUnsignedLong(row.getString(3)),
              row.getBoolean(4),
              row.getBoolean(5))
          : null;
    }
  }

  private void entries(Connection open, String position, Consumer<List<Revocation>> sink)
      throws SQLException {
    String columns =
        "select session, subject, not_before, expires from "
            + rows.revocations()
            + " where expires > ?";
    List<Revocation> entries = new ArrayList<>();
    try (PreparedStatement query =
        open.prepareStatement(
            position.isEmpty() ? columns : columns + " and xid >= cast(? as xid8)")) {
      query.setFetchSize(ROWS_AT_ONCE);
      query.setLong(1, clock.millis());
      if (!position.isEmpty()) {
        query.setString(2, position.substring(position.lastIndexOf(':') + 1));
      }
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          entries.add(SessionRows.revocation(row));
          if (entries.size() == ROWS_AT_ONCE) {
            sink.accept(entries);
            entries.clear();
          }
        }
      }
    }
    sink.accept(entries);
  }

  @Override
  void drop() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      PostgresConnections.abort(broken);
    }
  }
}
