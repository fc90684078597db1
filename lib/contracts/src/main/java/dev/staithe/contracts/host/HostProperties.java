package dev.staithe.contracts.host;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a host says of itself before data move to it: a JWT of type {@code hpl+jwt} by its contract
 * key, with the profile claim of EAT (RFC 9711 section 4.3.2). It is its word; nothing here proves
 * that the word is true. A quote of its TPM may be beside it, which says what the machine booted.
 *
 * @param issuer the host's origin, as {@code https://a.example:8443}
 * @param issued when it was signed
 * @param expires within {@link #LONGEST} of that
 * @param values by name; a value is a text, a list of them, or a map of such values
 * @param attestation what its TPM says
 * @param text the JWT
 */
public record HostProperties(
    String issuer,
    Instant issued,
    Instant expires,
    Map<String, Object> values,
    Attestation attestation,
    String text) {
  /** The longest that a list is good for. */
  public static final Duration LONGEST = Duration.ofHours(1);

  /**
   * Longer ones are not read: they are in the head of each request, and kept with each contract.
   */
  static final int MOST_CHARS = 8 * 1024;

  public static final String TYPE = "hpl+jwt";
  private static final String PROFILE = "tag:staithe.dev,2026:host-properties";

  /** From when on its host signs a new one: half of its time is left to whoever got it before. */
  public Instant renewed() {
    return expires.minus(LONGEST.dividedBy(2));
  }

  /** Whether a list that was verified before is still of this hour. */
  public boolean isGood(Instant now) {
    return !issued.isAfter(now.plus(MessageSignature.SKEW))
        && !expires.isBefore(now.minus(MessageSignature.SKEW));
  }

  private static final String QUOTE = "tpm-quote";

  /** Has a TPM quote. */
  public interface Quoting {
    /** A quote with that qualifying data; empty where there is none now. */
    Optional<SignedQuote> quote(byte[] qualifyingData);
  }

  /** Signs a list that is good for an hour from now. */
  public static HostProperties sign(
      String issuer, Map<String, Object> values, ContractKey key, Instant now) {
    return sign(issuer, values, key, now, qualifyingData -> Optional.empty());
  }

  /** The same, with a quote that was made for it, where the TPM makes one. */
  public static HostProperties sign(
      String issuer, Map<String, Object> values, ContractKey key, Instant now, Quoting tpm) {
    Instant issued = Instant.ofEpochSecond(now.getEpochSecond());
    Instant expires = issued.plus(LONGEST);
    byte[] qualifyingData = SignedQuote.qualifyingData(key.id(), issuer, issued, expires);
    Optional<SignedQuote> quote = tpm.quote(qualifyingData);
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("typ", TYPE);
    header.put("alg", "ES256");
    header.put("kid", key.id());
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", issuer);
    claims.put("iat", issued.getEpochSecond());
    claims.put("exp", expires.getEpochSecond());
    claims.put("eat_profile", PROFILE);
    claims.put("host", values);
    quote.ifPresent(made -> claims.put(QUOTE, made.json()));
    String input = part(header) + "." + part(claims);
    String text =
        input + "." + Base64URL.encode(key.sign(input.getBytes(StandardCharsets.US_ASCII)));
    Attestation attestation =
        quote.map(made -> attestation(made, qualifyingData)).orElseGet(Attestation.None::new);
    return new HostProperties(issuer, issued, expires, values, attestation, text);
  }

  private static Attestation attestation(SignedQuote quote, byte[] qualifyingData) {
    try {
      return new Attestation.Quoted(quote.key(), quote.verify(qualifyingData));
    } catch (BadSignature unfit) {
      return new Attestation.Unfit(unfit.line());
    }
  }

  /** What the list that this key signed brings along: a quote that does not fit is for nothing. */
  private static Attestation attestation(JWTClaimsSet claims, String keyId) throws BadSignature {
    try {
      if (claims.getClaim(QUOTE) == null) {
        return new Attestation.None();
      }
      return attestation(
          SignedQuote.ofJson(claims.getJSONObjectClaim(QUOTE)),
          SignedQuote.qualifyingData(
              keyId,
              String.valueOf(claims.getIssuer()),
              instant(claims.getIssueTime()),
              instant(claims.getExpirationTime())));
    } catch (BadSignature | ParseException malformed) {
      return new Attestation.Unfit("the quote lacks an attestation key, its data or its signature");
    }
  }

  private static String part(Map<String, Object> json) {
    return Base64URL.encode(JSONObjectUtils.toJSONString(json)).toString();
  }

  /**
   * Who says to have signed it, unverified: to look for that host's keys.
   *
   * @throws BadSignature where it cannot be read
   */
  public static String claimedIssuer(String text) throws BadSignature {
    requireShort(text);
    try {
      String issuer = SignedJWT.parse(text).getJWTClaimsSet().getIssuer();
      if (issuer != null) {
        return issuer;
      }
    } catch (ParseException unreadable) {
      // Told below.
    }
    throw new BadSignature("the host properties name no issuer");
  }

  /**
   * Verifies a list.
   *
   * @param keys of the host that it says to be of, by id
   * @throws BadSignature with the first reason why it is not good
   */
  public static HostProperties verify(String text, Map<String, PartyKey> keys, Instant now)
      throws BadSignature {
    requireShort(text);
    try {
      SignedJWT jwt = SignedJWT.parse(text);
      JWSHeader header = jwt.getHeader();
      if (!JWSAlgorithm.ES256.equals(header.getAlgorithm())
          || header.getType() == null
          || !TYPE.equals(header.getType().getType())) {
        throw new BadSignature("the host properties are not of type " + TYPE + " by ES256");
      }
      PartyKey key = header.getKeyID() == null ? null : keys.get(header.getKeyID());
      if (key == null || !key.verify(jwt.getSigningInput(), jwt.getSignature().decode())) {
        throw new BadSignature("the host properties are not signed by a key of their host");
      }
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      requireThisHour(claims, now);
      Instant issued = instant(claims.getIssueTime());
      Instant expires = instant(claims.getExpirationTime());
      if (!key.signsAt(issued)) {
        throw new BadSignature("the host properties were signed after their key had ended");
      }
      Map<String, Object> values = claims.getJSONObjectClaim("host");
      String issuer = claims.getIssuer();
      if (values == null || issuer == null || !PROFILE.equals(claims.getClaim("eat_profile"))) {
        throw new BadSignature("the host properties are of another profile");
      }
      return new HostProperties(
          issuer, issued, expires, values, attestation(claims, key.id()), text);
    } catch (ParseException | IllegalStateException unreadable) {
      throw new BadSignature("the host properties cannot be read");
    }
  }

  /**
   * Whether others read a list of that length.
   *
   * @throws BadSignature with one line where they do not
   */
  public static void requireShort(String text) throws BadSignature {
    if (text.length() > MOST_CHARS) {
      throw new BadSignature(
          "the property list has "
              + text.length()
              + " characters with all that it brings along, and at most "
              + MOST_CHARS
              + " are read");
    }
  }

  /**
   * Whether a list is good now, and for an hour at most; clocks may differ by {@link
   * MessageSignature#SKEW}.
   *
   * @throws BadSignature with one line where it is not
   */
  public static void requireThisHour(JWTClaimsSet claims, Instant now) throws BadSignature {
    Instant issued = instant(claims.getIssueTime());
    Instant expires = instant(claims.getExpirationTime());
    if (issued.isAfter(now.plus(MessageSignature.SKEW))
        || expires.isBefore(now.minus(MessageSignature.SKEW))
        || Duration.between(issued, expires).compareTo(LONGEST) > 0) {
      throw new BadSignature("the host properties are not of this hour: do the clocks agree?");
    }
  }

  private static Instant instant(Date date) throws BadSignature {
    if (date == null) {
      throw new BadSignature("the host properties have no time");
    }
    return date.toInstant();
  }
}
