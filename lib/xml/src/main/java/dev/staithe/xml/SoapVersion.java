package dev.staithe.xml;

/** The two versions of SOAP in use: their names for the same things differ. */
public enum SoapVersion {
  /** SOAP 1.1 (W3C Note of 8 May 2000). */
  SOAP_1_1("http://schemas.xmlsoap.org/soap/envelope/", "text/xml", "actor", "Client", "Server"),
  /** SOAP 1.2 (W3C Recommendation, part 1). */
  SOAP_1_2(
      "http://www.w3.org/2003/05/soap-envelope",
      "application/soap+xml",
      "role",
      "Sender",
      "Receiver");

  private final String namespace;
  private final String mediaType;
  private final String role;
  private final String sender;
  private final String receiver;

  SoapVersion(String namespace, String mediaType, String role, String sender, String receiver) {
    this.namespace = namespace;
    this.mediaType = mediaType;
    this.role = role;
    this.sender = sender;
    this.receiver = receiver;
  }

  /** Of the envelope, its header, body and fault. */
  public String namespace() {
    return namespace;
  }

  /** Without parameters; SOAP 1.1 §6, RFC 3902. */
  public String mediaType() {
    return mediaType;
  }

  /** A {@code Content-Type} for what {@link Soap} writes. */
  public String contentType() {
    return mediaType + ";charset=utf-8";
  }

  /** The attribute that says whom a header block is for. */
  String role() {
    return role;
  }

  /** The local name of a fault's code. */
  String code(SoapFault.Code code) {
    return switch (code) {
      case SENDER -> sender;
      case RECEIVER -> receiver;
      case MUST_UNDERSTAND -> "MustUnderstand";
      case VERSION_MISMATCH -> "VersionMismatch";
    };
  }
}
