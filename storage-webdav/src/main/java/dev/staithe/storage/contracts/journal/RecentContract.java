package dev.staithe.storage.contracts.journal;

import dev.staithe.contracts.record.StatementFolder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A contract that the database does not have as it is.
 *
 * @param row of it
 * @param changed when
 * @param known whether the database has it as it was
 * @param filed how many of its statements are in their folder
 * @param since when it is here, by {@link System#nanoTime}
 */
record RecentContract(ContractRow row, Instant changed, boolean known, int filed, long since) {
  /** After this a contract that goes on is written too. */
  private static final Duration LONG = Duration.ofSeconds(2);

  static RecentContract begun(ContractRow row, boolean known) {
    return new RecentContract(row, row.opened(), known, 0, System.nanoTime());
  }

  static RecentContract found(ContractRow row) {
    return new RecentContract(row, row.opened(), true, statements(row).size(), System.nanoTime());
  }

  /** One of the database before what a kill left is added: its statements may be in no file. */
  static RecentContract left(ContractRow row) {
    return new RecentContract(row, row.opened(), true, 0, System.nanoTime());
  }

  RecentContract with(ContractStep.Changed said) {
    return new RecentContract(row.with(said), said.time(), known, filed, since);
  }

  boolean isDue() {
    return row.ended() || System.nanoTime() - since > LONG.toNanos();
  }

  Stream<StatementFolder.Kept> unfiled() {
    return statements(row).stream()
        .skip(filed)
        .map(each -> new StatementFolder.Kept(changed, each));
  }

  /** Ours before the other side's. */
  private static List<byte[]> statements(ContractRow row) {
    List<byte[]> all = new ArrayList<>();
    byte[] own = row.own();
    if (own != null && own.length > 0) {
      all.add(own);
    }
    byte[] partner = row.partner();
    if (partner != null && partner.length > 0) {
      all.add(partner);
    }
    return all;
  }

  /**
   * The same, where the database has it as it was.
   *
   * @param filed whose statements are in their folder too; null: no more than before
   */
  RecentContract written(@Nullable RecentContract filed) {
    int many = filed == null ? this.filed : statements(filed.row).size();
    return new RecentContract(row, changed, true, many, since);
  }
}
