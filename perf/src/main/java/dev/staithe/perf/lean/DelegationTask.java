package dev.staithe.perf.lean;

/**
 * What users with a certificate are to do, told to the lean client: visits, one after the other,
 * each over connections that are kept. What was delegated is destroyed after the measured time.
 *
 * @param errand what a visit is
 * @param delegation where delegations are taken by SOAP (GridSite 1.1); empty where nobody
 *     delegates
 * @param told how the service that is called is told the address of the delegations
 * @param call where {@code echoString} is called; empty where nothing is
 * @param users at once, at least 1, each on connections of its own, all of one person
 * @param each how many visits of each user, 0 for as many as the time allows
 * @param seconds how long visits are begun
 * @param authority the PEM file of trusted authorities
 * @param credential a PEM file with the person's key (PKCS#8) and certificates
 */
public record DelegationTask(
    Errand errand,
    String delegation,
    String told,
    String call,
    int users,
    long each,
    double seconds,
    String authority,
    String credential)
    implements Assignment {

  /** What a visit is. */
  public enum Errand {
    /** {@code getNewProxyReq}, a signature, {@code putProxy}. */
    NEW,
    /**
     * The same by {@code getProxyReq} with an id of the user's own, without which GridSite's own
     * service takes all that one person delegates at a time for the same.
     */
    NAMED,
    /** A call, with nothing delegated. */
    CALL,
    /** A call that tells of a delegation which the user has made before the measured time. */
    CALL_IN_SESSION,
    /** {@link #NEW}, and a call that tells of it. */
    CALL_WITH_NEW
  }
}
