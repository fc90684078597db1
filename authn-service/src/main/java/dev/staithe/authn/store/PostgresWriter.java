package dev.staithe.authn.store;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.service.StoreUnavailable;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch in one transaction and commits it as the model says.
 *
 * <p>A commit that waits for a standby has happened on the primary already. Where that wait is
 * cancelled (by an administrator, a statement timeout, a shutdown) PostgreSQL reports success and a
 * warning. So the writer sets no timeout on the server, and takes any warning of a commit for no
 * acknowledgement. Nor does it time out by itself: each broken wait would leave a process of the
 * server behind. {@link PostgresWatch} breaks the connection where the server does not know it any
 * more.
 */
final class PostgresWriter implements BatchWriter {
  static final String CHANNEL = "staithe_revocations";

  private static final long BETWEEN_HINTS = Duration.ofMillis(20).toNanos();

  private final PostgresConnections connections;
  private final SessionRows rows;
  private final PersistenceModel model;
  private final String name;
  private volatile @Nullable Connection connection;
  private boolean hintDue;
  private long hinted = System.nanoTime();

  /**
   * Connects when there is something to write.
   *
   * @param name of its connection, that no other connection has
   */
  PostgresWriter(
      PostgresConnections connections, SessionRows rows, PersistenceModel model, String name) {
    this.connections = connections;
    this.rows = rows;
    this.model = model;
    this.name = name;
  }

  /** Whether it has a connection, as far as it knows. */
  boolean connected() {
    return connection != null;
  }

  @Override
  public void write(List<Write> batch) throws RefusedWrite, StoreUnavailable {
    Connection open = null;
    try {
      open = connection();
      beginTransaction(open);
      List<Session> sessions = new ArrayList<>();
      List<Session> removed = new ArrayList<>();
      List<Revocation> revocations = new ArrayList<>();
      List<SessionId> gone = new ArrayList<>();
      for (Write each : batch) {
        switch (each) {
          case Write.Open it -> sessions.add(it.session());
          case Write.End it -> revocations.addAll(it.revocations());
          case Write.Remove it -> {
            // A connection that was lost may still be writing it, unseen: this waits for its end.
            removed.add(it.session());
            gone.add(it.session().id());
          }
          case Write.Begin it -> rows.begin(open, it.epoch());
        }
      }
      // First what comes, then what goes: a session may do both in one batch.
      insert(open, sessions, notEnded());
      insert(open, removed, "");
      log(open, revocations);
      delete(open, revocations, gone);
      open.clearWarnings();
      open.commit();
      SQLWarning warning = open.getWarnings();
      if (warning != null && model.assured()) {
        throw new StoreUnavailable("the commit was not acknowledged: " + warning.getMessage());
      }
      hintDue |= !revocations.isEmpty() || batch.getFirst() instanceof Write.Begin;
    } catch (SQLException e) {
      failed(open, e);
    }
  }

  private void failed(@Nullable Connection open, SQLException e)
      throws RefusedWrite, StoreUnavailable {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    // Data that cannot be stored, broken constraints, statements that the database does not know.
    boolean never = state.startsWith("22") || state.startsWith("23") || state.startsWith("42");
    if (never && open != null) {
      try {
        open.rollback();
        throw new RefusedWrite(PostgresConnections.line(e), e);
      } catch (SQLException broken) {
        // then nobody knows, as below
      }
    }
    drop();
    throw new StoreUnavailable(PostgresConnections.line(e), e);
  }

  private Connection connection() throws SQLException {
    Connection now = connection;
    if (now == null || now.isClosed()) {
      now = connections.primary(name, Duration.ZERO);
      connection = now;
      PostgresEpoch.ensure(now, rows);
      if (!model.assured()) {
        // Once, not in each transaction: it saves one of five questions to the server.
        try (Statement set = now.createStatement()) {
          set.execute("set synchronous_commit = off");
        }
        now.commit();
      }
    }
    return now;
  }

  private void beginTransaction(Connection open) throws SQLException, StoreUnavailable {
    if (!model.assured()) {
      return;
    }
    String mode = model == PersistenceModel.ASSURED_READ ? "remote_apply" : "on";
    try (PreparedStatement set =
        open.prepareStatement(
            "select set_config('synchronous_commit', ?, true),"
                + " current_setting('synchronous_standby_names')")) {
      set.setString(1, mode);
      try (ResultSet row = set.executeQuery()) {
        row.next();
        if (row.getString(2).isBlank()) {
          // Somebody has changed it while we run: the commit would not wait.
          open.rollback();
          throw new StoreUnavailable(PostgresWatch.NO_NAMES);
        }
      }
    }
  }

  /**
   * Leaves out what another node has ended meanwhile: written behind its answer, a login may come
   * here after the logout, and nobody would delete its row before it expires.
   */
  private String notEnded() {
    return " where not exists (select 1 from " + rows.revocations() + " r where r.session = n.id)";
  }

  private void insert(Connection open, List<Session> all, String condition) throws SQLException {
    if (all.isEmpty()) {
      return;
    }
    Map<SessionId, Session> byId = new LinkedHashMap<>();
    all.forEach(session -> byId.put(session.id(), session));
    List<Session> sessions = List.copyOf(byId.values());
    // Written again it must change the row: a transaction that changes nothing waits for nobody.
    try (PreparedStatement insert =
        open.prepareStatement(
            """
            insert into %1$s as s
                (id, subject, created, expires, last_use, assurance, address, client)
            select * from unnest(?::uuid[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[],
                                 ?::smallint[], ?::text[], ?::text[])
                          as n (id, subject, created, expires, last_use, assurance, address, client)
                   %2$s
            on conflict (id) do update set last_use = greatest(s.last_use, excluded.last_use)
            """
                .formatted(rows.sessions(), condition))) {
      insert.setArray(1, array(open, "uuid", sessions, each -> SessionRows.uuid(each.id())));
      insert.setArray(2, array(open, "text", sessions, Session::subject));
      insert.setArray(3, array(open, "int8", sessions, each -> each.created().toEpochMilli()));
      insert.setArray(4, array(open, "int8", sessions, each -> each.expires().toEpochMilli()));
      insert.setArray(5, array(open, "int8", sessions, each -> each.lastUse().toEpochMilli()));
      insert.setArray(6, array(open, "int2", sessions, each -> (short) each.assurance().level()));
      insert.setArray(7, array(open, "text", sessions, Session::address));
      insert.setArray(8, array(open, "text", sessions, Session::client));
      insert.executeUpdate();
    }
  }

  /** Appends to the log; also for entries that are written apart, see {@link PostgresSessions}. */
  void log(Connection open, List<Revocation> revocations) throws SQLException {
    if (revocations.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        open.prepareStatement(
            """
            insert into %s (session, subject, not_before, expires)
            select * from unnest(?::uuid[], ?::text[], ?::bigint[], ?::bigint[])
            """
                .formatted(rows.revocations()))) {
      insert.setArray(1, array(open, "uuid", revocations, PostgresWriter::session));
      insert.setArray(2, array(open, "text", revocations, PostgresWriter::subject));
      insert.setArray(3, array(open, "int8", revocations, PostgresWriter::notBefore));
      insert.setArray(4, array(open, "int8", revocations, each -> each.expires().toEpochMilli()));
      insert.executeUpdate();
    }
  }

  private static @Nullable UUID session(Revocation revocation) {
    return revocation instanceof Revocation.OfSession it ? SessionRows.uuid(it.id()) : null;
  }

  private static @Nullable String subject(Revocation revocation) {
    return revocation instanceof Revocation.OfUser it ? it.subject() : null;
  }

  private static @Nullable Long notBefore(Revocation revocation) {
    return revocation instanceof Revocation.OfUser it ? it.notBefore().toEpochMilli() : null;
  }

  private void delete(Connection open, List<Revocation> revocations, List<SessionId> gone)
      throws SQLException {
    List<SessionId> ids = new ArrayList<>(gone);
    List<Revocation.OfUser> users = new ArrayList<>();
    for (Revocation each : revocations) {
      switch (each) {
        case Revocation.OfSession it -> ids.add(it.id());
        case Revocation.OfUser it -> users.add(it);
      }
    }
    if (!ids.isEmpty()) {
      try (PreparedStatement delete =
          open.prepareStatement("delete from " + rows.sessions() + " where id = any (?)")) {
        delete.setArray(1, array(open, "uuid", ids, SessionRows::uuid));
        delete.executeUpdate();
      }
    }
    for (Revocation.OfUser user : users) {
      try (PreparedStatement delete =
          open.prepareStatement(
              "delete from " + rows.sessions() + " where subject = ? and created < ?")) {
        delete.setString(1, user.subject());
        delete.setLong(2, user.notBefore().toEpochMilli());
        delete.executeUpdate();
      }
    }
  }

  private static <T> Array array(
      Connection open, String type, List<T> values, Function<T, @Nullable Object> column)
      throws SQLException {
    @Nullable Object[] elements = new @Nullable Object[values.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = column.apply(values.get(i));
    }
    return open.createArrayOf(type, elements);
  }

  /**
   * Tells the other nodes. Not in the batch's own transaction: a commit with a notification holds a
   * lock of the whole server, and would hold it while it waits for the standbys.
   */
  @Override
  public void rest() {
    Connection open = connection;
    if (!hintDue || open == null || System.nanoTime() - hinted < BETWEEN_HINTS) {
      return;
    }
    hintDue = false;
    hinted = System.nanoTime();
    try (Statement notify = open.createStatement()) {
      notify.execute("set local synchronous_commit = off; notify " + CHANNEL);
      open.commit();
    } catch (SQLException onlyAHint) {
      drop();
    }
  }

  private void drop() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      PostgresConnections.abort(broken);
    }
  }

  @Override
  public void abort() {
    Connection hanging = connection;
    if (hanging != null) {
      PostgresConnections.abort(hanging);
    }
  }
}
