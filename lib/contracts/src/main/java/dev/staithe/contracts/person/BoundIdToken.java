package dev.staithe.contracts.person;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyConverter;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.keys.Ed25519;
import java.security.Key;
import java.security.PublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An ID token that names the key of the person who logged in (OpenID Connect Key Binding 1.0, RFC
 * 7800 section 3.2). Who does not hold the key can do nothing with it, so that it may be kept where
 * an access token may not. Immutable.
 *
 * @param issuer who says it
 * @param subject of whom, by that issuer
 * @param audience the clients that she logged in by
 * @param key hers
 * @param issued when
 * @param expires until when the issuer answers for it
 * @param jwt the token itself, unverified
 */
public record BoundIdToken(
    String issuer,
    String subject,
    List<String> audience,
    PartyKey key,
    Instant issued,
    Instant expires,
    SignedJWT jwt)
    implements Voucher {
  /** By which no other ID token, and no access token, passes for one of these. */
  public static final String TYPE = "dpop+id_token";

  /** A URL without query and fragment (OpenID Connect Core 1.0 section 2), so without blanks. */
  private static final Pattern ISSUER = Pattern.compile("https?://[!-~&&[^?#]]+");

  private static final Pattern SUBJECT = Pattern.compile("[!-~]([ -~]{0,253}[!-~])?");

  /** None is by a secret. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.EdDSA);

  /** Takes a copy. */
  public BoundIdToken {
    audience = List.copyOf(audience);
  }

  /**
   * What a token says, of which nothing is verified yet.
   *
   * @throws BadSignature with one line where it is none that names a key
   */
  public static BoundIdToken claimed(String text) throws BadSignature {
    try {
      SignedJWT jwt = SignedJWT.parse(text);
      if (jwt.getHeader().getType() == null
          || !TYPE.equals(jwt.getHeader().getType().getType().toLowerCase(Locale.ROOT))) {
        throw new BadSignature("the ID token is not of type " + TYPE);
      }
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      BoundIdToken token =
          new BoundIdToken(
              claimed(claims.getIssuer(), ISSUER, "iss"),
              claimed(claims.getSubject(), SUBJECT, "sub"),
              claims.getAudience(),
              key(claims),
              time(claims.getIssueTime()),
              time(claims.getExpirationTime()),
              jwt);
      if (token.name().length() > PersonProperties.LONGEST_NAME) {
        throw new BadSignature(
            "issuer and subject of the ID token have more than the "
                + PersonProperties.LONGEST_NAME
                + " characters of a party of a contract");
      }
      return token;
    } catch (ParseException | IllegalArgumentException e) {
      throw new BadSignature("the ID token cannot be read");
    }
  }

  private static String claimed(String value, Pattern form, String claim) throws BadSignature {
    if (value == null || !form.matcher(value).matches()) {
      throw new BadSignature("the ID token has no " + claim + " that could be in a contract");
    }
    return value;
  }

  private static Instant time(Date date) throws BadSignature {
    if (date == null) {
      throw new BadSignature("the ID token does not say from when and until when it is good");
    }
    return date.toInstant();
  }

  private static PartyKey key(JWTClaimsSet claims) throws BadSignature, ParseException {
    Map<String, Object> confirmed = claims.getJSONObjectClaim("cnf");
    Map<String, Object> jwk =
        confirmed == null ? null : JSONObjectUtils.getJSONObject(confirmed, "jwk");
    if (jwk == null) {
      throw new BadSignature("the ID token names no key (cnf)");
    }
    return PartyKey.ofJson(jwk);
  }

  /**
   * Issuer and subject. It has an equals sign, as no host's name has, and begins as no name of a
   * certificate can (RFC 4514 section 3); an issuer has no blank.
   */
  @Override
  public String name() {
    return "openid:iss=" + issuer + " sub=" + subject;
  }

  /** The token's text. */
  public String text() {
    return jwt.serialize();
  }

  /**
   * Whether the issuer answers for it at a time.
   *
   * @param leeway that clocks may differ by at its beginning
   * @param grace the same at its end
   * @throws BadSignature where it does not
   */
  public void requireGood(Instant at, Duration leeway, Duration grace) throws BadSignature {
    if (issued.isAfter(at.plus(leeway))) {
      throw new BadSignature("the ID token is of later than now: do the clocks agree?");
    }
    if (!at.isBefore(expires.plus(grace))) {
      throw new BadSignature("the ID token has expired");
    }
  }

  /**
   * Whether one of these keys, which are the issuer's, signed it.
   *
   * @throws BadSignature where none did
   */
  void requireSignedBy(JWKSet keys) throws BadSignature {
    JWSHeader header = jwt.getHeader();
    JWKMatcher fits = JWKMatcher.forJWSHeader(header);
    if (ALGORITHMS.contains(header.getAlgorithm()) && fits != null) {
      for (JWK each : new JWKSelector(fits).select(keys)) {
        if (signedBy(each)) {
          return;
        }
      }
    }
    throw new BadSignature("the ID token of " + issuer + " is signed by none of the issuer's keys");
  }

  private boolean signedBy(JWK jwk) {
    if (jwk instanceof OctetKeyPair pair) {
      // Whose verifier the library takes from another one.
      return Ed25519.verify(pair.getDecodedX(), jwt.getSigningInput(), jwt.getSignature().decode());
    }
    try {
      for (Key key : KeyConverter.toJavaKeys(List.of(jwk))) {
        if (key instanceof PublicKey
            && jwt.verify(
                new DefaultJWSVerifierFactory().createJWSVerifier(jwt.getHeader(), key))) {
          return true;
        }
      }
    } catch (JOSEException | IllegalStateException unfit) {
      // A key of another kind or curve.
    }
    return false;
  }

  /** Whose it is: the token is no secret, but long. */
  @Override
  public String toString() {
    return "BoundIdToken[" + name() + "]";
  }
}
