package dev.staithe.delegation.credential;

import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;

/**
 * What came of a change of one row. Refusals are values in here: an exception would be wrapped on
 * its way out of the transaction.
 */
sealed interface RowChange {
  /** It was made. */
  record Row(DelegationRow row) implements RowChange {}

  /** It was not, and nothing is kept of it. */
  record Not(Refusal why) implements RowChange {}

  /** A change that may be refused on its way. */
  @FunctionalInterface
  interface Change {
    /** Makes it. */
    DelegationRow make() throws Refusal;
  }

  /** Makes a change in one transaction. */
  static DelegationRow together(DelegationStore store, Change change) throws Refusal {
    RowChange kept =
        store.together(
            () -> {
              try {
                return new Row(change.make());
              } catch (Refusal why) {
                return new Not(why);
              }
            },
            Not.class::isInstance);
    return switch (kept) {
      case Row(DelegationRow row) -> row;
      case Not(Refusal why) -> throw why;
    };
  }
}
