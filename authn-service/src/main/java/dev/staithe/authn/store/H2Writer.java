package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.service.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Writes a batch to H2 in one transaction. */
final class H2Writer implements BatchWriter {
  private final DataSource pool;
  private final SessionRows rows;
  private final List<Runnable> hints = new CopyOnWriteArrayList<>();
  private boolean hintDue;

  H2Writer(DataSource pool, SessionRows rows) {
    this.pool = pool;
    this.rows = rows;
  }

  void onHint(Runnable wake) {
    hints.add(wake);
  }

  @Override
  public void write(List<Write> batch) throws RefusedWrite, StoreUnavailable {
    try (Connection open = pool.getConnection()) {
      open.setAutoCommit(false);
      try {
        for (Write each : batch) {
          switch (each) {
            case Write.Open it -> insert(open, it.session());
            case Write.End it -> end(open, it.revocations());
            case Write.Remove it ->
                delete(open, new Revocation.OfSession(it.session().id(), it.expires()));
            case Write.Begin it -> rows.begin(open, it.epoch());
          }
        }
        open.commit();
      } catch (SQLException e) {
        open.rollback();
        throw e;
      }
      hintDue = true;
    } catch (SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      if (state.startsWith("22") || state.startsWith("23") || state.startsWith("42")) {
        throw new RefusedWrite(PostgresConnections.line(e), e);
      }
      throw new StoreUnavailable(PostgresConnections.line(e), e);
    }
  }

  private void insert(Connection open, Session session) throws SQLException {
    try (PreparedStatement merge =
        open.prepareStatement(
            "merge into "
                + rows.sessions()
                + " (id, subject, created, expires, last_use, assurance, address, client)"
                + " key (id) values (?, ?, ?, ?, ?, ?, ?, ?)")) {
      merge.setObject(1, SessionRows.uuid(session.id()));
      merge.setString(2, session.subject());
      merge.setLong(3, session.created().toEpochMilli());
      merge.setLong(4, session.expires().toEpochMilli());
      merge.setLong(5, session.lastUse().toEpochMilli());
      merge.setInt(6, session.assurance().level());
      merge.setString(7, session.address());
      merge.setString(8, session.client());
      merge.executeUpdate();
    }
  }

  private void end(Connection open, List<Revocation> revocations) throws SQLException {
    try (PreparedStatement insert =
        open.prepareStatement(
            "insert into "
                + rows.revocations()
                + " (session, subject, not_before, expires) values (?, ?, ?, ?)")) {
      for (Revocation each : revocations) {
        switch (each) {
          case Revocation.OfSession it -> {
            insert.setObject(1, SessionRows.uuid(it.id()));
            insert.setNull(2, Types.VARCHAR);
            insert.setNull(3, Types.BIGINT);
          }
          case Revocation.OfUser it -> {
            insert.setNull(1, Types.OTHER);
            insert.setString(2, it.subject());
            insert.setLong(3, it.notBefore().toEpochMilli());
          }
        }
        insert.setLong(4, each.expires().toEpochMilli());
        insert.addBatch();
      }
      insert.executeBatch();
    }
    for (Revocation each : revocations) {
      delete(open, each);
    }
  }

  private void delete(Connection open, Revocation revocation) throws SQLException {
    String where =
        switch (revocation) {
          case Revocation.OfSession it -> "id = ?";
          case Revocation.OfUser it -> "subject = ? and created < ?";
        };
    try (PreparedStatement delete =
        open.prepareStatement("delete from " + rows.sessions() + " where " + where)) {
      switch (revocation) {
        case Revocation.OfSession it -> delete.setObject(1, SessionRows.uuid(it.id()));
        case Revocation.OfUser it -> {
          delete.setString(1, it.subject());
          delete.setLong(2, it.notBefore().toEpochMilli());
        }
      }
      delete.executeUpdate();
    }
  }

  @Override
  public void rest() {
    if (hintDue) {
      hintDue = false;
      hints.forEach(Runnable::run);
    }
  }

  @Override
  public void abort() {
    // It is in this process, and ends with it.
  }
}
