package dev.staithe.slcs.saml.metadata;

/** The namespaces of SAML 2.0 and of what it is signed by. */
public final class SamlNamespaces {
  /** Of messages (SAML core section 3). */
  public static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";

  /** Of assertions (SAML core section 2). */
  public static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";

  /** Of signatures (XML-Signature). */
  public static final String DS = "http://www.w3.org/2000/09/xmldsig#";

  /** Of metadata (SAML metadata section 2). */
  static final String METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";

  private SamlNamespaces() {}
}
