package dev.staithe.wss;

/** What became of a request. */
public sealed interface Opening {
  /**
   * It is all that its endpoint demands.
   *
   * @param message what the back end may see: nothing but what was protected as demanded
   * @param caller who sent it
   * @param reply how the answer is to be protected
   * @param findings what was found, for the audit log, kept evidence and the replay cache
   */
  record Opened(PlainMessage message, Caller caller, Reply reply, Findings findings)
      implements Opening {}

  /**
   * It goes nowhere.
   *
   * @param reason the class of refusal, which the fault is made from
   * @param detail for the audit log and nobody else; no secret, one line
   */
  record Refused(Refusal reason, String detail) implements Opening {}

  /**
   * A streaming engine does not know this shape, and another engine is to judge it. Nothing was
   * concluded.
   *
   * @param shape what it came upon, for the log
   */
  record Unknown(String shape) implements Opening {}
}
