package dev.staithe.contracts;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.staithe.tls.PublicKeyOperations;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The public half of a host's contract key. Immutable and thread-safe. */
public final class PartyKey {
  private final ECKey jwk;
  private final PublicKeyOperations key;

  private PartyKey(ECKey jwk) throws JOSEException {
    this.jwk = jwk;
    this.key = PublicKeyOperations.of(jwk.toECPublicKey());
  }

  /** Takes a key on P-256. */
  public static PartyKey of(ECPublicKey key) {
    try {
      return new PartyKey(
          new ECKey.Builder(Curve.P_256, key)
              .keyIDFromThumbprint()
              .algorithm(com.nimbusds.jose.JWSAlgorithm.ES256)
              .keyUse(com.nimbusds.jose.jwk.KeyUse.SIGNATURE)
              .build());
    } catch (JOSEException e) {
      throw new IllegalArgumentException("no key on P-256", e);
    }
  }

  /**
   * Reads a JWK set (RFC 7517 section 5). Keys on other curves are passed over, and the names that
   * a set gives its keys: a key's id is its thumbprint.
   *
   * @return keys by their id
   * @throws ParseException where this is no JWK set
   */
  public static Map<String, PartyKey> readSet(String json) throws ParseException {
    Map<String, PartyKey> keys = new LinkedHashMap<>();
    for (JWK each : JWKSet.parse(json).getKeys()) {
      if (each instanceof ECKey ec && Curve.P_256.equals(ec.getCurve())) {
        try {
          PartyKey key = of(ec.toECPublicKey());
          keys.put(key.id(), key);
        } catch (JOSEException | IllegalArgumentException notOnTheCurve) {
          // Of no use to anybody.
        }
      }
    }
    return Map.copyOf(keys);
  }

  /**
   * Reads one public key (RFC 7517 section 4).
   *
   * @throws ParseException where this is none on P-256
   */
  static PartyKey ofJson(Map<String, Object> jwk) throws ParseException {
    if (JWK.parse(jwk) instanceof ECKey ec && Curve.P_256.equals(ec.getCurve())) {
      try {
        return of(ec.toECPublicKey());
      } catch (JOSEException | IllegalArgumentException notOnTheCurve) {
        // Told below.
      }
    }
    throw new ParseException("no key on P-256", 0);
  }

  /** As a JWK. */
  Map<String, Object> json() {
    return jwk.toJSONObject();
  }

  /** Writes a JWK set. */
  public static String writeSet(List<PartyKey> keys) {
    return new JWKSet(keys.stream().<JWK>map(key -> key.jwk).toList()).toString();
  }

  /** Its JWK thumbprint by SHA-256 (RFC 7638), in base64url. */
  public String id() {
    return Objects.requireNonNull(jwk.getKeyID());
  }

  /** Whether this key made that signature; one that is no such thing at all does not fit. */
  public boolean verify(byte[] data, byte[] signature) {
    if (signature.length != ContractKey.SIGNATURE_BYTES) {
      return false;
    }
    try {
      return key.verify(
          "SHA256withECDSA", data, 0, data.length, ECDSA.transcodeSignatureToDER(signature));
    } catch (GeneralSecurityException | JOSEException unreadable) {
      return false;
    }
  }
}
