package dev.staithe.gateway.trust;

import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import org.jspecify.annotations.Nullable;

/** What becomes of a request for a context. */
public sealed interface TokenOutcome {
  /**
   * It is granted. The envelope may hold a key: it must leave protected by the mechanism of the
   * request, and in no other way.
   *
   * @param envelope plain SOAP in UTF-8, of the request's version
   * @param action of the answer
   * @param context that the answer is about
   * @param over whether the context has ended: {@link #settle} is to be called when the answer,
   *     which is still protected by it, has been
   */
  record Granted(byte[] envelope, String action, SecurityContext context, boolean over)
      implements TokenOutcome {
    /** To be called when the answer is protected: overwrites the secret of what has ended. */
    public void settle() {
      if (over) {
        context.end();
      }
    }

    @Override
    public String toString() {
      return "Granted[" + context + "]";
    }
  }

  /**
   * It is not granted; the audit log has it already.
   *
   * @param reason the class of refusal, for metrics and the status
   * @param detail for logs, one line, no secret
   * @param envelope a fault of WS-Trust, plain SOAP; null where what {@link Refusal#told} says is
   *     all that there is to tell
   */
  record Refused(Refusal reason, String detail, byte @Nullable [] envelope)
      implements TokenOutcome {}
}
