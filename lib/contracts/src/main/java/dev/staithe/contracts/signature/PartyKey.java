package dev.staithe.contracts.signature;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.keys.PublicKeyOperations;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The public half of a host's contract key. Immutable and thread-safe. */
public final class PartyKey {
  private static final String PUBLIC_KEY = "-----BEGIN PUBLIC KEY-----";

  private final ECKey jwk;

  /** Id of the first key of the set that it came in; its own where it came alone. */
  private final String set;

  private final PublicKeyOperations key;

  private PartyKey(ECKey jwk, String set) throws JOSEException {
    this.jwk = jwk;
    this.set = set;
    this.key = PublicKeyOperations.of(jwk.toECPublicKey());
  }

  /** Takes a key on P-256. */
  public static PartyKey of(ECPublicKey key) {
    try {
      ECKey jwk =
          new ECKey.Builder(Curve.P_256, key)
              .keyIDFromThumbprint()
              .algorithm(com.nimbusds.jose.JWSAlgorithm.ES256)
              .keyUse(com.nimbusds.jose.jwk.KeyUse.SIGNATURE)
              .build();
      return new PartyKey(jwk, jwk.getKeyID());
    } catch (JOSEException | IllegalStateException e) {
      // Of a point that is not on the curve its library says the state is illegal.
      throw new IllegalArgumentException("no key on P-256", e);
    }
  }

  /**
   * Reads a PEM file with a public key (RFC 7468 section 13), or with the private one, of which the
   * public half is taken.
   *
   * @throws PemException with one line where there is none, or one that is not on P-256
   */
  public static PartyKey read(Path file) throws PemException {
    String text = Pem.readText(file);
    int begin = text.indexOf(PUBLIC_KEY);
    if (begin < 0) {
      return ContractKey.read(file).publicKey();
    }
    try {
      String encoded = text.substring(begin + PUBLIC_KEY.length());
      int end = encoded.indexOf('-');
      byte[] der = Base64.getMimeDecoder().decode(end < 0 ? encoded : encoded.substring(0, end));
      if (KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der))
          instanceof ECPublicKey ec) {
        return of(ec);
      }
    } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
      // Told below.
    }
    throw new PemException(file + " holds no public EC key: expected one on the curve P-256");
  }

  /** The same key, which signs until then and not later: it stays published, with that end. */
  public PartyKey until(Instant end) {
    try {
      return new PartyKey(new ECKey.Builder(jwk).expirationTime(Date.from(end)).build(), set);
    } catch (JOSEException e) {
      throw new IllegalStateException("a key that was on P-256 is not any more", e);
    }
  }

  /** Whether what it signed at that time counts. */
  public boolean signsAt(Instant time) {
    Date end = jwk.getExpirationTime();
    return end == null || !time.isAfter(end.toInstant());
  }

  /** Whether both came in one set, and so are of one party. */
  public boolean ofOnePartyWith(PartyKey other) {
    return set.equals(other.set);
  }

  private PartyKey in(String ofSet) throws JOSEException {
    return new PartyKey(jwk, ofSet);
  }

  /**
   * Reads a JWK set (RFC 7517 section 5). Keys on other curves are passed over, and the names that
   * a set gives its keys: a key's id is its thumbprint. A key that has ended says so by {@code
   * exp}.
   *
   * @return keys by their id
   * @throws ParseException where this is no JWK set
   */
  public static Map<String, PartyKey> readSet(String json) throws ParseException {
    Map<String, PartyKey> keys = new LinkedHashMap<>();
    String set = "";
    for (JWK each : JWKSet.parse(json).getKeys()) {
      if (each instanceof ECKey ec && Curve.P_256.equals(ec.getCurve())) {
        try {
          PartyKey key = of(ec.toECPublicKey());
          set = set.isEmpty() ? key.id() : set;
          key = key.in(set);
          Date end = each.getExpirationTime();
          keys.put(key.id(), end == null ? key : key.until(end.toInstant()));
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
  public static PartyKey ofJson(Map<String, Object> jwk) throws ParseException {
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
  public Map<String, Object> json() {
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
