package dev.staithe.wss.stream;

import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.Octets;
import dev.staithe.xml.XmlText;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Writes a security header. Each part declares what it uses, and so is in exclusive canonical form
 * as it stands. What is used stands before what uses it (the layout Strict).
 */
final class SecurityWriter {
  private static final int NONCE = 16;
  private static final int PIECE = 3 << 14;
  private static final String WSU = "xmlns:wsu=\"" + Namespaces.WSU + "\" wsu:Id=\"";
  private static final String ENCODING =
      "\" EncodingType=\"http://docs.oasis-open.org/wss/2004/01/"
          + "oasis-200401-wss-soap-message-security-1.0#Base64Binary\">";
  private static final String THUMBPRINT =
      "<wsse:KeyIdentifier ValueType=\"http://docs.oasis-open.org/wss/"
          + "oasis-wss-soap-message-security-1.1#ThumbprintSHA1"
          + ENCODING;
  private static final String ENCRYPTED_KEY =
      "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKey";
  private static final String X509 =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3";

  private final Work work;
  private final Certificates certificates;
  private final EndpointPolicy policy;
  private final AlgorithmSuite suite;
  private final Octets references = new Octets(1024);
  private final List<byte[]> secrets = new ArrayList<>(3);
  private boolean prepared;
  private @Nullable SecurityContext context;
  private boolean derived;
  private byte[] macKey = new byte[0];
  private byte[] contentKey = new byte[0];
  private byte[] macNonce = new byte[0];
  private byte[] contentNonce = new byte[0];
  private @Nullable KnownCertificate recipient;
  private @Nullable String encryptedId;
  private final String macId;
  private final String contentId;

  SecurityWriter(Work work, Certificates certificates, EndpointPolicy policy) {
    this.work = work;
    this.certificates = certificates;
    this.policy = policy;
    this.suite = policy.suite();
    this.macId = work.nextId("s");
    this.contentId = work.nextId("k");
  }

  /** Makes the keys of this message. */
  void prepare(Reply.Keys keys) throws Strange {
    if (prepared) {
      return;
    }
    prepared = true;
    switch (keys) {
      case Reply.Keys.InContext(SecurityContext in) -> {
        byte[] secret = in.secret();
        if (secret == null) {
          throw new Strange("the context was cancelled meanwhile");
        }
        context = in;
        derived =
            policy.binding() instanceof Binding.Conversation conversation
                && conversation.derivedKeys();
        if (derived) {
          macNonce = random(NONCE);
          contentNonce = random(NONCE);
          macKey = KeyDerivation.P_SHA1.derive(secret, macNonce, 0, suite.signatureKeyBytes());
          contentKey =
              KeyDerivation.P_SHA1.derive(secret, contentNonce, 0, suite.encryptionKeyBytes());
        } else {
          macKey = secret.clone();
          contentKey = Arrays.copyOf(secret, suite.encryptionKeyBytes());
        }
        Arrays.fill(secret, (byte) 0);
      }
      case Reply.Keys.ToCertificate(X509Certificate certificate) -> {
        recipient = certificates.of(certificate);
        contentKey = random(suite.encryptionKeyBytes());
      }
      default -> throw new Strange("an answer by other keys");
    }
    secrets.add(macKey);
    secrets.add(contentKey);
  }

  /** The key that content is encrypted under. */
  byte[] encryptionKey() {
    return contentKey;
  }

  /** Overwrites the keys. */
  void forget() {
    for (byte[] each : secrets) {
      Arrays.fill(each, (byte) 0);
    }
  }

  private byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    work.random.nextBytes(random);
    return random;
  }

  void begin(String soap, Octets out) {
    out.put("<wsse:Security xmlns:wsse=\"" + Namespaces.WSSE + "\" ");
    out.put(soap);
    out.put(":mustUnderstand=\"1\">");
  }

  void end(Octets out) {
    out.put("</wsse:Security>");
  }

  /** Adds a reference to a part that is in canonical form. */
  void sign(String id, List<String> prefixes, byte[] octets, int from, int length) throws Strange {
    Octets out = references;
    out.put("<ds:Reference URI=\"#");
    out.put(id);
    out.put("\"><ds:Transforms><ds:Transform Algorithm=\"" + Namespaces.EXC_C14N + "\">");
    if (!prefixes.isEmpty()) {
      out.put("<ec:InclusiveNamespaces xmlns:ec=\"" + Namespaces.EXC_C14N + "\" PrefixList=\"");
      for (int i = 0; i < prefixes.size(); i++) {
        out.put(i == 0 ? "" : " ");
        out.put(prefixes.get(i).isEmpty() ? "#default" : prefixes.get(i));
      }
      out.put("\"></ec:InclusiveNamespaces>");
    }
    out.put("</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"");
    out.put(suite.digest());
    out.put("\"></ds:DigestMethod><ds:DigestValue>");
    String algorithm = AlgorithmNames.digest(suite.digest());
    if (algorithm == null) {
      throw new Strange("a digest that is not known");
    }
    MessageDigest digest = work.digest(algorithm);
    digest.update(octets, from, length);
    out.put(Base64.getEncoder().encode(digest.digest()));
    out.put("</ds:DigestValue></ds:Reference>");
  }

  void timestamp(Instant now, Duration freshness, Octets out) throws Strange {
    String id = work.nextId("t");
    int from = out.size();
    out.put("<wsu:Timestamp " + WSU);
    out.put(id);
    out.put("\"><wsu:Created>");
    out.put(now.toString());
    out.put("</wsu:Created><wsu:Expires>");
    out.put(now.plus(freshness).toString());
    out.put("</wsu:Expires></wsu:Timestamp>");
    sign(id, List.of(), out.array(), from, out.size() - from);
  }

  /** WSS 1.1 section 8.5: one for each signature, and an empty one where there was none. */
  void confirm(List<byte[]> values, Octets out) throws Strange {
    int count = Math.max(1, values.size());
    for (int i = 0; i < count; i++) {
      String id = work.nextId("c");
      int from = out.size();
      out.put("<wsse11:SignatureConfirmation xmlns:wsse11=\"" + Namespaces.WSSE11 + "\" ");
      out.put("xmlns:wsu=\"" + Namespaces.WSU + "\"");
      if (!values.isEmpty()) {
        out.put(" Value=\"");
        out.put(Base64.getEncoder().encode(values.get(i)));
        out.put('"');
      }
      out.put(" wsu:Id=\"");
      out.put(id);
      out.put("\"></wsse11:SignatureConfirmation>");
      sign(id, List.of(), out.array(), from, out.size() - from);
    }
  }

  /** The tokens that content is decrypted by and the signature is verified by. */
  void keys(Octets out) throws GeneralSecurityException, Strange {
    SecurityContext in = context;
    KnownCertificate to = recipient;
    if (in != null) {
      if (derived && encryptedId != null) {
        derivation(in, contentId, contentNonce, suite.encryptionKeyBytes(), out);
      }
      if (encryptedId != null) {
        referenceList(out, " xmlns:xenc=\"" + Namespaces.XENC + "\"");
      }
      if (derived) {
        derivation(in, macId, macNonce, suite.signatureKeyBytes(), out);
      }
    } else if (to != null) {
      if (bringsCertificate()) {
        out.put("<wsse:BinarySecurityToken " + WSU);
        out.put(macId);
        out.put("\" ValueType=\"" + X509 + ENCODING);
        out.put(Base64.getEncoder().encode(certificates.own().certificate().encoded()));
        out.put("</wsse:BinarySecurityToken>");
      }
      if (encryptedId != null) {
        encryptedKey(to, out);
      }
    }
  }

  private boolean bringsCertificate() {
    return policy.binding() instanceof Binding.Asymmetric asymmetric
        && asymmetric.answersBringCertificate();
  }

  private static void derivation(
      SecurityContext context, String id, byte[] nonce, int length, Octets out) {
    out.put("<wsc:DerivedKeyToken xmlns:wsc=\"");
    out.put(context.namespace());
    out.put("\" " + WSU);
    out.put(id);
    out.put("\" Algorithm=\"");
    out.put(context.namespace());
    out.put("/dk/p_sha1\">");
    contextReference(context, out);
    out.put("<wsc:Offset>0</wsc:Offset><wsc:Length>");
    out.put(Integer.toString(length));
    out.put("</wsc:Length><wsc:Nonce>");
    out.put(Base64.getEncoder().encode(nonce));
    out.put("</wsc:Nonce></wsc:DerivedKeyToken>");
  }

  private static void contextReference(SecurityContext context, Octets out) {
    out.put("<wsse:SecurityTokenReference><wsse:Reference URI=\"");
    out.put(XmlText.escapeAttribute(context.identifier()));
    out.put("\" ValueType=\"");
    out.put(context.namespace());
    out.put("/sct\"");
    instance(context, out);
    out.put("></wsse:Reference></wsse:SecurityTokenReference>");
  }

  /** Which key of a context it is, after a renewal (WS-SecureConversation 1.4 section 8). */
  private static void instance(SecurityContext context, Octets out) {
    String instance = context.instance();
    if (instance != null) {
      out.put(" xmlns:wsc=\"");
      out.put(context.namespace());
      out.put("\" wsc:Instance=\"");
      out.put(XmlText.escapeAttribute(instance));
      out.put('"');
    }
  }

  private void referenceList(Octets out, String declaration) {
    out.put("<xenc:ReferenceList");
    out.put(declaration);
    out.put("><xenc:DataReference URI=\"#");
    out.put(String.valueOf(encryptedId));
    out.put("\"></xenc:DataReference></xenc:ReferenceList>");
  }

  private void encryptedKey(KnownCertificate to, Octets out) throws GeneralSecurityException {
    boolean modern = suite.keyTransport().equals(Namespaces.XENC11 + "rsa-oaep");
    out.put("<xenc:EncryptedKey xmlns:xenc=\"" + Namespaces.XENC + "\" Id=\"");
    out.put(contentId);
    out.put("\"><xenc:EncryptionMethod Algorithm=\"");
    out.put(suite.keyTransport());
    out.put("\"><ds:DigestMethod xmlns:ds=\"" + Namespaces.DS + "\" Algorithm=\"");
    out.put(AlgorithmNames.oaepDigestOf(suite.keyTransport()));
    out.put("\"></ds:DigestMethod>");
    if (modern) {
      out.put("<xenc11:MGF xmlns:xenc11=\"" + Namespaces.XENC11 + "\" Algorithm=\"");
      out.put(Namespaces.XENC11 + "mgf1sha256\"></xenc11:MGF>");
    }
    out.put("</xenc:EncryptionMethod>");
    out.put("<ds:KeyInfo xmlns:ds=\"" + Namespaces.DS + "\"><wsse:SecurityTokenReference>");
    out.put(THUMBPRINT);
    out.put(Base64.getEncoder().encode(to.thumbprint()));
    out.put("</wsse:KeyIdentifier></wsse:SecurityTokenReference></ds:KeyInfo>");
    out.put("<xenc:CipherData><xenc:CipherValue>");
    out.put(Base64.getEncoder().encode(to.wrap(suite.keyTransport(), contentKey)));
    out.put("</xenc:CipherValue></xenc:CipherData>");
    referenceList(out, "");
    out.put("</xenc:EncryptedKey>");
  }

  /** An {@code xenc:EncryptedData} in the place of what was encrypted. */
  void encryptedData(String id, Octets cipher, Octets out) {
    encryptedId = id;
    out.put("<xenc:EncryptedData xmlns:xenc=\"" + Namespaces.XENC + "\" Id=\"");
    out.put(id);
    out.put("\" Type=\"" + Namespaces.XENC + "Content\"><xenc:EncryptionMethod Algorithm=\"");
    out.put(suite.encryption());
    out.put("\"></xenc:EncryptionMethod><ds:KeyInfo xmlns:ds=\"" + Namespaces.DS + "\">");
    SecurityContext in = context;
    out.put("<wsse:SecurityTokenReference xmlns:wsse=\"" + Namespaces.WSSE + "\"");
    if (in == null) {
      out.put(" xmlns:wsse11=\"" + Namespaces.WSSE11 + "\" wsse11:TokenType=\"");
      out.put(ENCRYPTED_KEY);
      out.put('"');
    }
    out.put("><wsse:Reference URI=\"");
    if (in != null && !derived) {
      out.put(XmlText.escapeAttribute(in.identifier()));
    } else {
      out.put('#');
      out.put(contentId);
    }
    out.put("\" ValueType=\"");
    if (in == null) {
      out.put(ENCRYPTED_KEY);
    } else {
      out.put(in.namespace());
      out.put(derived ? "/dk" : "/sct");
    }
    out.put('"');
    if (in != null && !derived) {
      instance(in, out);
    }
    out.put("></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo>");
    out.put("<xenc:CipherData><xenc:CipherValue>");
    out.reserve(cipher.size() / 3 * 4 + 256);
    // In pieces of a multiple of three bytes, so that they can stand one after the other.
    for (int from = 0; from < cipher.size(); from += PIECE) {
      int length = Math.min(PIECE, cipher.size() - from);
      ByteBuffer coded = Base64.getEncoder().encode(ByteBuffer.wrap(cipher.array(), from, length));
      out.put(coded.array(), 0, coded.limit());
    }
    out.put("</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>");
  }

  /** The signature over all that was added. */
  byte[] signature(Octets out) throws GeneralSecurityException, Strange {
    SecurityContext in = context;
    // Under a context there need not be a certificate of our own.
    OwnKey own = in == null ? certificates.own() : null;
    String algorithm = own == null ? suite.symmetricSignature() : own.signature(suite);
    out.put("<ds:Signature xmlns:ds=\"" + Namespaces.DS + "\">");
    int from = out.size();
    out.put("<ds:SignedInfo xmlns:ds=\"" + Namespaces.DS + "\"><ds:CanonicalizationMethod ");
    out.put("Algorithm=\"" + Namespaces.EXC_C14N + "\"></ds:CanonicalizationMethod>");
    out.put("<ds:SignatureMethod Algorithm=\"");
    out.put(algorithm);
    out.put("\"></ds:SignatureMethod>");
    out.put(references.array(), 0, references.size());
    out.put("</ds:SignedInfo>");
    byte[] value =
        own == null
            ? authenticated(algorithm, out, from)
            : own.sign(algorithm, out.array(), from, out.size() - from);
    out.put("<ds:SignatureValue>");
    out.put(Base64.getEncoder().encode(value));
    out.put("</ds:SignatureValue><ds:KeyInfo>");
    if (own != null) {
      ownReference(own, out);
    } else if (in != null && derived) {
      out.put("<wsse:SecurityTokenReference><wsse:Reference URI=\"#");
      out.put(macId);
      out.put("\" ValueType=\"");
      out.put(in.namespace());
      out.put("/dk\"></wsse:Reference></wsse:SecurityTokenReference>");
    } else if (in != null) {
      contextReference(in, out);
    }
    out.put("</ds:KeyInfo></ds:Signature>");
    return value;
  }

  private void ownReference(OwnKey own, Octets out) {
    out.put("<wsse:SecurityTokenReference>");
    if (bringsCertificate()) {
      out.put("<wsse:Reference URI=\"#");
      out.put(macId);
      out.put("\" ValueType=\"" + X509 + "\"></wsse:Reference>");
    } else {
      out.put(THUMBPRINT);
      out.put(Base64.getEncoder().encode(own.certificate().thumbprint()));
      out.put("</wsse:KeyIdentifier>");
    }
    out.put("</wsse:SecurityTokenReference>");
  }

  private byte[] authenticated(String uri, Octets out, int from)
      throws GeneralSecurityException, Strange {
    String algorithm = AlgorithmNames.mac(uri);
    if (algorithm == null) {
      throw new Strange("a MAC that is not known");
    }
    Mac mac = work.mac(algorithm);
    mac.init(new SecretKeySpec(macKey, algorithm));
    mac.update(out.array(), from, out.size() - from);
    return mac.doFinal();
  }
}
