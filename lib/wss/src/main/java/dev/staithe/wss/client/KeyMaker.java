package dev.staithe.wss.client;

import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the keys of each message that a binding asks for. Thread-safe. */
final class KeyMaker {
  static final String TOKEN_ID = "st-token";

  private static final int NONCE = 16;
  private static final int SALT = 16;
  private static final int ITERATIONS = 1000;

  private final EndpointPolicy policy;
  private final AlgorithmSuite suite;
  private final Holder holder;
  private final @Nullable SecurityContext context;
  private final String binaryToken;
  private final String serviceReference;
  private final String derivation;
  private final @Nullable OwnKey own;
  private final @Nullable KnownCertificate service;

  /**
   * Judges what the holder has.
   *
   * @throws UnusableMessage where it is not what the policy demands
   */
  KeyMaker(EndpointPolicy policy, Holder holder, @Nullable SecurityContext context)
      throws UnusableMessage {
    this.policy = policy;
    this.suite = policy.suite();
    this.holder = holder;
    this.context = context;
    this.derivation = policy.conversationNamespace();
    this.own = holder.credential() == null ? null : OwnKey.of(holder.credential());
    this.service = holder.service() == null ? null : KnownCertificate.of(List.of(holder.service()));
    String token = "";
    String reference = "";
    switch (policy.binding()) {
      case Binding.Asymmetric _ -> {
        token = binaryToken(TOKEN_ID, own());
        reference = SecurityElements.thumbprint(service().thumbprint());
      }
      case Binding.EncryptedKey _ ->
          reference = SecurityElements.thumbprint(service().thumbprint());
      case Binding.UsernameKeys _ -> {
        holder.userName();
        holder.userPassword();
      }
      case Binding.Conversation _ -> {
        if (context == null) {
          throw new UnusableMessage("the policy demands a context, which is to be asked for first");
        }
      }
      case Binding.None(), Binding.Transport _ -> {}
    }
    this.binaryToken = token;
    this.serviceReference = reference;
  }

  /** The key of whoever calls. */
  OwnKey own() throws UnusableMessage {
    if (own == null) {
      throw new UnusableMessage("the policy demands a certificate with its key");
    }
    return own;
  }

  private KnownCertificate service() throws UnusableMessage {
    if (service == null) {
      throw new UnusableMessage("the policy demands the certificate of the service");
    }
    return service;
  }

  /** One certificate, or the whole path where there is more, as for proxies. */
  static String binaryToken(String id, OwnKey own) throws UnusableMessage {
    List<X509Certificate> chain = own.certificate().chain();
    if (chain.size() == 1) {
      return SecurityElements.binaryToken(
          id, SecurityElements.X509_V3, own.certificate().encoded());
    }
    try {
      byte[] path =
          CertificateFactory.getInstance("X.509").generateCertPath(chain).getEncoded("PkiPath");
      return SecurityElements.binaryToken(id, SecurityElements.PKI_PATH, path);
    } catch (CertificateException e) {
      throw new UnusableMessage("one's own certificate cannot be encoded");
    }
  }

  static String tokenReference(OwnKey own, String id) {
    return SecurityElements.reference(
        id,
        own.certificate().chain().size() == 1
            ? SecurityElements.X509_V3
            : SecurityElements.PKI_PATH);
  }

  /** Fresh keys; null where the policy asks for none. */
  @Nullable MessageKeys make() throws UnusableMessage, GeneralSecurityException {
    return switch (policy.binding()) {
      case Binding.None(), Binding.Transport _ -> null;
      case Binding.Asymmetric _ -> asymmetric();
      case Binding.Conversation each -> inContext(each.derivedKeys());
      case Binding.EncryptedKey each -> encryptedKey(each.derivedKeys());
      case Binding.UsernameKeys each -> username(each.derivedKeys());
    };
  }

  /** What answers are protected by, where that is known before a request; else null. */
  Reply.@Nullable Keys answers() throws UnusableMessage {
    return switch (policy.binding()) {
      case Binding.None(), Binding.Transport _ -> new Reply.Keys.None();
      case Binding.Asymmetric _ -> new Reply.Keys.ToCertificate(service().chain().getFirst());
      case Binding.Conversation _ -> context == null ? null : new Reply.Keys.InContext(context);
      case Binding.EncryptedKey _, Binding.UsernameKeys _ -> null;
    };
  }

  private MessageKeys asymmetric() throws UnusableMessage, GeneralSecurityException {
    OwnKey signer = own();
    byte[] key = Primitives.random(suite.encryptionKeyBytes());
    byte[] wrapped = service().wrap(suite.keyTransport(), key);
    String signature = signer.signature(suite);
    return new MessageKeys(
        List.of(binaryToken),
        encrypted ->
            SecurityElements.encryptedKey(
                "st-key", suite.keyTransport(), serviceReference, wrapped, encrypted),
        key,
        SecurityElements.encryptedKeyReference("st-key"),
        signature,
        (data, from, length) -> signer.sign(signature, data, from, length),
        tokenReference(signer, TOKEN_ID),
        new Reply.Keys.ToCertificate(service().chain().getFirst()));
  }

  private MessageKeys inContext(boolean derived) throws UnusableMessage {
    SecurityContext in = context;
    byte[] secret = in == null ? null : in.secret();
    if (in == null || secret == null) {
      throw new UnusableMessage("the context has been cancelled");
    }
    String namespace = in.namespace();
    String instance = in.instance();
    String token =
        "<wsc:SecurityContextToken xmlns:wsc=\""
            + namespace
            + "\" xmlns:wsu=\""
            + Namespaces.WSU
            + "\" wsu:Id=\""
            + TOKEN_ID
            + "\"><wsc:Identifier>"
            + SecurityElements.text(in.identifier())
            + "</wsc:Identifier>"
            + (instance == null
                ? ""
                : "<wsc:Instance>" + SecurityElements.text(instance) + "</wsc:Instance>")
            + "</wsc:SecurityContextToken>";
    return symmetric(
        List.of(token),
        SecurityElements.reference(TOKEN_ID, namespace + "/sct"),
        namespace,
        secret,
        derived,
        new Reply.Keys.InContext(in));
  }

  private MessageKeys encryptedKey(boolean derived)
      throws UnusableMessage, GeneralSecurityException {
    byte[] secret = Primitives.random(suite.encryptionKeyBytes());
    byte[] wrapped = service().wrap(suite.keyTransport(), secret);
    String token =
        SecurityElements.encryptedKey(
            TOKEN_ID, suite.keyTransport(), serviceReference, wrapped, List.of());
    byte[] sha1 = Primitives.digest(Namespaces.DS + "sha1", wrapped);
    return symmetric(
        List.of(token),
        SecurityElements.encryptedKeyReference(TOKEN_ID),
        derivation,
        secret,
        derived,
        new Reply.Keys.ByEncryptedKey(sha1, secret));
  }

  private MessageKeys username(boolean derived) throws UnusableMessage {
    String user = holder.userName();
    byte[] salt = Primitives.random(SALT);
    // WSS 1.1 UsernameToken profile section 4: what the key is for, here a signature first of all.
    salt[0] = 1;
    byte[] secret = passwordKey(holder.userPassword(), salt, ITERATIONS);
    String token = SecurityElements.usernameKey(TOKEN_ID, user, salt, ITERATIONS);
    return symmetric(
        List.of(token),
        SecurityElements.reference(TOKEN_ID, SecurityElements.USERNAME_TOKEN),
        derivation,
        secret,
        derived,
        new Reply.Keys.ByUsername(user, salt, ITERATIONS, secret));
  }

  /** WSS 1.1 UsernameToken profile section 4: SHA-1 of password and salt, again and again. */
  static byte[] passwordKey(byte[] password, byte[] salt, int iterations) {
    MessageDigest sha1 = Primitives.digest(Namespaces.DS + "sha1");
    sha1.update(password);
    byte[] key = sha1.digest(salt);
    for (int i = 1; i < iterations; i++) {
      key = sha1.digest(key);
    }
    return key;
  }

  private MessageKeys symmetric(
      List<String> tokens,
      String reference,
      String namespace,
      byte[] secret,
      boolean derived,
      Reply.Keys answer) {
    String mac = suite.symmetricSignature();
    if (!derived) {
      byte[] encryption =
          Arrays.copyOf(secret, Math.min(secret.length, suite.encryptionKeyBytes()));
      return new MessageKeys(
          tokens,
          null,
          encryption,
          reference,
          mac,
          (data, from, length) -> Primitives.mac(mac, secret, data, from, length),
          reference,
          answer);
    }
    byte[] encryptionNonce = Primitives.random(NONCE);
    byte[] signatureNonce = Primitives.random(NONCE);
    byte[] encryption =
        KeyDerivation.P_SHA1.derive(secret, encryptionNonce, 0, suite.encryptionKeyBytes());
    byte[] signature =
        KeyDerivation.P_SHA1.derive(secret, signatureNonce, 0, suite.signatureKeyBytes());
    return new MessageKeys(
        List.of(
            tokens.getFirst(),
            SecurityElements.derivedKey(
                namespace, "st-dk-e", reference, suite.encryptionKeyBytes(), encryptionNonce),
            SecurityElements.derivedKey(
                namespace, "st-dk-s", reference, suite.signatureKeyBytes(), signatureNonce)),
        null,
        encryption,
        SecurityElements.reference("st-dk-e", namespace + "/dk"),
        mac,
        (data, from, length) -> Primitives.mac(mac, signature, data, from, length),
        SecurityElements.reference("st-dk-s", namespace + "/dk"),
        answer);
  }
}
