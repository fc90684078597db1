package dev.staithe.storage.authz;

import dev.staithe.storage.files.StoragePath;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The bearer of a token that this server has made for somebody whom it had identified.
 *
 * @param giver whose rights it has, as far as all limits reach
 * @param limits every one of them holds
 * @param expiresAt from then on the token is refused; what it has begun goes on
 */
public record GrantedCaller(Caller giver, List<Limit> limits, Instant expiresAt) implements Caller {
  /**
   * One limit.
   *
   * @param reaches what is in none of them is refused
   */
  public record Limit(List<Reach> reaches) {
    /** Takes a copy. */
    public Limit {
      reaches = List.copyOf(reaches);
    }
  }

  /**
   * A path and what is below it.
   *
   * @param area the name of its area
   * @param path below the area's root; with a trailing slash it means a collection, as in a scope
   * @param rights what may be done there
   */
  public record Reach(String area, StoragePath path, Set<Right> rights) {
    /** Takes a copy. */
    public Reach {
      rights = Set.copyOf(rights);
    }

    private boolean contains(String where, StoragePath asked, Right right) {
      if (!area.equals(where) || !rights.contains(right)) {
        return false;
      }
      // What may be created may need parents, and clients look whether they are there.
      return Authorizer.reaches(path, asked, right)
          || (right == Right.STAT || right == Right.MAKE_COLLECTION)
              && rights.contains(Right.CREATE)
              && path.startsWith(asked);
    }
  }

  /** Takes a copy, and refuses the bearer of another such token: limits do not nest. */
  public GrantedCaller {
    limits = List.copyOf(limits);
    if (giver instanceof GrantedCaller) {
      throw new IllegalArgumentException("a token of ours gives no other");
    }
  }

  /** The giver's: what its bearer does counts against the giver. */
  @Override
  public String label() {
    return giver.label();
  }

  @Override
  public String group() {
    return giver.group();
  }

  /** Whether all limits reach there. */
  public boolean within(String area, StoragePath path, Right right) {
    for (Limit limit : limits) {
      if (limit.reaches().stream().noneMatch(reach -> reach.contains(area, path, right))) {
        return false;
      }
    }
    return true;
  }
}
