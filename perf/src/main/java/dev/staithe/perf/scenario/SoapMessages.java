package dev.staithe.perf.scenario;

/** The SOAP messages (1.1, document/literal) that users send, as text. */
final class SoapMessages {
  private static final String ENVELOPE =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>%s\
      </soap:Body></soap:Envelope>""";

  private SoapMessages() {}

  /** The paper's {@code echoString}. */
  static String echo(String said) {
    return ENVELOPE.formatted(
        "<echo:echoString xmlns:echo=\"urn:echo\"><say>%s</say></echo:echoString>".formatted(said));
  }

  /** The paper's {@code GetSLCSCertificate}. */
  static String certificateRequest(String pem) {
    return ENVELOPE.formatted(
        ("<slcs:GetSLCSCertificateRequest"
                + " xmlns:slcs=\"http://www.nordugrid.org/schemas/slcs\"><slcs:X509Request>%s"
                + "</slcs:X509Request></slcs:GetSLCSCertificateRequest>")
            .formatted(pem));
  }
}
