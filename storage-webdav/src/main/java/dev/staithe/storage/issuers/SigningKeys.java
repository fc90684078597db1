package dev.staithe.storage.issuers;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.crypto.impl.EdDSAProvider;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Base64URL;
import dev.staithe.pki.keys.Ed25519;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which keys of an issuer may sign (RFC 7517), and by which algorithms (RFC 7518 section 3, RFC
 * 8037). Each algorithm goes with one kind of key, so that a token cannot choose how its key is
 * used; there is no shared-secret algorithm among them.
 */
final class SigningKeys {
  /** The signatures that are accepted. */
  static final List<JWSAlgorithm> ALGORITHMS =
      List.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.EdDSA);

  private static final int LEAST_RSA_BITS = 2048;

  /** All that counts of a key; certificates and private parts are not even read. */
  private static final List<String> MEMBERS =
      List.of("kty", "kid", "alg", "use", "n", "e", "crv", "x", "y");

  /** What an Ed25519 key has before its 32 bytes in DER (RFC 8410 section 4). */
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private SigningKeys() {}

  /**
   * Reads a JWK set. Keys that cannot sign tokens here - secrets, encryption keys, RSA below 2048
   * bits, other curves, keys without {@code kid} - are left out one by one, so that one odd key
   * does not cost the others.
   *
   * @throws ParseException with one safe line where there is no usable key in it
   */
  static JWKSet parse(String json) throws ParseException {
    Object members;
    try {
      members = Json.object(json).get("keys");
    } catch (ParseException e) {
      throw new ParseException("the key set is not JSON", 0);
    }
    if (!(members instanceof List<?> list)) {
      throw new ParseException("the key set has no member keys", 0);
    }
    List<JWK> keys = new ArrayList<>();
    for (Object member : list) {
      JWK key = member instanceof Map<?, ?> map ? usable(map) : null;
      if (key != null) {
        keys.add(key);
      }
    }
    if (keys.isEmpty()) {
      throw new ParseException(
          "the key set has no usable key: want RSA of 2048 bits, P-256, P-384 or Ed25519 with kid",
          0);
    }
    return new JWKSet(keys);
  }

  private static @Nullable JWK usable(Map<?, ?> written) {
    Map<String, Object> relevant = new HashMap<>();
    for (String member : MEMBERS) {
      Object value = written.get(member);
      if (value != null) {
        relevant.put(member, value);
      }
    }
    try {
      JWK jwk = JWK.parse(relevant);
      String kid = jwk.getKeyID();
      String use = jwk.getKeyUse() == null ? "sig" : jwk.getKeyUse().identifier();
      boolean usable =
          switch (jwk) {
            case RSAKey rsa -> rsa.size() >= LEAST_RSA_BITS;
            case ECKey ec -> ec.getCurve().equals(Curve.P_256) || ec.getCurve().equals(Curve.P_384);
            case OctetKeyPair pair -> pair.getCurve().equals(Curve.Ed25519);
            default -> false;
          };
      if (!usable || kid == null || kid.isEmpty() || !use.equals("sig")) {
        return null;
      }
      publicKey(jwk);
      return jwk;
    } catch (ParseException | KeySourceException | RuntimeException unusable) {
      return null; // Nimbus answers some malformed keys with unchecked exceptions.
    }
  }

  private static PublicKey publicKey(JWK jwk) throws KeySourceException {
    try {
      return jwk instanceof OctetKeyPair pair
          ? ed25519(pair.getDecodedX())
          : ((AsymmetricJWK) jwk).toPublicKey();
    } catch (JOSEException | GeneralSecurityException e) {
      throw new KeySourceException("no public key: " + e.getMessage(), e);
    }
  }

  private static PublicKey ed25519(byte[] x) throws GeneralSecurityException {
    byte[] der = Arrays.copyOf(ED25519_PREFIX, ED25519_PREFIX.length + x.length);
    System.arraycopy(x, 0, der, ED25519_PREFIX.length, x.length);
    return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
  }

  /** The first key of the token's {@code kid} that its algorithm may use, and no other. */
  static JWSKeySelector<SecurityContext> selector(JWKSource<SecurityContext> keys) {
    return (header, context) -> {
      if (!ALGORITHMS.contains(header.getAlgorithm())) {
        return List.of();
      }
      List<JWK> fitting = keys.get(new JWKSelector(matcher(header)), context);
      return fitting.isEmpty() ? List.of() : List.of(publicKey(fitting.getFirst()));
    };
  }

  /**
   * Not the library's matcher for a header, which looks at no curve of EC keys, but at thumbprints
   * of certificates.
   */
  private static JWKMatcher matcher(JWSHeader header) {
    JWSAlgorithm algorithm = header.getAlgorithm();
    return new JWKMatcher.Builder()
        .keyType(KeyType.forAlgorithm(algorithm))
        .curves(Curve.forJWSAlgorithm(algorithm))
        .keyID(header.getKeyID())
        .algorithms(algorithm, null)
        .build();
  }

  /** The library's verifiers, and our own for Ed25519, where the library wants another one. */
  static final class Verifiers extends DefaultJWSVerifierFactory {
    @Override
    public JWSVerifier createJWSVerifier(JWSHeader header, Key key) throws JOSEException {
      return key instanceof EdECPublicKey ed25519
          ? new OctetKeyVerifier(ed25519)
          : super.createJWSVerifier(header, key);
    }
  }

  private static final class OctetKeyVerifier extends EdDSAProvider implements JWSVerifier {
    private final byte[] key;

    OctetKeyVerifier(EdECPublicKey key) {
      byte[] spki = key.getEncoded();
      this.key = Arrays.copyOfRange(spki, ED25519_PREFIX.length, spki.length);
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signed, Base64URL signature) {
      return Ed25519.verify(key, signed, signature.decode());
    }
  }
}
