package dev.staithe.wss;

/** The XML namespaces of the specifications that a secured message is made of. */
public final class Namespaces {
  /**
   * WS-Security 1.0 and 1.1: Security, BinarySecurityToken, SecurityTokenReference, UsernameToken.
   */
  public static final String WSSE =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

  /** WS-Security utility: Timestamp and {@code wsu:Id}. */
  public static final String WSU =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

  /** WS-Security 1.1: SignatureConfirmation, EncryptedHeader, TokenType, Salt, Iteration. */
  public static final String WSSE11 =
      "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";

  /** XML Signature. */
  public static final String DS = "http://www.w3.org/2000/09/xmldsig#";

  /** XML Encryption 1.0. */
  public static final String XENC = "http://www.w3.org/2001/04/xmlenc#";

  /** XML Encryption 1.1: MGF. */
  public static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";

  /** Exclusive canonicalization: also the algorithm's name, and InclusiveNamespaces. */
  public static final String EXC_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";

  /** WS-SecureConversation of February 2005. */
  public static final String SC_2005 = "http://schemas.xmlsoap.org/ws/2005/02/sc";

  /** WS-SecureConversation 1.3 and 1.4. */
  public static final String SC_13 =
      "http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512";

  /** WS-Trust of February 2005. */
  public static final String TRUST_2005 = "http://schemas.xmlsoap.org/ws/2005/02/trust";

  /** WS-Trust 1.3 and 1.4. */
  public static final String TRUST_13 = "http://docs.oasis-open.org/ws-sx/ws-trust/200512";

  /** WS-Addressing 1.0. */
  public static final String WSA = "http://www.w3.org/2005/08/addressing";

  /** WS-Addressing of August 2004. */
  public static final String WSA_2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing";

  /** WS-Policy of 2004. */
  public static final String POLICY_2004 = "http://schemas.xmlsoap.org/ws/2004/09/policy";

  /** WS-Policy 1.5. */
  public static final String POLICY_15 = "http://www.w3.org/ns/ws-policy";

  /** WS-SecurityPolicy of July 2005. */
  public static final String SP_2005 = "http://schemas.xmlsoap.org/ws/2005/07/securitypolicy";

  /** WS-SecurityPolicy 1.2. */
  public static final String SP_12 = "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702";

  /** What WS-SecurityPolicy 1.3 adds to 1.2. */
  public static final String SP_13 = "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200802";

  private Namespaces() {}
}
