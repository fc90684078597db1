package dev.staithe.authn.persistence;

/**
 * What a store promises of a write, and so what a login or a logout waits for. The names are those
 * of the study that they come from.
 */
public enum PersistenceModel {
  /** Nothing outlives the store's process; all sessions end with it. */
  OFF,
  /** Written soon after the answer: a crash may lose the last second. */
  BEST_EFFORT,
  /** Answered when a second copy exists. */
  ASSURED_WRITE,
  /** Answered when every reader sees it. */
  ASSURED_READ;

  /** Whether an answer waits for the store to acknowledge. */
  public boolean assured() {
    return this == ASSURED_WRITE || this == ASSURED_READ;
  }
}
