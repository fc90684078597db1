package dev.staithe.storage.authz;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import dev.staithe.storage.authz.TokenAlgorithm.KeyKind;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The signing keys of an issuer (RFC 7517). Keys that cannot sign tokens here - secrets, encryption
 * keys, RSA below 2048 bits, other curves, keys without {@code kid} - are left out one by one, so
 * that one odd key does not cost the others.
 */
record KeySet(List<Key> keys) {
  private static final int LEAST_RSA_BITS = 2048;

  /** All that counts of a key; certificates and private parts are not even read. */
  private static final List<String> MEMBERS =
      List.of("kty", "kid", "alg", "use", "n", "e", "crv", "x", "y");

  /**
   * One key.
   *
   * @param algorithm the only algorithm it is for, or null
   */
  record Key(String kid, KeyKind kind, @Nullable String algorithm, PublicKey key) {
    boolean serves(TokenAlgorithm wanted) {
      return kind == wanted.keyKind() && (algorithm == null || algorithm.equals(wanted.name()));
    }
  }

  KeySet {
    keys = List.copyOf(keys);
  }

  /**
   * Reads a JWK set.
   *
   * @throws ParseException with one safe line where there is no usable key in it
   */
  static KeySet parse(String json) throws ParseException {
    Object members;
    try {
      members = Json.object(json).get("keys");
    } catch (ParseException e) {
      throw new ParseException("the key set is not JSON", 0);
    }
    if (!(members instanceof List<?> list)) {
      throw new ParseException("the key set has no member keys", 0);
    }
    List<Key> keys = new ArrayList<>();
    for (Object member : list) {
      if (member instanceof Map<?, ?> map) {
        Key key = key(map);
        if (key != null) {
          keys.add(key);
        }
      }
    }
    if (keys.isEmpty()) {
      throw new ParseException(
          "the key set has no usable key: want RSA of 2048 bits, P-256, P-384 or Ed25519 with kid",
          0);
    }
    return new KeySet(keys);
  }

  private static @Nullable Key key(Map<?, ?> written) {
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
      if (kid == null || kid.isEmpty() || !use.equals("sig")) {
        return null;
      }
      String algorithm = jwk.getAlgorithm() == null ? null : jwk.getAlgorithm().getName();
      return switch (jwk) {
        case RSAKey rsa -> {
          RSAPublicKey key = rsa.toRSAPublicKey();
          yield key.getModulus().bitLength() < LEAST_RSA_BITS
              ? null
              : new Key(kid, KeyKind.RSA, algorithm, key);
        }
        case ECKey ec when ec.getCurve().equals(Curve.P_256) ->
            new Key(kid, KeyKind.P256, algorithm, ec.toECPublicKey());
        case ECKey ec when ec.getCurve().equals(Curve.P_384) ->
            new Key(kid, KeyKind.P384, algorithm, ec.toECPublicKey());
        case OctetKeyPair okp when okp.getCurve().equals(Curve.Ed25519) ->
            new Key(kid, KeyKind.ED25519, algorithm, ed25519(okp.getDecodedX()));
        default -> null;
      };
    } catch (ParseException
        | JOSEException
        | GeneralSecurityException
        | RuntimeException unusable) {
      return null; // Nimbus answers some malformed keys with unchecked exceptions.
    }
  }

  /** RFC 8032 section 5.1.2: y, little-endian, with the sign of x in its highest bit. */
  private static PublicKey ed25519(byte[] encoded) throws GeneralSecurityException {
    if (encoded.length != 32) {
      throw new GeneralSecurityException("an Ed25519 key has 32 bytes");
    }
    byte[] y = new byte[32];
    for (int i = 0; i < 32; i++) {
      y[i] = encoded[31 - i];
    }
    boolean odd = (y[0] & 0x80) != 0;
    y[0] &= 0x7f;
    return KeyFactory.getInstance("Ed25519")
        .generatePublic(
            new EdECPublicKeySpec(
                NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, y))));
  }

  /** The key of that id which that algorithm may use. */
  @Nullable PublicKey find(String kid, TokenAlgorithm algorithm) {
    for (Key key : keys) {
      if (key.kid().equals(kid) && key.serves(algorithm)) {
        return key.key();
      }
    }
    return null;
  }
}
