package dev.staithe.wss.evidence;

/** What became of verifying one kept message. */
public sealed interface Verification {
  /**
   * The signature covers what is kept, and its signer was believed when it came.
   *
   * @param subject who signed
   */
  record Valid(String subject) implements Verification {}

  /**
   * It does not, or nobody would have believed it.
   *
   * @param line what is wrong
   */
  record Invalid(String line) implements Verification {}
}
