package dev.staithe.perf.lean;

/**
 * What users with a campus account are to do, told to the lean client: visits, one after the other,
 * each of a login, where there is no session yet, and one call.
 *
 * @param act what the call is
 * @param way how a user logs in
 * @param reuse what is left of the visit before
 * @param url of the service, without a slash at the end
 * @param path of what is called
 * @param login the path of something behind a login, which asks for one when it is fetched
 * @param provider the address at which the identity provider takes ECP's requests
 * @param users at once, at least 1, each on connections of its own
 * @param keepAlive whether a user's connections to the service outlive a visit
 * @param seconds how long visits are begun
 * @param visits how many in all, 0 for as many as the time allows
 * @param accounts how many there are: {@code user-0} and so on
 * @param password of all of them
 * @param authority the PEM file of trusted authorities
 * @param credential a PEM file with a key (PKCS#8) and its certificates for the client's end of
 *     TLS; empty for none
 * @param requests a folder with a certificate request {@code user-N.csr} (PEM) of each account;
 *     empty where no certificates are asked for
 * @param keep a file for the last response of the provider that a browser carried; empty for none
 */
public record CampusTask(
    Act act,
    Way way,
    Reuse reuse,
    String url,
    String path,
    String login,
    String provider,
    int users,
    boolean keepAlive,
    double seconds,
    long visits,
    int accounts,
    String password,
    String authority,
    String credential,
    String requests,
    String keep)
    implements Assignment {

  /** What a call is. */
  public enum Act {
    /** {@code echoString} by SOAP. */
    ECHO,
    /** A certificate by REST: the request in PEM, the chain in PEM. */
    CERTIFICATE,
    /** A certificate by the paper's SOAP. */
    SOAP_CERTIFICATE
  }

  /** How a user logs in. */
  public enum Way {
    /** Enhanced client or proxy (SAML profiles section 4.2): no page is read. */
    ECP,
    /** Web browser SSO (SAML profiles section 4.1): redirect, the provider's form, POST. */
    BROWSER
  }

  /** What a visit finds of the one before. */
  public enum Reuse {
    /** Nobody logs in at all. */
    ANONYMOUS,
    /** Nothing: the user types the password. */
    NOTHING,
    /** The session with the identity provider, not that with the service. */
    PROVIDER,
    /** The session with the service; the provider is not asked. */
    SERVICE
  }
}
