package dev.staithe.delegation.credential;

/**
 * What came of a call.
 *
 * @param <T> what there is where it was done
 */
public sealed interface Outcome<T> {
  /** It was done. */
  record Done<T>(T value) implements Outcome<T> {}

  /** It was not, and everything is as it was. */
  record Refused<T>(DelegationFault fault) implements Outcome<T> {}
}
