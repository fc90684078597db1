package dev.staithe.wss.policy;

/** What became of reading a policy document. */
public sealed interface PolicyOutcome {
  /** All of it is understood, and carried out. */
  record Accepted(EndpointPolicy policy) implements PolicyOutcome {}

  /**
   * Something in it is not, or it is no policy.
   *
   * @param line names what, for whoever wrote the document; one line
   */
  record Refused(String line) implements PolicyOutcome {}
}
