package dev.staithe.delegation.store;

import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What all nodes know, on tables that the migrations of {@code db/delegation} have made. Methods
 * throw {@link org.springframework.dao.DataAccessException} where the database does not answer.
 * Thread-safe; each method is one transaction of its own unless {@link #together} is around it.
 */
public final class DelegationStore {
  private static final int ATTEMPTS = 4;

  private final JdbcClient store;
  private final TransactionTemplate transactions;

  /** On a database that has the tables. */
  public DelegationStore(DataSource source) {
    this.store = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new DataSourceTransactionManager(source));
  }

  /**
   * Does all of it or nothing; once more where another was in the way. Rows are to be locked in
   * this order: a request, then delegations.
   */
  public <T> T together(Supplier<T> work) {
    return together(work, _ -> false);
  }

  /**
   * The same, and nothing of it where the outcome says so.
   *
   * @param undone whether nothing shall be kept
   */
  public <T> T together(Supplier<T> work, Predicate<T> undone) {
    for (int attempt = 1; ; attempt++) {
      try {
        return Objects.requireNonNull(
            transactions.execute(
                status -> {
                  T outcome = work.get();
                  if (undone.test(outcome)) {
                    status.setRollbackOnly();
                  }
                  return outcome;
                }));
      } catch (DuplicateKeyException | ConcurrencyFailureException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Asks the database for nothing. */
  public void check() {
    store
        .sql("select count(*) from delegation_key where key_digest = ''")
        .query(Long.class)
        .single();
  }

  // --- requests ------------------------------------------------------------------------------

  /** Keeps a request. */
  public void add(RequestRow request) {
    RuleRow rules = request.rules();
    store
        .sql(
            "insert into delegation_request (key_digest, owner, id, through, sealed, bound,"
                + " acquirers, uses, hops, limited, longest, not_after)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .param(request.keyDigest())
        .param(request.owner())
        .param(request.id())
        .param(Columns.text(request.through()))
        .param(request.sealed())
        .param(request.bound())
        .param(Columns.text(rules == null ? null : Columns.joined(rules.acquirers())))
        .param(Columns.number(rules == null ? null : rules.uses()))
        .param(Columns.number(rules == null ? null : rules.hops()))
        .param(new SqlParameterValue(Types.BOOLEAN, rules == null ? null : rules.limited()))
        .param(new SqlParameterValue(Types.BIGINT, rules == null ? null : rules.longestSeconds()))
        .param(request.notAfter().toEpochMilli())
        .update();
  }

  /** The request for a key; empty where there is none, or it has waited for too long. */
  public Optional<RequestRow> findRequest(String keyDigest, Instant now) {
    return store
        .sql("select * from delegation_request where key_digest = ? and not_after > ?")
        .params(keyDigest, now.toEpochMilli())
        .query(Columns::request)
        .optional();
  }

  /** Whether a request for this id waits. */
  public boolean waits(String owner, String id, Instant now) {
    return store
        .sql(
            "select key_digest from delegation_request where owner = ? and id = ? and not_after > ?"
                + " fetch first 1 rows only")
        .params(owner, id, now.toEpochMilli())
        .query(String.class)
        .optional()
        .isPresent();
  }

  /**
   * How much an owner has.
   *
   * @param delegations counted up to the most that was asked for
   * @param requests that wait, the same
   * @param becoming ids of requests that wait for delegations which are not there yet, or have
   *     ended
   */
  public record Count(int delegations, int requests, int becoming) {}

  /**
   * Counts what an owner has, by one question.
   *
   * @param id of which requests do not count as becoming
   */
  public Count count(String owner, String id, Instant now, int mostDelegations, int mostRequests) {
    long millis = now.toEpochMilli();
    return store
        .sql(
            "select (select count(*) from (select 1 from delegation where owner = ? and not_after >"
                + " ? fetch first "
                + mostDelegations
                + " rows only) kept) as kept, (select count(*) from (select 1 from"
                + " delegation_request where owner = ? and not_after > ? fetch first "
                + mostRequests
                + " rows only) requests) as waiting, (select count(distinct r.id) from"
                + " delegation_request r where r.owner = ? and r.not_after > ? and r.id <> ? and"
                + " not exists (select 1 from delegation d where d.owner = r.owner and d.id ="
                + " r.id and d.not_after > ?)) as becoming")
        .params(owner, millis, owner, millis, owner, millis, id, millis)
        .query(
            (row, _) ->
                new Count(row.getInt("kept"), row.getInt("waiting"), row.getInt("becoming")))
        .single();
  }

  /**
   * Whether it was there and had not waited for too long. Of two that remove one request the second
   * waits for the first.
   */
  public boolean removeRequest(String keyDigest, Instant now) {
    return store
            .sql("delete from delegation_request where key_digest = ? and not_after > ?")
            .params(keyDigest, now.toEpochMilli())
            .update()
        > 0;
  }

  /**
   * Forgets requests for an id, and tells whether there were any.
   *
   * @param through those that came by this delegation only; null: all
   */
  public boolean removeRequests(String owner, String id, @Nullable String through) {
    return through == null
        ? store
                .sql("delete from delegation_request where owner = ? and id = ?")
                .params(owner, id)
                .update()
            > 0
        : store
                .sql("delete from delegation_request where owner = ? and id = ? and through = ?")
                .params(owner, id, through)
                .update()
            > 0;
  }

  // --- delegations ---------------------------------------------------------------------------

  /** One, whether it has ended or not. */
  public Optional<DelegationRow> find(String owner, String id) {
    return find(owner, id, "");
  }

  /** The same, locked. */
  public Optional<DelegationRow> lock(String owner, String id) {
    return find(owner, id, " for update");
  }

  private Optional<DelegationRow> find(String owner, String id, String how) {
    return store
        .sql("select * from delegation where owner = ? and id = ?" + how)
        .params(owner, id)
        .query(Columns::delegation)
        .optional();
  }

  /** All of an owner, those that end first before others. */
  public List<DelegationRow> ofOwner(String owner) {
    return store
        .sql("select * from delegation where owner = ? order by not_after, id")
        .param(owner)
        .query(Columns::delegation)
        .list();
  }

  /** How many delegations an owner has, counted up to {@code most}. */
  public int count(String owner, Instant now, int most) {
    return store
        .sql(
            "select count(*) from (select 1 from delegation where owner = ? and not_after > ?"
                + " fetch first "
                + most
                + " rows only) found")
        .params(owner, now.toEpochMilli())
        .query(Integer.class)
        .single();
  }

  /**
   * Those that name an acquirer, two at most: those that live longest.
   *
   * @param id null: any
   * @param owner null: any
   */
  public List<DelegationRow> forAcquirer(
      String acquirer, @Nullable String id, @Nullable String owner) {
    StringBuilder sql =
        new StringBuilder(
            "select d.* from delegation_acquirer a join delegation d"
                + " on d.owner = a.owner and d.id = a.id where a.acquirer = ?");
    Object[] values = {acquirer, id, owner};
    if (id != null) {
      sql.append(" and a.id = ?");
    }
    if (owner != null) {
      sql.append(" and a.owner = ?");
    }
    return store
        .sql(
            sql.append(" order by d.not_after desc, d.owner, d.id fetch first 2 rows only")
                .toString())
        .params(Arrays.stream(values).filter(Objects::nonNull).toArray())
        .query(Columns::delegation)
        .list();
  }

  /** How many delegations of this id there are, whoever's, counted up to 2. */
  public int count(String id) {
    return store
        .sql(
            "select count(*) from (select 1 from delegation where id = ? fetch first 2 rows only)"
                + " found")
        .param(id)
        .query(Integer.class)
        .single();
  }

  /** Keeps a new one; throws {@link DuplicateKeyException} where there is one of this id. */
  public void add(DelegationRow row) {
    write(
        row,
        "insert into delegation (through, version, key_digest, sealed, bound, chain, not_after,"
            + " fqans, acquirers, uses, used, hops, limited, longest, proxy_limited, proxy_legacy,"
            + " path_left, created, renewed, owner, id)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    addAcquirers(row);
  }

  /**
   * Puts this row in the place of the one of the same owner and id, which the caller has locked.
   */
  public void replace(DelegationRow row) {
    write(
        row,
        "update delegation set through = ?, version = ?, key_digest = ?, sealed = ?, bound = ?,"
            + " chain = ?, not_after = ?, fqans = ?, acquirers = ?, uses = ?, used = ?, hops = ?, limited = ?,"
            + " longest = ?, proxy_limited = ?, proxy_legacy = ?, path_left = ?, created = ?,"
            + " renewed = ? where owner = ? and id = ?");
    store
        .sql("delete from delegation_acquirer where owner = ? and id = ?")
        .params(row.owner(), row.id())
        .update();
    addAcquirers(row);
  }

  private void write(DelegationRow row, String sql) {
    store
        .sql(sql)
        .param(Columns.text(row.through()))
        .param(row.version())
        .param(row.keyDigest())
        .param(row.sealed())
        .param(row.bound())
        .param(row.chain())
        .param(row.notAfter().toEpochMilli())
        .param(Columns.joined(row.fqans()))
        .param(Columns.joined(row.rules().acquirers()))
        .param(Columns.number(row.rules().uses()))
        .param(row.used())
        .param(row.rules().hops())
        .param(row.rules().limited())
        .param(row.rules().longestSeconds())
        .param(row.limited())
        .param(row.legacy())
        .param(Columns.number(row.pathLeft()))
        .param(row.created().toEpochMilli())
        .param(row.renewed().toEpochMilli())
        .param(row.owner())
        .param(row.id())
        .update();
  }

  private void addAcquirers(DelegationRow row) {
    for (String acquirer : row.rules().acquirers().stream().distinct().toList()) {
      store
          .sql("insert into delegation_acquirer (acquirer, id, owner) values (?, ?, ?)")
          .params(acquirer, row.id(), row.owner())
          .update();
    }
  }

  /** Whether one use more was counted: there was one left, and the row is still as it was read. */
  public boolean use(DelegationRow row) {
    return store
            .sql(
                "update delegation set used = used + 1 where owner = ? and id = ? and version = ?"
                    + " and (uses is null or used < uses)")
            .params(row.owner(), row.id(), row.version())
            .update()
        > 0;
  }

  /** Takes a use back, of which nothing came; nothing where the row is not as it was read. */
  public void unuse(DelegationRow row) {
    store
        .sql("update delegation set used = used - 1 where owner = ? and id = ? and version = ?")
        .params(row.owner(), row.id(), row.version())
        .update();
  }

  /** Whether it was there. */
  public boolean remove(String owner, String id) {
    return store.sql("delete from delegation where owner = ? and id = ?").params(owner, id).update()
        > 0;
  }

  /** The ids of what was delegated through another delegation. */
  public List<String> through(String owner, String id) {
    return store
        .sql("select id from delegation where owner = ? and through = ?")
        .params(owner, id)
        .query((row, _) -> String.valueOf(row.getString("id")))
        .list();
  }

  // --- keys ----------------------------------------------------------------------------------

  /** Remembers whose a key was. */
  public void addKey(String keyDigest, String owner, String id, Instant notAfter) {
    store
        .sql("insert into delegation_key (key_digest, owner, id, not_after) values (?, ?, ?, ?)")
        .params(keyDigest, owner, id, notAfter.toEpochMilli())
        .update();
  }

  /** The ids of an owner's delegations, by those of these keys that are or were theirs. */
  public Map<String, String> ids(String owner, List<String> keyDigests) {
    Map<String, String> found = new HashMap<>();
    store
        .sql(
            "select key_digest, id from delegation_key where owner = :owner and key_digest in"
                + " (:keys)")
        .param("owner", owner)
        .param("keys", keyDigests)
        .query((row, _) -> found.put(row.getString("key_digest"), row.getString("id")))
        .list();
    return found;
  }
}
