package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;

/** Writes signatures in canonical form. */
final class Signatures {
  private static final String DECLARED = "<ds:SignedInfo xmlns:ds=\"" + Namespaces.DS + "\">";

  private Signatures() {}

  /** One covered part: by its id, in exclusive canonical form. */
  static void reference(
      StringBuilder out, String id, String algorithm, byte[] digest, String prefixes) {
    out.append("<ds:Reference URI=\"#")
        .append(id)
        .append("\"><ds:Transforms><ds:Transform Algorithm=\"")
        .append(Namespaces.EXC_C14N)
        .append("\">")
        .append(prefixes)
        .append("</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"")
        .append(algorithm)
        .append("\"></ds:DigestMethod><ds:DigestValue>")
        .append(Written.base64(digest))
        .append("</ds:DigestValue></ds:Reference>");
  }

  /** As an apex, which is how it is signed. */
  static String signedInfo(String algorithm, CharSequence references) {
    return DECLARED
        + "<ds:CanonicalizationMethod Algorithm=\""
        + Namespaces.EXC_C14N
        + "\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\""
        + algorithm
        + "\"></ds:SignatureMethod>"
        + references
        + "</ds:SignedInfo>";
  }

  /** The whole, canonical itself: another signature may cover it. */
  static String element(String id, String signedInfo, byte[] value, String keyReference) {
    return "<ds:Signature xmlns:ds=\""
        + Namespaces.DS
        + "\" Id=\""
        + id
        + "\"><ds:SignedInfo>"
        + signedInfo.substring(DECLARED.length())
        + "<ds:SignatureValue>"
        + Written.base64(value)
        + "</ds:SignatureValue><ds:KeyInfo>"
        + keyReference
        + "</ds:KeyInfo></ds:Signature>";
  }
}
