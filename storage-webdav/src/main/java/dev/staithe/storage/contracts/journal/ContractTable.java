package dev.staithe.storage.contracts.journal;

import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.ContractRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Contracts in a relational database, with the tables of {@code db/contracts}. Thread-safe. */
final class ContractTable {
  private static final String INSERT =
      "insert into contract (state, changed, received, own_statement, partner_statement, side, id,"
          + " area, path, peer, opened, size, sha256, request_base, request_signature, answer_base,"
          + " answer_signature) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE =
      "update contract set state = ?, changed = ?, received = ?, own_statement = ?,"
          + " partner_statement = ? where side = ? and id = ?";

  private static final String HAS =
      "select 1 from contract where side = 'sender' and id = ? union all"
          + " select 1 from contract where side = 'receiver' and id = ?";

  /**
   * What is open by either state: H2 finds rows by an index where each column is compared with one
   * value, and else passes over all contracts that ever were.
   */
  private static final String OPEN =
      "(select peer, opened from contract where side = 'sender' and state = 'sending' union all"
          + " select peer, opened from contract where side = 'sender' and state = 'sent') as live";

  private final DataSource source;
  private final JdbcClient store;
  private final boolean embedded;

  /**
   * Whether the last commit failed, and so may be there all the same, as where the connection broke
   * before that was told.
   */
  private volatile boolean unsure;

  ContractTable(DataSource source) {
    this.source = source;
    this.store = JdbcClient.create(source);
    try (Connection connection = source.getConnection()) {
      this.embedded = connection.getMetaData().getDatabaseProductName().equals("H2");
    } catch (SQLException e) {
      throw new IllegalStateException("the database of contracts cannot be used", e);
    }
  }

  /**
   * A contract as it is to be in the table.
   *
   * @param row of it
   * @param changed when
   * @param known whether the table has a row of it
   */
  record Kept(ContractRow row, Instant changed, boolean known) {}

  /**
   * Whether what is committed is not yet on the device: that of H2 is in its file, and gets there
   * by {@link #sync}; PostgreSQL waits for it.
   */
  boolean isLazy() {
    return embedded;
  }

  /** Keeps all of these, by one commit; called by one at a time. */
  void write(Collection<Kept> all) throws SQLException {
    List<Kept> rows = unsure ? all.stream().map(this::seen).toList() : List.copyOf(all);
    unsure = true;
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        write(connection, INSERT, rows.stream().filter(each -> !each.known()).toList());
        write(connection, UPDATE, rows.stream().filter(Kept::known).toList());
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    }
    unsure = false;
  }

  private Kept seen(Kept each) {
    ContractRow row = each.row();
    return new Kept(row, each.changed(), each.known() || find(row.side(), row.id()).isPresent());
  }

  private static void write(Connection connection, String sql, List<Kept> all) throws SQLException {
    if (all.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Kept each : all) {
        ContractRow row = each.row();
        statement.setString(1, text(row.state()));
        statement.setLong(2, each.changed().toEpochMilli());
        statement.setString(3, row.received());
        bytes(statement, 4, row.own());
        bytes(statement, 5, row.partner());
        statement.setString(6, text(row.side()));
        statement.setString(7, row.id());
        if (!each.known()) {
          statement.setString(8, row.area());
          statement.setString(9, row.path());
          statement.setString(10, row.peer());
          statement.setLong(11, row.opened().toEpochMilli());
          statement.setLong(12, row.size());
          statement.setString(13, row.sha256());
          statement.setString(14, row.request().base());
          statement.setString(15, row.request().signature());
          statement.setString(16, row.answer().base());
          statement.setString(17, row.answer().signature());
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void bytes(PreparedStatement statement, int index, byte @Nullable [] bytes)
      throws SQLException {
    if (bytes == null) {
      statement.setNull(index, Types.VARBINARY);
    } else {
      statement.setBytes(index, bytes);
    }
  }

  /** Waits until all that was committed is on the device. */
  void sync() {
    if (embedded) {
      store.sql("checkpoint sync").update();
    }
  }

  /** One contract. */
  Optional<ContractRow> find(ContractRow.Side side, String id) {
    return store
        .sql("select * from contract where side = ? and id = ?")
        .params(text(side), id)
        .query(ContractTable::row)
        .optional();
  }

  /** Whether there is one of that id, on either side. */
  boolean has(String id) {
    // Asked at each transfer: by JDBC itself it takes half of the time.
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(HAS)) {
      statement.setString(1, id);
      statement.setString(2, id);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("the database of contracts does not answer", e);
    }
  }

  /** All contracts of one state go to another. */
  void moveAll(ContractRow.Side side, ContractRow.State from, ContractRow.State to, Instant now) {
    store
        .sql("update contract set state = ?, changed = ? where side = ? and state = ?")
        .params(text(to), now.toEpochMilli(), text(side), text(from))
        .update();
  }

  /**
   * Contracts that got into that state since, the oldest first, from there on, and of none of those
   * peers.
   */
  List<ContractRow> in(
      ContractRow.Side side,
      ContractRow.State state,
      Instant since,
      ContractStore.Place from,
      Set<String> without,
      int most) {
    Set<String> names = new HashSet<>(without);
    names.add(""); // nobody's, as there is no empty list
    return store
        .sql(
            "select * from contract where side = :side and state = :state and opened >= :opened"
                + " and (opened > :opened or id > :id) and changed >= :since"
                + " and peer not in (:without)"
                + " order by opened, id fetch first "
                + most
                + " rows only")
        .param("side", text(side))
        .param("state", text(state))
        .param("opened", from.opened().toEpochMilli())
        .param("id", from.id())
        .param("since", since.toEpochMilli())
        .param("without", names)
        .query(ContractTable::row)
        .list();
  }

  /**
   * Those that fit, the newest first. Nothing may be taken out of them later by the path: what is
   * beyond the last of them would be missed.
   */
  List<ContractRow> search(ContractStore.Search search) {
    return store
        .sql(
            "select * from contract where opened >= :since and opened < :until and request_base "
                + (embedded ? "regexp" : "~")
                + " :path and (peer = :peer or :peer = '') order by opened desc fetch first "
                + search.most()
                + " rows only")
        .param("since", search.since().toEpochMilli())
        .param("until", search.until().toEpochMilli())
        .param("peer", search.peer())
        .param("path", below(search.path()))
        .query(ContractTable::row)
        .list();
  }

  /**
   * As {@link ContractEntry#below} judges the URL, which has a line of its own in what was signed;
   * in an expression that Java and PostgreSQL read alike.
   */
  private static String below(String path) {
    return path.isEmpty()
        ? ""
        : "(^|\n)\"@target-uri\"(;req)?: https://[^/]*(?=/)"
            + path.replaceAll("[\\\\.^$|?*+(){}\\[\\]]", "\\\\$0")
            + (path.endsWith("/") ? "" : "([/?\n]|$)");
  }

  /** How many are open with each peer. */
  Map<String, Long> open() {
    Map<String, Long> counts = new HashMap<>();
    RowCallbackHandler each = row -> counts.put(row.getString("peer"), row.getLong("contracts"));
    store.sql("select peer, count(*) as contracts from " + OPEN + " group by peer").query(each);
    return counts;
  }

  /** Open contracts by peer, those with the most first, at most a hundred. */
  List<ContractStore.Open> openByPeer() {
    return store
        .sql(
            "select peer, count(*) as contracts, min(opened) as oldest from "
                + OPEN
                + " group by peer order by contracts desc, peer fetch first 100 rows only")
        .query(
            (row, number) ->
                new ContractStore.Open(
                    row.getString("peer"),
                    row.getLong("contracts"),
                    Instant.ofEpochMilli(row.getLong("oldest"))))
        .list();
  }

  /** Contracts of which the sender is still to be told something, changed since, from there on. */
  long untold(Instant since, ContractStore.Place from) {
    String some =
        "(select count(*) from contract where side = 'receiver' and opened >= :opened"
            + " and changed >= :since and state = ";
    return store
        .sql("select " + some + "'verified') + " + some + "'logged') + " + some + "'broken')")
        .param("opened", from.opened().toEpochMilli())
        .param("since", since.toEpochMilli())
        .query(Long.class)
        .single();
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static ContractRow row(ResultSet row, int number) throws SQLException {
    return new ContractRow(
        ContractRow.Side.valueOf(row.getString("side").toUpperCase(Locale.ROOT)),
        row.getString("id"),
        ContractRow.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getString("area"),
        row.getString("path"),
        row.getString("peer"),
        Instant.ofEpochMilli(row.getLong("opened")),
        row.getLong("size"),
        row.getString("sha256"),
        new ContractRecord.Part(row.getString("request_base"), row.getString("request_signature")),
        new ContractRecord.Part(row.getString("answer_base"), row.getString("answer_signature")),
        row.getString("received"),
        row.getBytes("own_statement"),
        row.getBytes("partner_statement"));
  }
}
