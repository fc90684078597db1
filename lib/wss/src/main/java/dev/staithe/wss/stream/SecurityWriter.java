package dev.staithe.wss.stream;

import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.crypto.AlgorithmNames;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.Octets;
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
    String algorithm = AlgorithmNames.digest(suite.digest());
    if (algorithm == null) {
      throw new Strange("a digest that is not known");
    }
    MessageDigest digest = work.digest(algorithm);
    digest.update(octets, from, length);
    SecurityElements.covered(id, suite.digest(), digest.digest(), prefixes, references);
  }

  void timestamp(Instant now, Duration freshness, Octets out) throws Strange {
    String id = work.nextId("t");
    int from = out.size();
    out.put(SecurityElements.timestamp(id, now.toString(), now.plus(freshness).toString()));
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
  void keys(Octets out) throws GeneralSecurityException {
    SecurityContext in = context;
    KnownCertificate to = recipient;
    List<String> encrypted = encryptedId == null ? List.of() : List.of(encryptedId);
    if (in != null) {
      if (derived && !encrypted.isEmpty()) {
        derivation(in, contentId, suite.encryptionKeyBytes(), contentNonce, out);
      }
      if (!encrypted.isEmpty()) {
        out.put(SecurityElements.references(encrypted));
      }
      if (derived) {
        derivation(in, macId, suite.signatureKeyBytes(), macNonce, out);
      }
    } else if (to != null) {
      if (bringsCertificate()) {
        byte[] own = certificates.own().certificate().encoded();
        out.put(SecurityElements.binaryToken(macId, SecurityElements.X509_V3, own));
      }
      if (!encrypted.isEmpty()) {
        String transport = suite.keyTransport();
        out.put(
            SecurityElements.encryptedKey(
                contentId,
                transport,
                SecurityElements.thumbprint(to.thumbprint()),
                to.wrap(transport, contentKey),
                encrypted));
      }
    }
  }

  private boolean bringsCertificate() {
    return policy.binding() instanceof Binding.Asymmetric asymmetric
        && asymmetric.answersBringCertificate();
  }

  private static void derivation(
      SecurityContext in, String id, int length, byte[] nonce, Octets out) {
    String from = SecurityElements.contextReference(in);
    out.put(SecurityElements.derivedKey(in.namespace(), id, from, length, nonce));
  }

  /** An {@code xenc:EncryptedData} in the place of what was encrypted. */
  void encryptedData(String id, Octets cipher, Octets out) {
    encryptedId = id;
    SecurityElements.encryptedData(
        id,
        SecurityElements.CONTENT,
        suite.encryption(),
        context == null
            ? SecurityElements.encryptedKeyReference(contentId)
            : inContext(context, contentId),
        cipher,
        out);
  }

  /** A key that is derived from the context, or the context itself. */
  private String inContext(SecurityContext in, String id) {
    return derived
        ? SecurityElements.reference(id, in.namespace() + "/dk")
        : SecurityElements.contextReference(in);
  }

  /** The signature over all that was added. */
  byte[] signature(Octets out) throws GeneralSecurityException {
    SecurityContext in = context;
    if (in != null) {
      return SecurityElements.signature(
          null,
          suite.symmetricSignature(),
          references,
          this::authenticated,
          inContext(in, macId),
          out);
    }
    // Under a context there need not be a certificate of our own.
    OwnKey own = certificates.own();
    String algorithm = own.signature(suite);
    return SecurityElements.signature(
        null,
        algorithm,
        references,
        (data, from, length) -> own.sign(algorithm, data, from, length),
        bringsCertificate()
            ? SecurityElements.reference(macId, SecurityElements.X509_V3)
            : SecurityElements.thumbprint(own.certificate().thumbprint()),
        out);
  }

  private byte[] authenticated(byte[] data, int from, int length) throws GeneralSecurityException {
    String algorithm = AlgorithmNames.mac(suite.symmetricSignature());
    if (algorithm == null) {
      throw new GeneralSecurityException("a MAC that is not known");
    }
    Mac mac = work.mac(algorithm);
    mac.init(new SecretKeySpec(macKey, algorithm));
    mac.update(data, from, length);
    return mac.doFinal();
  }
}
