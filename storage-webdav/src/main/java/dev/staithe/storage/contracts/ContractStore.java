package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Contracts in a relational database. Thread-safe; a commit is in the database's file, and with
 * PostgreSQL on the device: H2 brings it there within seconds.
 */
public final class ContractStore {
  /**
   * What is open by either state: H2 finds rows by an index where each column is compared with one
   * value, and else passes over all contracts that ever were.
   */
  private static final String OPEN =
      "(select peer, opened from contract where side = 'sender' and state = 'sending' union all"
          + " select peer, opened from contract where side = 'sender' and state = 'sent') as live";

  private final JdbcClient store;

  /** With the tables of {@code db/contracts}. */
  public ContractStore(DataSource source) {
    this.store = JdbcClient.create(source);
  }

  /** Keeps a new contract; false where there is one with that id already. */
  boolean add(ContractRow row) {
    try {
      store
          .sql(
              "insert into contract (side, id, state, area, path, peer, opened, changed, size,"
                  + " sha256, request_base, request_signature, answer_base, answer_signature,"
                  + " received) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
          .params(
              text(row.side()),
              row.id(),
              text(row.state()),
              row.area(),
              row.path(),
              row.peer(),
              row.opened().toEpochMilli(),
              row.opened().toEpochMilli(),
              row.size(),
              row.sha256(),
              row.request().base(),
              row.request().signature(),
              row.answer().base(),
              row.answer().signature(),
              row.received())
          .update();
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  /** One contract. */
  Optional<ContractRow> find(ContractRow.Side side, String id) {
    return store
        .sql("select * from contract where side = ? and id = ?")
        .params(text(side), id)
        .query(ContractStore::row)
        .optional();
  }

  /** Whether there is one of that id, on either side: the files of statements are named by it. */
  boolean has(String id) {
    return find(ContractRow.Side.SENDER, id).isPresent()
        || find(ContractRow.Side.RECEIVER, id).isPresent();
  }

  /** Goes from one state to another; false where it was in neither of those before. */
  boolean move(
      ContractRow.Side side,
      String id,
      List<ContractRow.State> from,
      ContractRow.State to,
      Instant now) {
    return store
            .sql(
                "update contract set state = :to, changed = :now"
                    + " where side = :side and id = :id and state in (:from)")
            .param("to", text(to))
            .param("now", now.toEpochMilli())
            .param("side", text(side))
            .param("id", id)
            .param("from", from.stream().map(ContractStore::text).toList())
            .update()
        == 1;
  }

  /** Keeps the outcome and our statement of it, from one of those states only. */
  boolean conclude(
      ContractRow.Side side,
      String id,
      List<ContractRow.State> from,
      ContractRow.State to,
      String received,
      byte[] own,
      Instant now) {
    return store
            .sql(
                "update contract set state = :to, changed = :now, received = :received,"
                    + " own_statement = :own where side = :side and id = :id and state in (:from)")
            .param("to", text(to))
            .param("now", now.toEpochMilli())
            .param("received", received)
            .param("own", new SqlParameterValue(Types.VARBINARY, own))
            .param("side", text(side))
            .param("id", id)
            .param("from", from.stream().map(ContractStore::text).toList())
            .update()
        == 1;
  }

  /** What a process that is gone had under way broke off; before this one serves anybody. */
  void interrupted(Instant now) {
    brokeOff(ContractRow.Side.SENDER, ContractRow.State.SENDING, now);
    brokeOff(ContractRow.Side.RECEIVER, ContractRow.State.AGREED, now);
  }

  private void brokeOff(ContractRow.Side side, ContractRow.State state, Instant now) {
    store
        .sql("update contract set state = 'broken', changed = ? where side = ? and state = ?")
        .params(now.toEpochMilli(), text(side), text(state))
        .update();
  }

  /** Keeps the partner's statement: the receipt is acknowledged. */
  void acknowledged(String id, byte[] partner, Instant now) {
    store
        .sql(
            "update contract set state = :to, changed = :now, partner_statement = :partner"
                + " where side = :side and id = :id")
        .param("to", text(ContractRow.State.ACKNOWLEDGED))
        .param("now", now.toEpochMilli())
        .param("partner", new SqlParameterValue(Types.VARBINARY, partner))
        .param("side", text(ContractRow.Side.RECEIVER))
        .param("id", id)
        .update();
  }

  /** Contracts of that state, the oldest first, opened since. */
  List<ContractRow> in(ContractRow.Side side, ContractRow.State state, Instant since, int most) {
    return store
        .sql(
            "select * from contract where side = ? and state = ? and opened >= ?"
                + " order by opened fetch first "
                + most
                + " rows only")
        .params(text(side), text(state), since.toEpochMilli())
        .query(ContractStore::row)
        .list();
  }

  /**
   * Contracts that are looked for.
   *
   * @param path of the URL that was asked for: that, or what is below; empty: any
   * @param peer the other side; empty: any
   * @param since began then or later
   * @param until began before
   * @param most at most so many
   */
  record Search(String path, String peer, Instant since, Instant until, int most) {}

  /** Those that may fit, the newest first: the path is compared loosely. */
  List<ContractRow> search(Search search) {
    String path = search.path().replaceAll("([!%_])", "!$1");
    return store
        .sql(
            "select * from contract where opened >= :since and opened < :until"
                + " and request_base like :path escape '!' and (peer = :peer or :peer = '')"
                + " order by opened desc fetch first "
                + search.most()
                + " rows only")
        .param("since", search.since().toEpochMilli())
        .param("until", search.until().toEpochMilli())
        .param("peer", search.peer())
        .param("path", "%@target-uri%" + path + "%")
        .query(ContractStore::row)
        .list();
  }

  /** Contracts under which bytes went out to one host and that it did not acknowledge. */
  public long open(String peer) {
    String some =
        "(select count(*) from contract where side = 'sender' and peer = :peer and state = ";
    return store
        .sql("select " + some + "'sending') + " + some + "'sent')")
        .param("peer", peer)
        .query(Long.class)
        .single();
  }

  /** Those of all hosts. */
  public long open() {
    return store.sql("select count(*) from " + OPEN).query(Long.class).single();
  }

  /**
   * What one peer has not acknowledged.
   *
   * @param peer {@code host:port}, or a person's name
   * @param count of its contracts
   * @param oldest when the first of them began
   */
  record Open(String peer, long count, Instant oldest) {}

  /** Open contracts by peer, those with the most first, at most a hundred. */
  List<Open> openByPeer() {
    return store
        .sql(
            "select peer, count(*) as contracts, min(opened) as oldest from "
                + OPEN
                + " group by peer order by contracts desc, peer fetch first 100 rows only")
        .query(
            (row, number) ->
                new Open(
                    row.getString("peer"),
                    row.getLong("contracts"),
                    Instant.ofEpochMilli(row.getLong("oldest"))))
        .list();
  }

  /** Contracts of which the sender is still to be told something, opened since. */
  long untold(Instant since) {
    String some =
        "(select count(*) from contract where side = 'receiver' and opened >= :since and state = ";
    return store
        .sql("select " + some + "'verified') + " + some + "'logged') + " + some + "'broken')")
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
