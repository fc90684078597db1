package dev.staithe.delegation.credential;

/** Who a request comes from, by its certificates. */
public sealed interface Caller {
  /** They are believed. */
  record Known(Owner owner) implements Caller {}

  /**
   * None were shown, or they are not believed.
   *
   * @param line why, one printable line for the caller
   */
  record Refused(String line) implements Caller {}
}
