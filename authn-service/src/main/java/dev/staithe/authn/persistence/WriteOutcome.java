package dev.staithe.authn.persistence;

/** What became of a write to the store. */
public sealed interface WriteOutcome {
  /** All that the persistence model promises is done. */
  record Stored() implements WriteOutcome {}

  /**
   * Nobody can say yet: the acknowledgement that the model promises did not come in time. The write
   * may have happened and may still happen.
   *
   * @param reason one line for the log
   */
  record NotAcknowledged(String reason) implements WriteOutcome {}

  /**
   * It did not happen and will not.
   *
   * @param reason one line for the log
   */
  record Failed(String reason) implements WriteOutcome {}
}
