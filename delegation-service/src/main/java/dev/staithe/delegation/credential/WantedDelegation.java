package dev.staithe.delegation.credential;

import dev.staithe.pki.GridSubject;
import org.jspecify.annotations.Nullable;

/**
 * Which delegation somebody wants to act with: one of the two at least.
 *
 * @param id enough where only one of this id names the acquirer
 * @param delegator enough where only one of this person's does
 */
public record WantedDelegation(@Nullable DelegationId id, @Nullable GridSubject delegator) {
  /** Checks that something is named. */
  public WantedDelegation {
    if (id == null && delegator == null) {
      throw new IllegalArgumentException("neither an id nor a delegator");
    }
  }
}
