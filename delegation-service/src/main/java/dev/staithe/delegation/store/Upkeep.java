package dev.staithe.delegation.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What nodes do by themselves with the rows of {@link DelegationStore}. Several may do so at once:
 * each change is one node's. Methods throw {@link org.springframework.dao.DataAccessException}
 * where the database does not answer. Thread-safe; each is one transaction.
 *
 * <p>What has ended has also ended by the database's own clock: a node whose clock is ahead must
 * not take from all others what is good there.
 */
public final class Upkeep {
  /** In milliseconds since 1970. */
  private static final String BY_ITS_OWN_CLOCK =
      " and not_after <= extract(epoch from current_timestamp) * 1000";

  /** As much may the clock of a node be late that takes a chain for good still. */
  private static final Duration LATE = Duration.ofMinutes(5);

  private final JdbcClient store;

  /** On a database that has the tables. */
  public Upkeep(DataSource source) {
    this.store = JdbcClient.create(source);
  }

  /** Some of those that have ended. */
  public List<DelegationRow> ended(Instant now, int most) {
    return store
        .sql(
            "select * from delegation where not_after <= ?"
                + BY_ITS_OWN_CLOCK
                + " order by not_after fetch first "
                + most
                + " rows only")
        .param(now.toEpochMilli())
        .query(Columns::delegation)
        .list();
  }

  /**
   * Some of those that were used and will have ended at a time, of which nobody was told yet.
   *
   * @param least how long they had to live when they were put
   */
  public List<DelegationRow> endingUntold(Instant now, Instant then, Duration least, int most) {
    return store
        .sql(
            "select * from delegation where not_after > ? and not_after <= ? and used > 0 and"
                + " told_end <> not_after and not_after - renewed >= ? order by not_after fetch"
                + " first "
                + most
                + " rows only")
        .params(now.toEpochMilli(), then.toEpochMilli(), least.toMillis())
        .query(Columns::delegation)
        .list();
  }

  /** Whether it is the caller who tells of this end. */
  public boolean tell(DelegationRow row) {
    long end = row.notAfter().toEpochMilli();
    return store
            .sql(
                "update delegation set told_end = ? where owner = ? and id = ? and not_after = ?"
                    + " and told_end <> ?")
            .params(end, row.owner(), row.id(), end, end)
            .update()
        > 0;
  }

  /** Whether it was there, as it was read. */
  public boolean remove(DelegationRow row) {
    return store
            .sql("delete from delegation where owner = ? and id = ? and version = ?")
            .params(row.owner(), row.id(), row.version())
            .update()
        > 0;
  }

  /**
   * Some of those whose key is sealed with another master key, or not for its rules, behind an
   * owner and id in the order of both.
   *
   * @param name of the master key, as {@link dev.staithe.pki.seal.MasterKeys} writes it
   */
  public List<DelegationRow> sealedOtherwise(byte[] name, String owner, String id, int most) {
    return store
        .sql(
            "select * from delegation where (substring(sealed, 2, 4) <> ? or bound = false) and (owner,"
                + " id) > (?, ?)"
                + " order by owner, id fetch first "
                + most
                + " rows only")
        .params(name, owner, id)
        .query(Columns::delegation)
        .list();
  }

  /** Whether a key was sealed anew, for its rules: the row is still as it was read. */
  public boolean reseal(DelegationRow row, byte[] sealed) {
    return store
            .sql(
                "update delegation set sealed = ?, bound = true where owner = ? and id = ? and"
                    + " version = ?")
            .params(sealed, row.owner(), row.id(), row.version())
            .update()
        > 0;
  }

  /**
   * Forgets requests and keys that have ended, and tells how many requests. Keys a little later:
   * whoever shows a chain through one that is forgotten would be taken for the owner.
   */
  public int sweep(Instant now) {
    store
        .sql("delete from delegation_key where not_after <= ?" + BY_ITS_OWN_CLOCK)
        .param(now.minus(LATE).toEpochMilli())
        .update();
    return store
        .sql("delete from delegation_request where not_after <= ?" + BY_ITS_OWN_CLOCK)
        .param(now.toEpochMilli())
        .update();
  }

  /** How many delegations there are that end before that time. */
  public long countEndingBefore(Instant time) {
    return store
        .sql("select count(*) from delegation where not_after < ?")
        .param(time.toEpochMilli())
        .query(Long.class)
        .single();
  }
}
