package dev.staithe.storage.policy;

import dev.staithe.storage.authz.Right;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a rule permits or denies, in the words of its file. To permit means what the WLCG scope of
 * the name means; to deny takes away all by which the same could be had otherwise.
 */
enum Action {
  /** See, list, read. */
  READ(
      EnumSet.of(Right.STAT, Right.POLL, Right.LIST, Right.READ),
      EnumSet.of(Right.STAT, Right.POLL, Right.LIST, Right.READ)),
  /** See the members of a collection. */
  LIST(EnumSet.of(Right.STAT, Right.POLL, Right.LIST), EnumSet.of(Right.LIST)),
  /** Learn that it exists; who may not may not read it either. */
  STAT(
      EnumSet.of(Right.STAT, Right.POLL),
      EnumSet.of(Right.STAT, Right.POLL, Right.LIST, Right.READ)),
  /** Have it brought from tape, and let go; that alone reads nothing. */
  STAGE(EnumSet.of(Right.STAT, Right.POLL, Right.STAGE), EnumSet.of(Right.STAGE)),
  /** Learn whether it is on disk or on tape; who may not may look at it all the same. */
  POLL(EnumSet.of(Right.POLL), EnumSet.of(Right.POLL)),
  /** Make what does not exist; who may not may not overwrite either. */
  CREATE(
      EnumSet.of(Right.STAT, Right.POLL, Right.CREATE, Right.MAKE_COLLECTION, Right.RENAME),
      EnumSet.of(Right.CREATE, Right.MAKE_COLLECTION, Right.RENAME, Right.MODIFY, Right.DELETE)),
  /** Overwrite, delete, rename too; where it is denied, what is stored stays. */
  MODIFY(
      EnumSet.of(
          Right.STAT,
          Right.POLL,
          Right.CREATE,
          Right.MAKE_COLLECTION,
          Right.RENAME,
          Right.MODIFY,
          Right.DELETE),
      EnumSet.of(Right.RENAME, Right.MODIFY, Right.DELETE)),
  /** Everything. */
  ALL(EnumSet.allOf(Right.class), EnumSet.allOf(Right.class));

  private final Set<Right> permits;
  private final Set<Right> denies;

  Action(Set<Right> permits, Set<Right> denies) {
    this.permits = permits;
    this.denies = denies;
  }

  Set<Right> rights(boolean permit) {
    return permit ? permits : denies;
  }

  static @Nullable Action of(String word) {
    for (Action action : values()) {
      if (action.word().equals(word)) {
        return action;
      }
    }
    return null;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
