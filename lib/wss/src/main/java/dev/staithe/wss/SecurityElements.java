package dev.staithe.wss;

import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Octets;
import dev.staithe.xml.XmlText;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a security header, as clients and gateways write them: each in exclusive
 * canonical form, start and end tags apart, namespaces declared where they are used, attributes in
 * order. So what is digested is what is sent. Small ones are text; those that hold content go where
 * they are wanted at once.
 */
public final class SecurityElements {
  /** What names of WSS 1.0 begin with. */
  public static final String WSS_10 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";

  public static final String BASE64 = WSS_10 + "soap-message-security-1.0#Base64Binary";
  public static final String X509_V3 = WSS_10 + "x509-token-profile-1.0#X509v3";
  public static final String PKI_PATH = WSS_10 + "x509-token-profile-1.0#X509PKIPathv1";
  public static final String USERNAME_TOKEN = WSS_10 + "username-token-profile-1.0#UsernameToken";
  public static final String WSS_11 =
      "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1";
  public static final String ENCRYPTED_KEY = WSS_11 + "#EncryptedKey";
  public static final String ENCRYPTED_KEY_SHA1 = WSS_11 + "#EncryptedKeySHA1";
  public static final String THUMBPRINT = WSS_11 + "#ThumbprintSHA1";
  public static final String CONTENT = Namespaces.XENC + "Content";
  public static final String ELEMENT = Namespaces.XENC + "Element";

  private static final int PIECE = 3 << 14;
  private static final String SIGNED_INFO = "<ds:SignedInfo xmlns:ds=\"" + Namespaces.DS + "\">";

  private SecurityElements() {}

  /** Text between tags. Canonical form writes one sign in another way than the rest of us. */
  public static String text(String text) {
    return XmlText.escape(text).replace("&#13;", "&#xD;");
  }

  /** Base64 in one line. */
  public static String base64(byte[] data) {
    return Base64.getEncoder().encodeToString(data);
  }

  /** A reference to a token of the same message. */
  public static String reference(String id, String valueType) {
    return "<wsse:SecurityTokenReference xmlns:wsse=\""
        + Namespaces.WSSE
        + "\"><wsse:Reference URI=\"#"
        + id
        + "\" ValueType=\""
        + valueType
        + "\"></wsse:Reference></wsse:SecurityTokenReference>";
  }

  /** WSS 1.1 section 7.7: a key that the message brings encrypted. */
  public static String encryptedKeyReference(String id) {
    return encryptedKey(
        "<wsse:Reference URI=\"#"
            + id
            + "\" ValueType=\""
            + ENCRYPTED_KEY
            + "\"></wsse:Reference>");
  }

  /** The same of a key that another message brought, by what it was encrypted to (section 7.3). */
  public static String encryptedKeyReference(byte[] sha1) {
    return encryptedKey(
        "<wsse:KeyIdentifier EncodingType=\""
            + BASE64
            + "\" ValueType=\""
            + ENCRYPTED_KEY_SHA1
            + "\">"
            + base64(sha1)
            + "</wsse:KeyIdentifier>");
  }

  private static String encryptedKey(String named) {
    return "<wsse:SecurityTokenReference xmlns:wsse=\""
        + Namespaces.WSSE
        + "\" xmlns:wsse11=\""
        + Namespaces.WSSE11
        + "\" wsse11:TokenType=\""
        + ENCRYPTED_KEY
        + "\">"
        + named
        + "</wsse:SecurityTokenReference>";
  }

  /** From whose password, and how, a key comes (WSS 1.1 UsernameToken profile section 4). */
  public static String usernameKey(String id, String username, byte[] salt, int iterations) {
    return "<wsse:UsernameToken xmlns:wsse=\""
        + Namespaces.WSSE
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" wsu:Id=\""
        + id
        + "\"><wsse:Username>"
        + text(username)
        + "</wsse:Username><wsse11:Salt xmlns:wsse11=\""
        + Namespaces.WSSE11
        + "\">"
        + base64(salt)
        + "</wsse11:Salt><wsse11:Iteration xmlns:wsse11=\""
        + Namespaces.WSSE11
        + "\">"
        + iterations
        + "</wsse11:Iteration></wsse:UsernameToken>";
  }

  /** The context itself, which key of it after a renewal (WS-SecureConversation 1.4 section 8). */
  public static String contextReference(SecurityContext context) {
    String namespace = context.namespace();
    String instance = context.instance();
    return "<wsse:SecurityTokenReference xmlns:wsse=\""
        + Namespaces.WSSE
        + "\"><wsse:Reference"
        + (instance == null ? "" : " xmlns:wsc=\"" + namespace + "\"")
        + " URI=\""
        + attribute(context.identifier())
        + "\" ValueType=\""
        + namespace
        + "/sct\""
        + (instance == null ? "" : " wsc:Instance=\"" + attribute(instance) + "\"")
        + "></wsse:Reference></wsse:SecurityTokenReference>";
  }

  /** The value of an attribute, between double quotes. */
  public static String attribute(String value) {
    return XmlText.escapeAttribute(value).replace("&gt;", ">").replace("&#39;", "'");
  }

  /** A certificate that the receiver knows, by its SHA-1. */
  public static String thumbprint(byte[] sha1) {
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

  /** A certificate, or a path of them. */
  public static String binaryToken(String id, String valueType, byte[] token) {
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
  public static String derivedKey(
      String namespace, String id, String reference, int length, byte[] nonce) {
    return "<wsc:DerivedKeyToken xmlns:wsc=\""
        + namespace
        + "\" xmlns:wsu=\""
        + Namespaces.WSU
        + "\" Algorithm=\""
        + namespace
        + "/dk/p_sha1\" wsu:Id=\""
        + id
        + "\">"
        + reference
        + "<wsc:Offset>0</wsc:Offset><wsc:Length>"
        + length
        + "</wsc:Length><wsc:Nonce>"
        + base64(nonce)
        + "</wsc:Nonce></wsc:DerivedKeyToken>";
  }

  /**
   * An encrypted key.
   *
   * @param reference to whom it is encrypted for
   * @param encrypted identifiers of what it encrypts; none for no list
   */
  public static String encryptedKey(
      String id, String transport, String reference, byte[] wrapped, Collection<String> encrypted) {
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
        + "</xenc:CipherValue></xenc:CipherData>"
        + (encrypted.isEmpty() ? "" : references(encrypted, ""))
        + "</xenc:EncryptedKey>";
  }

  /** The hash of OAEP that goes with a key transport where one writes, as a URI. */
  public static String oaepDigestOf(String transport) {
    return transport.equals(Namespaces.XENC11 + "rsa-oaep")
        ? Namespaces.XENC + "sha256"
        : Namespaces.DS + "sha1";
  }

  private static String keyTransport(String transport) {
    String digest = oaepDigestOf(transport);
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

  /** What stands in the place of what was encrypted. */
  public static void encryptedData(
      String id, String type, String algorithm, String reference, Octets encrypted, Octets out) {
    out.put("<xenc:EncryptedData xmlns:xenc=\"" + Namespaces.XENC + "\" Id=\"");
    out.put(id);
    out.put("\" Type=\"");
    out.put(type);
    out.put("\"><xenc:EncryptionMethod Algorithm=\"");
    out.put(algorithm);
    out.put("\"></xenc:EncryptionMethod><ds:KeyInfo xmlns:ds=\"" + Namespaces.DS + "\">");
    out.put(reference);
    out.put("</ds:KeyInfo><xenc:CipherData><xenc:CipherValue>");
    out.reserve(encrypted.size() / 3 * 4 + 256);
    // In pieces of a multiple of three bytes, so that they can stand one after the other.
    for (int from = 0; from < encrypted.size(); from += PIECE) {
      int length = Math.min(PIECE, encrypted.size() - from);
      ByteBuffer coded =
          Base64.getEncoder().encode(ByteBuffer.wrap(encrypted.array(), from, length));
      out.put(coded.array(), 0, coded.limit());
    }
    out.put("</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>");
  }

  /**
   * One part that a signature covers: by its id, in exclusive canonical form.
   *
   * @param prefixes that are declared there though nothing visibly uses them; an empty one stands
   *     for the default namespace
   */
  public static void covered(
      String id, String algorithm, byte[] digest, Collection<String> prefixes, Octets out) {
    out.put("<ds:Reference URI=\"#");
    out.put(attribute(id));
    out.put("\"><ds:Transforms><ds:Transform Algorithm=\"" + Namespaces.EXC_C14N + "\">");
    if (!prefixes.isEmpty()) {
      out.put("<ec:InclusiveNamespaces xmlns:ec=\"" + Namespaces.EXC_C14N + "\" PrefixList=\"");
      String space = "";
      for (String prefix : prefixes) {
        out.put(space);
        out.put(prefix.isEmpty() ? CanonicalForm.DEFAULT : prefix);
        space = " ";
      }
      out.put("\"></ec:InclusiveNamespaces>");
    }
    out.put("</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"");
    out.put(algorithm);
    out.put("\"></ds:DigestMethod><ds:DigestValue>");
    out.put(Base64.getEncoder().encode(digest));
    out.put("</ds:DigestValue></ds:Reference>");
  }

  /** Gives the value of a signature over a part of an array. */
  @FunctionalInterface
  public interface Signer {
    /** Signs. */
    byte[] sign(byte[] data, int from, int length) throws GeneralSecurityException;
  }

  /**
   * A signature.
   *
   * @param id by which another one may cover it; null for none
   * @param algorithm its URI
   * @param covered what it covers, one after the other
   * @param reference to the key
   * @return its value
   */
  public static byte[] signature(
      @Nullable String id,
      String algorithm,
      Octets covered,
      Signer signer,
      String reference,
      Octets out)
      throws GeneralSecurityException {
    // As an apex, which is how it is signed; within the signature it declares nothing.
    var info = new Octets(covered.size() + 512);
    info.put(SIGNED_INFO);
    info.put("<ds:CanonicalizationMethod Algorithm=\"" + Namespaces.EXC_C14N);
    info.put("\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"");
    info.put(algorithm);
    info.put("\"></ds:SignatureMethod>");
    info.put(covered.array(), 0, covered.size());
    info.put("</ds:SignedInfo>");
    byte[] value = signer.sign(info.array(), 0, info.size());
    out.put("<ds:Signature xmlns:ds=\"" + Namespaces.DS + "\"");
    if (id != null) {
      out.put(" Id=\"");
      out.put(id);
      out.put('"');
    }
    out.put("><ds:SignedInfo>");
    out.put(info.array(), SIGNED_INFO.length(), info.size() - SIGNED_INFO.length());
    out.put("<ds:SignatureValue>");
    out.put(Base64.getEncoder().encode(value));
    out.put("</ds:SignatureValue><ds:KeyInfo>");
    out.put(reference);
    out.put("</ds:KeyInfo></ds:Signature>");
    return value;
  }

  /** What a key encrypts, by identifiers. */
  public static String references(Collection<String> ids) {
    return references(ids, " xmlns:xenc=\"" + Namespaces.XENC + "\"");
  }

  private static String references(Collection<String> ids, String declaration) {
    var out = new StringBuilder("<xenc:ReferenceList").append(declaration).append('>');
    for (String id : ids) {
      out.append("<xenc:DataReference URI=\"#").append(id).append("\"></xenc:DataReference>");
    }
    return out.append("</xenc:ReferenceList>").toString();
  }

  /** One header block of WS-Addressing. */
  public static String addressing(String name, String id, String content) {
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

  /** When a message was made and until when it is good. */
  public static String timestamp(String id, String created, String expires) {
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
