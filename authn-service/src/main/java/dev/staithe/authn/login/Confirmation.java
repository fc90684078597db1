package dev.staithe.authn.login;

import java.util.List;

/** What came of confirming an {@link Enrolment}. */
public sealed interface Confirmation {
  /**
   * The second factor is in use from now on.
   *
   * @param recoveryCodes each good once in place of a code; shown once, not kept
   */
  record Confirmed(List<String> recoveryCodes) implements Confirmation {
    /** Copies the list. */
    public Confirmed {
      recoveryCodes = List.copyOf(recoveryCodes);
    }

    /** Without the codes. */
    @Override
    public String toString() {
      return "Confirmed[***]";
    }
  }

  /** That was not the code. */
  record WrongCode() implements Confirmation {}

  /** No enrolment waits for it. */
  record NothingPending() implements Confirmation {}
}
