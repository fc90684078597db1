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
 * as it stands. What is used stands before what uses it (the layout Strict), and what the receiver
 * has to do first stands first: what was encrypted after it was signed before the signature, what
 * was encrypted before that behind it.
 */
final class SecurityWriter {
  private static final int NONCE = 16;
  private final Workspace work;
  private final Certificates certificates;
  private final EndpointPolicy policy;
  private final AlgorithmSuite suite;
  private final Octets references = new Octets(1024);
  private final Octets confirmations = new Octets(16);
  private final List<byte[]> secrets = new ArrayList<>(3);
  private final List<String> first = new ArrayList<>(2);
  private final List<String> afterwards = new ArrayList<>(2);
  private boolean prepared;
  private boolean derived;
  private String token = "";
  private String secretReference = "";
  private String conversation = Namespaces.SC_13;
  private byte[] macKey = new byte[0];
  private byte[] contentKey = new byte[0];
  private byte[] macNonce = new byte[0];
  private byte[] contentNonce = new byte[0];
  private @Nullable KnownCertificate recipient;

  /** Ours of this message, whatever becomes ours meanwhile; null where a secret is shared. */
  private @Nullable OwnKey own;

  private final String macId;
  private final String contentId;

  SecurityWriter(Workspace work, Certificates certificates, EndpointPolicy policy) {
    this.work = work;
    this.certificates = certificates;
    this.policy = policy;
    this.suite = policy.suite();
    this.macId = work.nextId("s");
    this.contentId = work.nextId("k");
  }

  /** Makes the keys of this message. */
  void prepare(Reply.Keys keys) throws UnsupportedShape {
    if (prepared) {
      return;
    }
    prepared = true;
    switch (keys) {
      case Reply.Keys.InContext(SecurityContext in) -> {
        byte[] secret = in.secret();
        if (secret == null) {
          throw new UnsupportedShape("the context was cancelled meanwhile");
        }
        conversation = in.namespace();
        symmetric(secret, SecurityElements.contextReference(in));
        Arrays.fill(secret, (byte) 0);
      }
      case Reply.Keys.ByEncryptedKey by ->
          symmetric(by.key(), SecurityElements.encryptedKeyReference(by.sha1()));
      case Reply.Keys.ByUsername by -> {
        String id = work.nextId("u");
        token = SecurityElements.usernameKey(id, by.username(), by.salt(), by.iterations());
        symmetric(by.key(), SecurityElements.reference(id, SecurityElements.USERNAME_TOKEN));
      }
      case Reply.Keys.ToCertificate(X509Certificate certificate) -> {
        recipient = certificates.of(certificate);
        own = certificates.own();
        contentKey = random(suite.encryptionKeyBytes());
      }
      case Reply.Keys.None none -> throw new IllegalArgumentException("no keys");
    }
    secrets.add(macKey);
    secrets.add(contentKey);
  }

  private void symmetric(byte[] secret, String reference) {
    secretReference = reference;
    derived =
        switch (policy.binding()) {
          case Binding.Conversation each -> each.derivedKeys();
          case Binding.EncryptedKey each -> each.derivedKeys();
          case Binding.UsernameKeys each -> each.derivedKeys();
          case Binding.None _, Binding.Transport _, Binding.Asymmetric _ -> false;
        };
    if (derived) {
      macNonce = random(NONCE);
      contentNonce = random(NONCE);
      macKey = KeyDerivation.P_SHA1.derive(secret, macNonce, 0, suite.signatureKeyBytes());
      contentKey = KeyDerivation.P_SHA1.derive(secret, contentNonce, 0, suite.encryptionKeyBytes());
    } else {
      macKey = secret.clone();
      contentKey = Arrays.copyOf(secret, suite.encryptionKeyBytes());
    }
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
  void sign(String id, List<String> prefixes, byte[] octets, int from, int length)
      throws UnsupportedShape {
    String algorithm = AlgorithmNames.digest(suite.digest());
    if (algorithm == null) {
      throw new UnsupportedShape("a digest that is not known");
    }
    MessageDigest digest = work.digest(algorithm);
    digest.update(octets, from, length);
    SecurityElements.covered(id, suite.digest(), digest.digest(), prefixes, references);
  }

  void timestamp(Instant now, Duration freshness, Octets out) throws UnsupportedShape {
    String id = work.nextId("t");
    int from = out.size();
    out.put(SecurityElements.timestamp(id, now.toString(), now.plus(freshness).toString()));
    sign(id, List.of(), out.array(), from, out.size() - from);
  }

  /**
   * WSS 1.1 section 8.5: one for each signature, and an empty one where there was none. Encrypted
   * where the signature is (WS-SecurityPolicy 1.3 section 6.5).
   */
  void confirm(List<byte[]> values) throws UnsupportedShape, GeneralSecurityException {
    int count = Math.max(1, values.size());
    for (int i = 0; i < count; i++) {
      String id = work.nextId("c");
      Octets out = confirmations;
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
      if (policy.encryptSignature()) {
        encrypt(SecurityElements.ELEMENT, out, from, first);
      }
    }
  }

  /** Puts an {@code xenc:EncryptedData} in the place of what an array ends with. */
  void encrypt(String type, Octets out, int from) throws GeneralSecurityException {
    encrypt(type, out, from, policy.encryptBeforeSigning() ? afterwards : first);
  }

  private void encrypt(String type, Octets out, int from, List<String> opened)
      throws GeneralSecurityException {
    String id = work.nextId("e");
    opened.add(id);
    work.plain.clear();
    work.cipher.encrypt(
        suite.encryption(), contentKey, out.array(), from, out.size() - from, work.plain);
    out.truncate(from);
    SecurityElements.encryptedData(
        id, type, suite.encryption(), contentReference(), work.plain, out);
    work.plain.clear();
  }

  private String contentReference() {
    return recipient != null
        ? SecurityElements.encryptedKeyReference(contentId)
        : secretReference(contentId);
  }

  /** A key that is derived from the secret, or the secret itself. */
  private String secretReference(String id) {
    return derived ? SecurityElements.reference(id, conversation + "/dk") : secretReference;
  }

  /**
   * Writes tokens, lists of what is encrypted, and the signature over all that was added.
   *
   * @return the value of the signature
   */
  byte[] protection(Octets out) throws GeneralSecurityException {
    boolean hidden = policy.encryptSignature();
    if (!hidden) {
      out.put(confirmations.array(), 0, confirmations.size());
    }
    out.put(token);
    OwnKey signer = own;
    if (signer != null && bringsCertificate()) {
      byte[] certificate = signer.certificate().encoded();
      out.put(SecurityElements.binaryToken(macId, SecurityElements.X509_V3, certificate));
    }
    var signature = new Octets(references.size() + 2048);
    byte[] value = signature(signature);
    if (hidden) {
      encrypt(SecurityElements.ELEMENT, signature, 0, first);
    }
    opening(first, true, out);
    if (hidden) {
      out.put(confirmations.array(), 0, confirmations.size());
    }
    if (derived) {
      out.put(derivation(macId, suite.signatureKeyBytes(), macNonce));
    }
    out.put(signature.array(), 0, signature.size());
    opening(afterwards, first.isEmpty(), out);
    return value;
  }

  /** What is decrypted in this place, with its key where that was not before. */
  private void opening(List<String> encrypted, boolean withKey, Octets out)
      throws GeneralSecurityException {
    if (encrypted.isEmpty()) {
      return;
    }
    KnownCertificate to = recipient;
    if (withKey && to != null) {
      String transport = suite.keyTransport();
      out.put(
          SecurityElements.encryptedKey(
              contentId,
              transport,
              SecurityElements.thumbprint(to.thumbprint()),
              to.wrap(transport, contentKey),
              encrypted));
      return;
    }
    if (withKey && derived) {
      out.put(derivation(contentId, suite.encryptionKeyBytes(), contentNonce));
    }
    out.put(SecurityElements.references(encrypted));
  }

  private String derivation(String id, int length, byte[] nonce) {
    return SecurityElements.derivedKey(conversation, id, secretReference, length, nonce);
  }

  private boolean bringsCertificate() {
    return policy.binding() instanceof Binding.Asymmetric asymmetric
        && asymmetric.answersBringCertificate();
  }

  private byte[] signature(Octets out) throws GeneralSecurityException {
    // CXF knows by it that the signature was encrypted.
    String id = policy.encryptSignature() ? work.nextId("x") : null;
    OwnKey signer = own;
    if (signer == null) {
      // Under a shared secret there need not be a certificate of our own.
      return SecurityElements.signature(
          id,
          suite.symmetricSignature(),
          references,
          this::authenticated,
          secretReference(macId),
          out);
    }
    String algorithm = signer.signature(suite);
    return SecurityElements.signature(
        id,
        algorithm,
        references,
        (data, from, length) -> signer.sign(algorithm, data, from, length),
        bringsCertificate()
            ? SecurityElements.reference(macId, SecurityElements.X509_V3)
            : SecurityElements.thumbprint(signer.certificate().thumbprint()),
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
