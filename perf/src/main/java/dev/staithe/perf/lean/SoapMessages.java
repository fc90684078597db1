package dev.staithe.perf.lean;

/** The SOAP messages (1.1, document/literal) that users send, as text. */
public final class SoapMessages {
  private static final String ENVELOPE =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>%s\
      </soap:Body></soap:Envelope>""";

  private static final String HEADED =
      ENVELOPE.replace("<soap:Body>", "<soap:Header>%s</soap:Header><soap:Body>");

  private SoapMessages() {}

  /** The paper's {@code echoString}. */
  public static String echo(String said) {
    return ENVELOPE.formatted(
        "<echo:echoString xmlns:echo=\"urn:echo\"><say>%s</say></echo:echoString>".formatted(said));
  }

  /** The paper's {@code GetSLCSCertificate}. */
  public static String certificateRequest(String pem) {
    return ENVELOPE.formatted(
        ("<slcs:GetSLCSCertificateRequest"
                + " xmlns:slcs=\"http://www.nordugrid.org/schemas/slcs\"><slcs:X509Request>%s"
                + "</slcs:X509Request></slcs:GetSLCSCertificateRequest>")
            .formatted(pem));
  }

  /** The {@code echoString} of echo-service. */
  public static String sampleEcho(String said) {
    return ENVELOPE.formatted(sample(said));
  }

  /**
   * The same, with what the handlers of the called service look for.
   *
   * @param service where the delegation is
   * @param id which it is
   */
  public static String sampleEcho(String said, String service, String id) {
    return HEADED.formatted(
        ("<d:DelegationService xmlns:d=\"urn:delegation\">%s</d:DelegationService>"
                + "<d:DelegationID xmlns:d=\"urn:delegation\">%s</d:DelegationID>")
            .formatted(service, id),
        sample(said));
  }

  private static String sample(String said) {
    return ("<echo:echoString xmlns:echo=\"http://www.nordugrid.org/schemas/echo\">"
            + "<echo:say>%s</echo:say></echo:echoString>")
        .formatted(said);
  }

  /** An operation of GridSite's delegation 1.1 without parts. */
  public static String gridSite(String operation) {
    return gridSiteOf(operation, "");
  }

  /** One with an id. */
  public static String gridSite(String operation, String id) {
    return gridSiteOf(operation, "<delegationID>" + id + "</delegationID>");
  }

  /** Its {@code putProxy}. */
  public static String putProxy(String id, String chain) {
    return gridSiteOf(
        "putProxy", "<delegationID>" + id + "</delegationID><proxy>" + chain + "</proxy>");
  }

  private static String gridSiteOf(String operation, String parts) {
    return ENVELOPE.formatted(
        "<d:%1$s xmlns:d=\"http://www.gridsite.org/namespaces/delegation-1\">%2$s</d:%1$s>"
            .formatted(operation, parts));
  }
}
