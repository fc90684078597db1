package dev.staithe.authn.session;

/** How new a node's knowledge of ended sessions has to be for a validation. */
public enum Freshness {
  /**
   * As of what this node has read; says so where that is older than the bound. Waits for the store
   * only where the idle rule needs it.
   */
  LOCAL,
  /** Not older than the bound: asks the store where it is, and cannot tell where that fails. */
  BOUNDED,
  /** As of now: always asks the store. */
  STRICT
}
