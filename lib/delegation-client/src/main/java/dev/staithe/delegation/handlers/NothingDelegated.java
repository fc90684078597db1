package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.DelegationRefusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call that is not sent, as the delegation cannot be made that it would tell of. */
final class NothingDelegated extends IOException {
  private static final long serialVersionUID = 1;

  private final transient DelegationRefusal refusal;

  NothingDelegated(DelegationRefusal refusal) {
    super("nothing is delegated, so nothing is called: " + refusal.line());
    this.refusal = refusal;
  }

  /** Why, where that is what a method that was called failed with; null where it is not. */
  static @Nullable DelegationRefusal in(Throwable failure) {
    Throwable each = failure;
    for (int i = 0; each != null && i < 20; i++) {
      if (each instanceof NothingDelegated nothing) {
        return nothing.refusal;
      }
      each = each.getCause();
    }
    return null;
  }
}
