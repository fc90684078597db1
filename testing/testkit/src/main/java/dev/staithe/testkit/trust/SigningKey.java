package dev.staithe.testkit.trust;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.pki.keys.RsaKeys;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Map;

/**
 * A key that signs tokens.
 *
 * @param kid its id in the issuer's key set
 * @param algorithm the JWS algorithm that it signs with
 */
public record SigningKey(String kid, Algorithm algorithm, KeyPair pair) {
  /** JWS algorithms (RFC 7518, RFC 8037). */
  public enum Algorithm {
    /** RSA PKCS 1 v1.5. */
    RS256("SHA256withRSA"),
    /** RSA PKCS 1 v1.5. */
    RS512("SHA512withRSA"),
    /** RSA PSS. */
    PS256("RSASSA-PSS"),
    /** NIST P-256. */
    ES256("SHA256withECDSAinP1363Format"),
    /** NIST P-384. */
    ES384("SHA384withECDSAinP1363Format"),
    /** Ed25519. */
    EdDSA("Ed25519");

    private final String signature;

    Algorithm(String signature) {
      this.signature = signature;
    }

    private KeyPair generate() throws GeneralSecurityException {
      return switch (this) {
        case RS256, RS512, PS256 -> RsaKeys.make(2048);
        case ES256, ES384 -> {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
          generator.initialize(new ECGenParameterSpec(this == ES256 ? "secp256r1" : "secp384r1"));
          yield generator.generateKeyPair();
        }
        case EdDSA -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      };
    }
  }

  /** Makes a key. */
  public static SigningKey generate(String kid, Algorithm algorithm) {
    try {
      return new SigningKey(kid, algorithm, algorithm.generate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a key for " + algorithm, e);
    }
  }

  byte[] sign(byte[] content) {
    try {
      if (algorithm.signature.endsWith("withRSA")) {
        // Not by the JDK, which takes ten times as long where only the first compiler runs.
        return PrivateKeyOperations.of(pair.getPrivate())
            .sign(algorithm.signature, content, 0, content.length);
      }
      Signature signature = Signature.getInstance(algorithm.signature);
      if (algorithm == Algorithm.PS256) {
        signature.setParameter(
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
      }
      PrivateKey key = pair.getPrivate();
      signature.initSign(key);
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign with " + algorithm, e);
    }
  }

  /** Its public part as a member of a JWK set. */
  public Map<String, Object> publicJwk() {
    PublicKey key = pair.getPublic();
    JWK jwk =
        switch (key) {
          case RSAPublicKey rsa -> new RSAKey.Builder(rsa).keyID(kid).build();
          case ECPublicKey ec ->
              new ECKey.Builder(algorithm == Algorithm.ES256 ? Curve.P_256 : Curve.P_384, ec)
                  .keyID(kid)
                  .build();
          case EdECPublicKey ed ->
              new OctetKeyPair.Builder(Curve.Ed25519, encoded(ed)).keyID(kid).build();
          default -> throw new IllegalStateException("no JWK for " + key.getAlgorithm());
        };
    return jwk.toJSONObject();
  }

  /** The last 32 bytes of the key's DER form are RFC 8032's encoding. */
  private static Base64URL encoded(EdECPublicKey key) {
    byte[] der = key.getEncoded();
    byte[] raw = new byte[32];
    System.arraycopy(der, der.length - 32, raw, 0, 32);
    return Base64URL.encode(raw);
  }
}
