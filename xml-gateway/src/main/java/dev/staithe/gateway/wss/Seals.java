package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Algorithms;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.derivedKey.ConversationConstants;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.message.WSSecDKEncrypt;
import org.apache.wss4j.dom.message.WSSecDKSign;
import org.apache.wss4j.dom.message.WSSecDerivedKeyBase;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.w3c.dom.Element;

/** Signs and encrypts an answer with the keys that its request leads to. */
sealed interface Seals {
  /** Encrypts parts; those of a header are wrapped in EncryptedHeader. */
  void encrypt(List<WSEncryptionPart> parts) throws WSSecurityException;

  /** Signs parts, and gives the signature. */
  Element sign(List<WSEncryptionPart> parts) throws WSSecurityException;

  /**
   * Ends: nothing is signed or encrypted after. Puts what is used before what uses it, as a strict
   * layout has it: readers that go from top to bottom, WSS4J's among them, must know a token before
   * what is derived from it.
   */
  default void finish() {}

  /** Those for the keys of a reply. */
  static Seals of(
      Reply.Keys keys, EndpointPolicy policy, WSSecHeader security, Supplier<Credential> own)
      throws RefusedMessage {
    return switch (keys) {
      case Reply.Keys.ToCertificate(X509Certificate certificate) ->
          new ByCertificate(
              policy.suite(),
              security,
              own,
              certificate,
              policy.binding() instanceof Binding.Asymmetric asymmetric
                  && asymmetric.answersBringCertificate());
      case Reply.Keys.InContext(SecurityContext context) -> {
        byte[] secret = context.secret();
        if (secret == null) {
          throw new RefusedMessage(Refusal.CONTEXT, "the context was cancelled meanwhile");
        }
        yield new BySecret(
            policy.suite(),
            security,
            own,
            secret,
            new SecretName.OfContext(context),
            policy.binding() instanceof Binding.Conversation conversation
                && conversation.derivedKeys());
      }
      case Reply.Keys.ByEncryptedKey byKey ->
          new BySecret(
              policy.suite(),
              security,
              own,
              byKey.key(),
              new SecretName.OfEncryptedKey(byKey.sha1()),
              policy.binding() instanceof Binding.EncryptedKey encryptedKey
                  && encryptedKey.derivedKeys());
      case Reply.Keys.ByUsername byUsername ->
          new BySecret(
              policy.suite(),
              security,
              own,
              byUsername.key(),
              SecretName.OfPassword.of(byUsername, security),
              policy.binding() instanceof Binding.UsernameKeys usernameKeys
                  && usernameKeys.derivedKeys());
      case Reply.Keys.None none -> throw new IllegalArgumentException("no keys");
    };
  }

  /** Signs with our own key, and encrypts for the other's. */
  record ByCertificate(
      AlgorithmSuite suite,
      WSSecHeader security,
      Supplier<Credential> own,
      X509Certificate certificate,
      boolean bring)
      implements Seals {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Override
    public void encrypt(List<WSEncryptionPart> parts) throws WSSecurityException {
      if (parts.isEmpty()) {
        return;
      }
      byte[] key = new byte[suite.encryptionKeyBytes()];
      RANDOM.nextBytes(key);
      var encrypt = new WSSecEncrypt(security);
      encrypt.setUseThisCert(certificate);
      encrypt.setKeyIdentifierType(WSConstants.THUMBPRINT_IDENTIFIER);
      encrypt.setKeyEncAlgo(suite.keyTransport());
      if (suite.keyTransport().equals(Algorithms.RSA_OAEP)) {
        encrypt.setDigestAlgorithm(Namespaces.XENC + "sha256");
        encrypt.setMGFAlgorithm(Namespaces.XENC11 + "mgf1sha256");
      }
      encrypt.setSymmetricEncAlgorithm(suite.encryption());
      encrypt.getParts().addAll(parts);
      encrypt.build(new OwnCrypto(own), new SecretKeySpec(key, "AES"));
    }

    @Override
    public Element sign(List<WSEncryptionPart> parts) throws WSSecurityException {
      // One for all of it: files change.
      Credential now = own.get();
      var sign = new WSSecSignature(security);
      sign.setUserInfo("own", "");
      sign.setKeyIdentifierType(
          bring ? WSConstants.BST_DIRECT_REFERENCE : WSConstants.THUMBPRINT_IDENTIFIER);
      sign.setSignatureAlgorithm(AlgorithmCheck.with(suite, now.key()));
      sign.setDigestAlgo(suite.digest());
      sign.getParts().addAll(parts);
      sign.build(new OwnCrypto(() -> now));
      return sign.getSignatureElement();
    }
  }

  /** Signs and encrypts under a secret that both know, or keys derived from it. */
  record BySecret(
      AlgorithmSuite suite,
      WSSecHeader security,
      Supplier<Credential> own,
      byte[] secret,
      SecretName name,
      boolean derived)
      implements Seals {
    @Override
    public void encrypt(List<WSEncryptionPart> parts) throws WSSecurityException {
      if (parts.isEmpty()) {
        return;
      }
      if (!derived) {
        var encrypt = new WSSecEncrypt(security);
        encrypt.setEncryptSymmKey(false);
        encrypt.setSymmetricEncAlgorithm(suite.encryption());
        name.name(encrypt);
        encrypt.getParts().addAll(parts);
        byte[] key = Arrays.copyOf(secret, suite.encryptionKeyBytes());
        encrypt.build(new OwnCrypto(own), new SecretKeySpec(key, "AES"));
        return;
      }
      var encrypt = new WSSecDKEncrypt(security);
      prepare(encrypt);
      encrypt.setSymmetricEncAlgorithm(suite.encryption());
      encrypt.setDerivedKeyLength(suite.encryptionKeyBytes());
      encrypt.getParts().addAll(parts);
      encrypt.build(secret);
    }

    @Override
    public Element sign(List<WSEncryptionPart> parts) throws WSSecurityException {
      if (!derived) {
        var sign = new WSSecSignature(security);
        name.name(sign);
        sign.setSecretKey(secret);
        sign.setSignatureAlgorithm(suite.symmetricSignature());
        sign.setDigestAlgo(suite.digest());
        sign.getParts().addAll(parts);
        sign.build(new OwnCrypto(own));
        return sign.getSignatureElement();
      }
      var sign = new WSSecDKSign(security);
      prepare(sign);
      sign.setSignatureAlgorithm(suite.symmetricSignature());
      sign.setDigestAlgorithm(suite.digest());
      sign.setDerivedKeyLength(suite.signatureKeyBytes());
      sign.getParts().addAll(parts);
      sign.build(secret);
      return sign.getSignatureElement();
    }

    @Override
    public void finish() {
      switch (name) {
        case SecretName.OfPassword password -> {
          Element header = security.getSecurityHeaderElement();
          header.insertBefore(password.token(), header.getFirstChild());
        }
        // A copy that is ours.
        case SecretName.OfContext context -> Arrays.fill(secret, (byte) 0);
        case SecretName.OfEncryptedKey key -> {}
      }
    }

    private void prepare(WSSecDerivedKeyBase derived) throws WSSecurityException {
      derived.setWscVersion(
          name.namespace().equals(Namespaces.SC_2005)
              ? ConversationConstants.VERSION_05_02
              : ConversationConstants.VERSION_05_12);
      name.name(derived);
    }
  }
}
