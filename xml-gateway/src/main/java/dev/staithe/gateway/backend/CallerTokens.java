package dev.staithe.gateway.backend;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.pki.Credential;
import dev.staithe.wss.Caller;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes tokens that tell services behind who calls (JWT, RFC 7519), signed with a key of the
 * gateway's: ES256 or RS256 (RFC 7518 section 3.1). A service checks the signature by the gateway's
 * certificate, {@code aud} by its own address, and {@code exp}. One token serves calls of one
 * caller to one service for a minute. Thread-safe.
 */
public final class CallerTokens {
  private static final Duration GOOD = Duration.ofMinutes(5);
  private static final Duration SERVES = Duration.ofMinutes(1);
  private static final int REMEMBERED = 10_000;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private record Subject(String name, String kind, String audience, Credential by) {}

  private record CachedToken(String token, Instant at) {}

  private final String issuer;
  private final Supplier<Credential> by;
  private final Clock clock;

  private final Cache<Subject, CachedToken> known =
      Caffeine.newBuilder().maximumSize(REMEMBERED).build();

  /**
   * Writes nothing yet.
   *
   * @param issuer the gateway's own address
   * @param by its certificate and key, of P-256 or RSA; asked for each time, as files change
   */
  public CallerTokens(String issuer, Supplier<Credential> by, Clock clock) {
    this.issuer = issuer;
    this.by = by;
    this.clock = clock;
  }

  /** A token for a caller who is somebody. */
  String of(Caller caller, String audience) {
    var subject = new Subject(caller.subject(), kind(caller), audience, by.get());
    Instant now = clock.instant();
    CachedToken last = known.getIfPresent(subject);
    if (last != null && now.isBefore(last.at().plus(SERVES)) && !now.isBefore(last.at())) {
      return last.token();
    }
    String token = write(subject, now);
    known.put(subject, new CachedToken(token, now));
    return token;
  }

  private static String kind(Caller caller) {
    return switch (caller) {
      case Caller.Anonymous anonymous -> "none";
      case Caller.Certificate certificate -> "certificate";
      case Caller.Username username -> "password";
      case Caller.Token token -> "session";
    };
  }

  private String write(Subject subject, Instant now) {
    try {
      Credential credential = subject.by();
      PrivateKey key = credential.key();
      boolean elliptic = key.getAlgorithm().equals("EC");
      Map<String, Object> head = new LinkedHashMap<>();
      head.put("alg", elliptic ? "ES256" : "RS256");
      head.put("typ", "JWT");
      head.put(
          "x5t#S256",
          BASE64.encodeToString(
              MessageDigest.getInstance("SHA-256").digest(credential.certificate().getEncoded())));
      Map<String, Object> claims = new LinkedHashMap<>();
      claims.put("iss", issuer);
      claims.put("sub", subject.name());
      claims.put("aud", subject.audience());
      claims.put("iat", now.getEpochSecond());
      claims.put("exp", now.plus(GOOD).getEpochSecond());
      claims.put("amr", new String[] {subject.kind()});
      String signed = json(head) + "." + json(claims);
      // RFC 7518 section 3.4: both numbers as they are, and not in DER.
      Signature signature =
          Signature.getInstance(elliptic ? "SHA256withECDSAinP1363Format" : "SHA256withRSA");
      signature.initSign(key);
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key for tokens of callers cannot sign", e);
    }
  }

  private static String json(Map<String, Object> members) {
    return BASE64.encodeToString(JsonMapper.shared().writeValueAsBytes(members));
  }
}
