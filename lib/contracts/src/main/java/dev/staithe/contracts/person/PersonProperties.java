package dev.staithe.contracts.person;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.util.Base64;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.ProxyHolder;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.pki.keys.PublicKeyOperations;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a person says before data move to her: a JWT like {@link HostProperties}. Either the key of
 * her certificate or proxy signs it, which is in it (RFC 7515 section 4.1.6), and it names a fresh
 * key (RFC 7800 section 3.2) that signs her messages of this hour, so that her own signs once. Or
 * an ID token is in it that names the fresh key, which signs the list too. Who is to be believed
 * about certificates and ID tokens is not decided here.
 *
 * @param voucher who says that it is she
 * @param key that signs her messages
 * @param values by name, as she states them
 * @param text the JWT
 */
public record PersonProperties(
    Voucher voucher, PartyKey key, Map<String, Object> values, String text) {
  /** Longer names are refused: contracts are found by them. */
  public static final int LONGEST_NAME = 300;

  private static final String PROFILE = "tag:staithe.dev,2026:person-properties";
  private static final String ID_TOKEN = "id_token";
  private static final int MOST_CERTIFICATES = 16;

  /** Nobody shall make us compute with a key that takes a second for each signature. */
  private static final int LONGEST_RSA = 8192;

  private static final int LONGEST_EXPONENT = 64;

  /** Takes a copy. */
  public PersonProperties {
    // JSON has null, which Map.copyOf has not.
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The person's name in contracts. */
  public String name() {
    return voucher.name();
  }

  /** How a certificate's key signs. */
  private enum Algorithm {
    ES256("SHA256withECDSA", 64),
    ES384("SHA384withECDSA", 96),
    RS256("SHA256withRSA", 0);

    private final String name;
    private final int ecBytes;

    Algorithm(String name, int ecBytes) {
      this.name = name;
      this.ecBytes = ecBytes;
    }

    static Algorithm of(PublicKey key) throws BadSignature {
      return switch (key) {
        case RSAPublicKey rsa
            when rsa.getModulus().bitLength() <= LONGEST_RSA
                && rsa.getPublicExponent().bitLength() <= LONGEST_EXPONENT ->
            RS256;
        case ECPublicKey ec when ec.getParams().getOrder().bitLength() == 256 -> ES256;
        case ECPublicKey ec when ec.getParams().getOrder().bitLength() == 384 -> ES384;
        default ->
            throw new BadSignature("the certificate's key is neither RSA nor on P-256 or P-384");
      };
    }
  }

  /**
   * Signs a list that is good for an hour from now.
   *
   * @param person the certificate or proxy with its key
   * @param key the fresh one
   * @throws BadSignature with one line where name or list are longer than others read
   */
  public static PersonProperties sign(
      Credential person, PartyKey key, Map<String, Object> values, Instant now)
      throws BadSignature {
    GridSubject subject = subject(person.chain());
    Algorithm algorithm = Algorithm.of(person.certificate().getPublicKey());
    Map<String, Object> header = header(algorithm);
    Map<String, Object> claims = claims(subject.name(), values, now);
    claims.put("cnf", Map.of("jwk", key.json()));
    try {
      List<String> certificates = new ArrayList<>();
      for (X509Certificate each : person.chain()) {
        certificates.add(Base64.encode(each.getEncoded()).toString());
      }
      header.put("x5c", certificates);
      String input = part(header) + "." + part(claims);
      byte[] bytes = input.getBytes(StandardCharsets.US_ASCII);
      byte[] signature =
          PrivateKeyOperations.of(person.key()).sign(algorithm.name, bytes, 0, bytes.length);
      String text =
          input
              + "."
              + Base64URL.encode(
                  algorithm.ecBytes == 0
                      ? signature
                      : ECDSA.transcodeSignatureToConcat(signature, algorithm.ecBytes));
      HostProperties.requireShort(text);
      return new PersonProperties(
          new Voucher.Certificates(subject, person.chain()), key, values, text);
    } catch (GeneralSecurityException | JOSEException e) {
      throw new BadSignature("the certificate's key does not sign: " + e.getMessage());
    }
  }

  /**
   * The same, for a person without a certificate.
   *
   * @param token that names the key
   * @param key the fresh one
   * @throws BadSignature with one line where the list is longer than others read
   */
  static PersonProperties sign(
      BoundIdToken token, ContractKey key, Map<String, Object> values, Instant now)
      throws BadSignature {
    Map<String, Object> claims = claims(token.name(), values, now);
    claims.put(ID_TOKEN, token.text());
    String input = part(header(Algorithm.ES256)) + "." + part(claims);
    String text =
        input + "." + Base64URL.encode(key.sign(input.getBytes(StandardCharsets.US_ASCII)));
    HostProperties.requireShort(text);
    return new PersonProperties(token, key.publicKey(), values, text);
  }

  private static Map<String, Object> header(Algorithm algorithm) {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("typ", HostProperties.TYPE);
    header.put("alg", algorithm.name());
    return header;
  }

  private static Map<String, Object> claims(String name, Map<String, Object> values, Instant now) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", name);
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.plus(HostProperties.LONGEST).getEpochSecond());
    claims.put("eat_profile", PROFILE);
    claims.put("host", values);
    return claims;
  }

  private static String part(Map<String, Object> json) {
    return Base64URL.encode(JSONObjectUtils.toJSONString(json)).toString();
  }

  private static GridSubject subject(List<X509Certificate> chain) throws BadSignature {
    GridSubject subject =
        ProxyHolder.of(chain)
            .orElseThrow(() -> new BadSignature("the certificates are proxies of nobody"));
    if (subject.name().length() > LONGEST_NAME) {
      throw new BadSignature(
          "the certificate's name has "
              + subject.name().length()
              + " characters, and a party of a contract at most "
              + LONGEST_NAME);
    }
    return subject;
  }

  /**
   * Whether this is a person's list and not a host's: it brings certificates or an ID token along.
   *
   * @throws BadSignature where it is no list at all, or too long a one
   */
  public static boolean isOne(String text) throws BadSignature {
    SignedJWT jwt = parsed(text);
    try {
      return jwt.getHeader().getX509CertChain() != null
          || jwt.getJWTClaimsSet().getClaim(ID_TOKEN) != null;
    } catch (ParseException e) {
      throw unreadable();
    }
  }

  /**
   * Verifies that the list is of this hour and signed by the key of the first certificate in it, or
   * by that of the ID token. Whether these are to be believed is left to the caller.
   *
   * @throws BadSignature with the first reason why it is not good
   */
  public static PersonProperties verify(String text, Instant now) throws BadSignature {
    SignedJWT jwt = parsed(text);
    PersonProperties claimed = claimed(jwt, text);
    try {
      switch (claimed.voucher()) {
        case Voucher.Certificates certificates ->
            requireSigned(jwt, certificates.chain().getFirst().getPublicKey());
        case BoundIdToken token -> requireSigned(jwt, token);
      }
      HostProperties.requireThisHour(jwt.getJWTClaimsSet(), now);
      return claimed;
    } catch (ParseException | GeneralSecurityException | JOSEException | IllegalStateException e) {
      throw unreadable();
    }
  }

  private static void requireSigned(SignedJWT jwt, BoundIdToken token) throws BadSignature {
    requireType(jwt, Algorithm.ES256);
    if (!token.key().verify(jwt.getSigningInput(), jwt.getSignature().decode())) {
      throw new BadSignature("the property list is not signed by the key that its ID token names");
    }
  }

  private static void requireSigned(SignedJWT jwt, PublicKey key)
      throws BadSignature, GeneralSecurityException, JOSEException {
    Algorithm algorithm = Algorithm.of(key);
    requireType(jwt, algorithm);
    byte[] value = jwt.getSignature().decode();
    byte[] input = jwt.getSigningInput();
    boolean fits = algorithm.ecBytes == 0 || value.length == algorithm.ecBytes;
    if (!fits
        || !PublicKeyOperations.of(key)
            .verify(
                algorithm.name,
                input,
                0,
                input.length,
                algorithm.ecBytes == 0 ? value : ECDSA.transcodeSignatureToDER(value))) {
      throw new BadSignature("the property list is not signed by its certificate's key");
    }
  }

  private static void requireType(SignedJWT jwt, Algorithm algorithm) throws BadSignature {
    JWSHeader header = jwt.getHeader();
    if (!JWSAlgorithm.parse(algorithm.name()).equals(header.getAlgorithm())
        || header.getType() == null
        || !HostProperties.TYPE.equals(header.getType().getType())) {
      throw new BadSignature("the property list is not of type " + HostProperties.TYPE);
    }
  }

  /**
   * What a list says that was verified before.
   *
   * @throws BadSignature where it cannot be read
   */
  public static PersonProperties claimed(String text) throws BadSignature {
    return claimed(parsed(text), text);
  }

  private static PersonProperties claimed(SignedJWT jwt, String text) throws BadSignature {
    try {
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      Map<String, Object> values = claims.getJSONObjectClaim("host");
      List<Base64> certificates = jwt.getHeader().getX509CertChain();
      String token = claims.getStringClaim(ID_TOKEN);
      if (certificates != null && token != null) {
        throw new BadSignature("the property list brings certificates and an ID token");
      }
      Voucher voucher = token == null ? certificates(certificates) : BoundIdToken.claimed(token);
      PartyKey key = voucher instanceof BoundIdToken bound ? bound.key() : confirmed(claims);
      if (values == null
          || key == null
          || !PROFILE.equals(claims.getClaim("eat_profile"))
          || !voucher.name().equals(claims.getIssuer())) {
        throw new BadSignature("the property list is of another profile, or of somebody else");
      }
      return new PersonProperties(voucher, key, values, text);
    } catch (ParseException | CertificateException | IllegalArgumentException e) {
      throw unreadable();
    }
  }

  private static @Nullable PartyKey confirmed(JWTClaimsSet claims) throws ParseException {
    Map<String, Object> confirmed = claims.getJSONObjectClaim("cnf");
    Map<String, Object> jwk =
        confirmed == null ? null : JSONObjectUtils.getJSONObject(confirmed, "jwk");
    return jwk == null ? null : PartyKey.ofJson(jwk);
  }

  private static Voucher certificates(@Nullable List<Base64> encoded)
      throws BadSignature, CertificateException {
    if (encoded == null || encoded.isEmpty() || encoded.size() > MOST_CERTIFICATES) {
      throw new BadSignature("the property list brings no certificates, or too many");
    }
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> chain = new ArrayList<>();
    for (Base64 each : encoded) {
      chain.add(
          (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(each.decode())));
    }
    return new Voucher.Certificates(subject(chain), chain);
  }

  private static SignedJWT parsed(String text) throws BadSignature {
    HostProperties.requireShort(text);
    try {
      return SignedJWT.parse(text);
    } catch (ParseException e) {
      throw unreadable();
    }
  }

  private static BadSignature unreadable() {
    return new BadSignature("the property list cannot be read");
  }
}
