package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.xml.XmlText;
import java.util.Base64;

/**
 * Elements as text, each in exclusive canonical form: start and end tags apart, namespaces declared
 * where they are used, attributes in order. So what is digested is what is sent.
 */
final class Written {
  static final String WSS_10 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";
  static final String BASE64 = WSS_10 + "soap-message-security-1.0#Base64Binary";
  static final String X509_V3 = WSS_10 + "x509-token-profile-1.0#X509v3";
  static final String PKI_PATH = WSS_10 + "x509-token-profile-1.0#X509PKIPathv1";
  static final String USERNAME_TOKEN = WSS_10 + "username-token-profile-1.0#UsernameToken";
  static final String WSS_11 = "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1";
  static final String ENCRYPTED_KEY = WSS_11 + "#EncryptedKey";
  static final String ENCRYPTED_KEY_SHA1 = WSS_11 + "#EncryptedKeySHA1";
  static final String THUMBPRINT = WSS_11 + "#ThumbprintSHA1";
  static final String CONTENT = Namespaces.XENC + "Content";
  static final String ELEMENT = Namespaces.XENC + "Element";

  private Written() {}

  /** Text between tags. Canonical form writes one sign in another way than the rest of us. */
  static String text(String text) {
    return XmlText.escape(text).replace("&#13;", "&#xD;");
  }

  static String base64(byte[] data) {
    return Base64.getEncoder().encodeToString(data);
  }

  /** A reference to a token of the same message. */
  static String reference(String id, String valueType) {
    return "<wsse:SecurityTokenReference xmlns:wsse=\""
        + Namespaces.WSSE
        + "\"><wsse:Reference URI=\"#"
        + id
        + "\" ValueType=\""
        + valueType
        + "\"></wsse:Reference></wsse:SecurityTokenReference>";
  }

  /** WSS 1.1 section 7.7: a key that the message brings encrypted. */
  static String encryptedKeyReference(String id) {
    return "<wsse:SecurityTokenReference xmlns:wsse=\""
        + Namespaces.WSSE
        + "\" xmlns:wsse11=\""
        + Namespaces.WSSE11
        + "\" wsse11:TokenType=\""
        + ENCRYPTED_KEY
        + "\"><wsse:Reference URI=\"#"
        + id
        + "\"></wsse:Reference></wsse:SecurityTokenReference>";
  }

  /** A certificate that the receiver knows, by its SHA-1. */
  static String thumbprint(byte[] sha1) {
    return "<wsse:SecurityTokenReference xmlns:wsse=\""
        + Namespaces.WSSE
        + "\"><wsse:KeyIdentifier EncodingType=\""
        + BASE64
        + "\" ValueType=\""
        + THUMBPRINT
        + "\">"
        + base64(sha1)
        + "</wsse:KeyIdentifier></wsse:SecurityTokenReference>";
  }

  static String binaryToken(String id, String valueType, byte[] token) {
    return "<wsse:BinarySecurityToken xmlns:wsse=\""
        + Namespaces.WSSE
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" EncodingType=\""
        + BASE64
        + "\" ValueType=\""
        + valueType
        + "\" wsu:Id=\""
        + id
        + "\">"
        + base64(token)
        + "</wsse:BinarySecurityToken>";
  }

  /** WS-SecureConversation 1.4 section 7: a key of this message alone, from offset 0. */
  static String derivedKey(
      String namespace, String id, String reference, int length, byte[] nonce) {
    return "<wsc:DerivedKeyToken xmlns:wsc=\""
        + namespace
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" wsu:Id=\""
        + id
        + "\">"
        + reference
        + "<wsc:Offset>0</wsc:Offset><wsc:Length>"
        + length
        + "</wsc:Length><wsc:Nonce>"
        + base64(nonce)
        + "</wsc:Nonce></wsc:DerivedKeyToken>";
  }

  /** An encrypted key without its end tag: a list of what it encrypts may follow. */
  static String openEncryptedKey(String id, String transport, String reference, byte[] wrapped) {
    return "<xenc:EncryptedKey xmlns:xenc=\""
        + Namespaces.XENC
        + "\" Id=\""
        + id
        + "\">"
        + keyTransport(transport)
        + "<ds:KeyInfo xmlns:ds=\""
        + Namespaces.DS
        + "\">"
        + reference
        + "</ds:KeyInfo><xenc:CipherData><xenc:CipherValue>"
        + base64(wrapped)
        + "</xenc:CipherValue></xenc:CipherData>";
  }

  static final String END_ENCRYPTED_KEY = "</xenc:EncryptedKey>";

  private static String keyTransport(String transport) {
    String digest = AlgorithmNames.oaepDigestOf(transport);
    // XML Encryption 1.1 section 5.5.2: the mask's hash is said where it is not SHA-1.
    String mask =
        transport.startsWith(Namespaces.XENC11)
            ? "<xenc11:MGF xmlns:xenc11=\""
                + Namespaces.XENC11
                + "\" Algorithm=\""
                + Namespaces.XENC11
                + "mgf1sha256\"></xenc11:MGF>"
            : "";
    return "<xenc:EncryptionMethod Algorithm=\""
        + transport
        + "\"><ds:DigestMethod xmlns:ds=\""
        + Namespaces.DS
        + "\" Algorithm=\""
        + digest
        + "\"></ds:DigestMethod>"
        + mask
        + "</xenc:EncryptionMethod>";
  }

  static String encryptedData(
      String id, String type, String algorithm, String reference, byte[] encrypted) {
    return "<xenc:EncryptedData xmlns:xenc=\""
        + Namespaces.XENC
        + "\" Id=\""
        + id
        + "\" Type=\""
        + type
        + "\"><xenc:EncryptionMethod Algorithm=\""
        + algorithm
        + "\"></xenc:EncryptionMethod><ds:KeyInfo xmlns:ds=\""
        + Namespaces.DS
        + "\">"
        + reference
        + "</ds:KeyInfo><xenc:CipherData><xenc:CipherValue>"
        + base64(encrypted)
        + "</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>";
  }

  static String references(Iterable<String> ids) {
    var out = new StringBuilder("<xenc:ReferenceList xmlns:xenc=\"");
    out.append(Namespaces.XENC).append("\">");
    for (String id : ids) {
      out.append("<xenc:DataReference URI=\"#").append(id).append("\"></xenc:DataReference>");
    }
    return out.append("</xenc:ReferenceList>").toString();
  }

  /** One header block of WS-Addressing. */
  static String addressing(String name, String id, String content) {
    return "<wsa:"
        + name
        + " xmlns:wsa=\""
        + Namespaces.WSA
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" wsu:Id=\""
        + id
        + "\">"
        + content
        + "</wsa:"
        + name
        + ">";
  }

  static String timestamp(String id, String created, String expires) {
    return "<wsu:Timestamp xmlns:wsu=\""
        + Namespaces.WSU
        + "\" wsu:Id=\""
        + id
        + "\"><wsu:Created>"
        + created
        + "</wsu:Created><wsu:Expires>"
        + expires
        + "</wsu:Expires></wsu:Timestamp>";
  }
}
