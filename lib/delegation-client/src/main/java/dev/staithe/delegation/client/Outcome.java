package dev.staithe.delegation.client;

/**
 * What became of asking a service of delegation.
 *
 * @param <T> what it gives
 */
public sealed interface Outcome<T> {
  /** It gave it. */
  record Done<T>(T value) implements Outcome<T> {}

  /** It did not, or what it gave is not to be used. */
  record Refused<T>(DelegationRefusal refusal) implements Outcome<T> {
    /** The same with another kind of thing that is not there. */
    <U> Refused<U> to() {
      return new Refused<>(refusal);
    }
  }

  /** A refusal of ours or of the service. */
  static <T> Outcome<T> refused(DelegationRefusal.Kind kind, String line) {
    return new Refused<>(new DelegationRefusal(kind, line));
  }
}
