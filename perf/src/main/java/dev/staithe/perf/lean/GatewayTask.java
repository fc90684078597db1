package dev.staithe.perf.lean;

/**
 * What clients of a gateway are to do, told to the lean client: visits, one after the other, of
 * each client over a connection of its own. Messages are secured before the measured time, but
 * those of a session, whose keys are not there before.
 *
 * @param errand what a visit is
 * @param protection how messages are protected
 * @param url of the endpoint
 * @param unique whether no message is sent twice; otherwise so many as {@code messages} go round
 * @param messages how many are made ahead, of all clients together; 0 where none are
 * @param clients at once, at least 1
 * @param seconds how long visits are begun
 * @param perSecond how many visits are begun in a second, 0 for one after the other without a pause
 * @param payload bytes of the body's text, about
 * @param contexts of all clients together that calls are spread over, where the protection has any
 * @param calls of a session
 * @param keepAlive whether connections are kept
 * @param authority the PEM file of trusted authorities of TLS
 * @param credential a PEM file with the client's key (PKCS#8) and certificates; empty for none
 * @param service a PEM file with the certificate of the gateway that messages are encrypted for and
 *     answers signed by; empty for none
 */
public record GatewayTask(
    Errand errand,
    Protection protection,
    String url,
    boolean unique,
    int messages,
    int clients,
    double seconds,
    double perSecond,
    int payload,
    int contexts,
    int calls,
    boolean keepAlive,
    String authority,
    String credential,
    String service)
    implements Assignment {

  /** What a visit is. */
  public enum Errand {
    /** One call. */
    CALL,
    /** A request for a context and its answer. */
    CONTEXT,
    /** A context, where the protection has any, and so many calls. */
    SESSION
  }

  /** How messages are protected. */
  public enum Protection {
    /** Not at all, or by TLS alone. */
    PLAIN,
    /** Signed and encrypted by X.509 keys of both sides. */
    X509,
    /** Signed and encrypted by keys that are derived from a context, which X.509 keys begin. */
    CONVERSATION
  }
}
