package dev.staithe.testkit.trust;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A token in the making: one of the WLCG JWT profile 1.3 that is good as it stands, every part of
 * which can be bent. Each call changes the draft and returns it.
 */
public final class TokenDraft {
  private final Map<String, Object> header = new LinkedHashMap<>();
  private final Map<String, Object> claims = new LinkedHashMap<>();
  private final Instant now;
  private SigningKey key;

  TokenDraft(String issuer, SigningKey key, Clock clock) {
    this.key = key;
    this.now = clock.instant();
    header.put("typ", "JWT");
    claims.put("iss", issuer);
    claims.put("sub", "alice");
    claims.put("aud", "https://localhost");
    claims.put("iat", now.getEpochSecond());
    claims.put("nbf", now.getEpochSecond());
    claims.put("exp", now.plusSeconds(3600).getEpochSecond());
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("wlcg.ver", "1.0");
  }

  /** Sets {@code sub}. */
  public TokenDraft subject(String subject) {
    return claim("sub", subject);
  }

  /** Sets {@code scope}, separated by blanks. */
  public TokenDraft scope(String scope) {
    return claim("scope", scope);
  }

  /** Sets {@code aud}: a string for one, a list for several. */
  public TokenDraft audience(String... audience) {
    return claim("aud", audience.length == 1 ? audience[0] : List.of(audience));
  }

  /** Sets {@code wlcg.groups}. */
  public TokenDraft groups(String... groups) {
    return claim("wlcg.groups", List.of(groups));
  }

  /** Sets {@code exp} to so long after now; negative for an expired token. */
  public TokenDraft lifetime(Duration lifetime) {
    return claim("exp", now.plus(lifetime).getEpochSecond());
  }

  /** Makes it a token of SciTokens 2.0. */
  public TokenDraft sciToken() {
    return without("wlcg.ver").claim("ver", "scitoken:2.0");
  }

  /** Sets any claim. */
  public TokenDraft claim(String name, Object value) {
    claims.put(name, value);
    return this;
  }

  /** Leaves a claim out. */
  public TokenDraft without(String name) {
    claims.remove(name);
    return this;
  }

  /** Sets a member of the header; {@code alg} and {@code kid} too, which are else the key's. */
  public TokenDraft header(String name, Object value) {
    header.put(name, value);
    return this;
  }

  /** Signs with another key, whose {@code kid} goes into the header. */
  public TokenDraft signedBy(SigningKey other) {
    key = other;
    return this;
  }

  /** The token. */
  public String sign() {
    header.putIfAbsent("alg", key.algorithm().name());
    header.putIfAbsent("kid", key.kid());
    return finish(key.sign(signingInput().getBytes(StandardCharsets.US_ASCII)));
  }

  /** The token without {@code kid}. */
  public String signWithoutKid() {
    header.putIfAbsent("alg", key.algorithm().name());
    return finish(key.sign(signingInput().getBytes(StandardCharsets.US_ASCII)));
  }

  /** An unsigned token, {@code alg: none} (RFC 7518 section 3.6). */
  public String unsigned() {
    header.putIfAbsent("alg", "none");
    header.putIfAbsent("kid", key.kid());
    return finish(new byte[0]);
  }

  /** The algorithm confusion: HS256 with the bytes of a public key as its secret. */
  public String signWithPublicKeyAsSecret(Key publicKey) {
    header.putIfAbsent("alg", "HS256");
    header.putIfAbsent("kid", key.kid());
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(publicKey.getEncoded(), "HmacSHA256"));
      return finish(mac.doFinal(signingInput().getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java knows no HMAC", e);
    }
  }

  private String signingInput() {
    return encoded(JSONObjectUtils.toJSONString(header).getBytes(StandardCharsets.UTF_8))
        + "."
        + encoded(JSONObjectUtils.toJSONString(claims).getBytes(StandardCharsets.UTF_8));
  }

  private String finish(byte[] signature) {
    return signingInput() + "." + encoded(signature);
  }

  private static String encoded(byte[] part) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(part);
  }
}
