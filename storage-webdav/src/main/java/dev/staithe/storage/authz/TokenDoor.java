package dev.staithe.storage.authz;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.service.BearerToken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks from the {@code Authorization} header (RFC 6750 section 2.1): verifies the
 * token's issuer, signature and claims (WLCG JWT profile 1.3, SciTokens 2.0). Thread-safe; blocks
 * only while the keys of the token's own issuer are waited for, as long as {@link
 * KeyPolicy#patience}.
 *
 * <p>Good tokens are remembered by their digest for a while, as long as their issuer's keys are
 * those by which they were verified; a token itself is neither kept nor ever part of a reason.
 */
public final class TokenDoor {
  private static final int LONGEST_HEADER = 16 * 1024;
  private static final int MOST_REMEMBERED = 10_000;
  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final Identification ANONYMOUS =
      new Identification.Identified(new Caller.Anonymous());

  /** Good until then, and only as long as the issuer's keys are these. */
  private record Remembered(TokenCaller caller, Instant until, KeySet keys) {}

  private final Map<String, TrustedIssuer> issuers = new LinkedHashMap<>();

  /** Tokens that were refused, by the trusted issuer that they name, else by the empty text. */
  private final Map<String, LongAdder> refused = new HashMap<>();

  private final IssuerKeys keys;
  private final Clock clock;

  // The bound costs the tokens that are hardly used.
  private final Cache<String, Remembered> remembered =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  /**
   * Takes the issuers whose tokens are looked at.
   *
   * @throws IllegalArgumentException where an issuer appears twice
   */
  public TokenDoor(List<TrustedIssuer> issuers, IssuerKeys keys, Clock clock) {
    for (TrustedIssuer issuer : issuers) {
      if (this.issuers.put(issuer.issuer(), issuer) != null) {
        throw new IllegalArgumentException("issuer " + issuer.issuer() + " is given twice");
      }
    }
    this.issuers.keySet().forEach(issuer -> refused.put(issuer, new LongAdder()));
    refused.put("", new LongAdder());
    this.keys = keys;
    this.clock = clock;
  }

  /** The trusted issuers. */
  public Set<String> issuers() {
    return Collections.unmodifiableSet(issuers.keySet());
  }

  /**
   * How many tokens were refused since the start.
   *
   * @param issuer the trusted one that they named, or empty for all that named none
   */
  public long refused(String issuer) {
    LongAdder count = refused.get(issuer);
    return count == null ? 0 : count.sum();
  }

  /**
   * Who asks.
   *
   * @param authorizationHeaders all values of the header, as many as there are
   */
  public Identification identify(List<String> authorizationHeaders) {
    if (authorizationHeaders.isEmpty()) {
      return ANONYMOUS;
    }
    if (authorizationHeaders.stream().distinct().count() > 1) {
      return new Identification.Ambiguous("there are two Authorization headers that differ");
    }
    String header = authorizationHeaders.getFirst();
    if (header.length() > LONGEST_HEADER) {
      return new Identification.Rejected(
          "the Authorization header is longer than " + LONGEST_HEADER + " characters");
    }
    // One who has just been here is known by the whole header: that is a digest and a look-up.
    Instant now = clock.instant();
    String digest = digest(header);
    TokenCaller known = recall(digest, now);
    if (known != null) {
      return new Identification.Identified(known);
    }
    String token = BearerToken.of(List.of(header));
    if (token == null) {
      return new Identification.Rejected(
          "only Bearer tokens are accepted in the Authorization header");
    }
    return token.isEmpty()
        ? new Identification.Rejected("the Authorization header holds no well-formed token")
        : identify(token, digest, now);
  }

  private Identification identify(String compact, String digest, Instant now) {
    String issuer = "";
    Identification outcome;
    switch (SignedToken.parse(compact)) {
      case SignedToken.Parsed.Invalid invalid ->
          outcome = new Identification.Rejected(invalid.reason());
      case SignedToken.Parsed.Valid(SignedToken token) -> {
        outcome = verify(token, digest, now);
        if (token.claims().get("iss") instanceof String named && issuers.containsKey(named)) {
          issuer = named;
        }
      }
    }
    if (outcome instanceof Identification.Rejected) {
      Objects.requireNonNull(refused.get(issuer)).increment();
    }
    return outcome;
  }

  private @Nullable TokenCaller recall(String digest, Instant now) {
    Remembered entry = remembered.getIfPresent(digest);
    if (entry == null) {
      return null;
    }
    if (now.isBefore(entry.until()) && keys.current(entry.caller().issuer()) == entry.keys()) {
      return entry.caller();
    }
    remembered.invalidate(digest);
    return null;
  }

  private Identification verify(SignedToken token, String digest, Instant now) {
    if (!(token.claims().get("iss") instanceof String name)) {
      return new Identification.Rejected("the token names no issuer (iss)");
    }
    TrustedIssuer issuer = issuers.get(name);
    if (issuer == null) {
      return new Identification.Rejected(
          "the token's issuer " + ForeignText.shown(name) + " is not trusted here");
    }
    // Asked before: if others come meanwhile, the token is verified once more at its next use.
    KeySet before = keys.current(name);
    return switch (keys.find(name, token.kid(), token.algorithm())) {
      case KeyAnswer.NotThere notThere ->
          new Identification.Rejected(
              "the token's key "
                  + ForeignText.shown(token.kid())
                  + " is not one of its issuer's for "
                  + token.algorithm());
      case KeyAnswer.Unreachable(String reason, int retry) ->
          new Identification.Unavailable(reason, retry);
      case KeyAnswer.Found(var key) ->
          token.algorithm().verifies(key, token.signed(), token.signature())
              ? remembered(ClaimRules.judge(token.claims(), issuer, now), digest, before, now)
              : new Identification.Rejected("the token's signature is wrong");
    };
  }

  private Identification remembered(
      Identification judged, String digest, @Nullable KeySet by, Instant now) {
    if (by != null && judged instanceof Identification.Identified(TokenCaller caller)) {
      Instant soon = now.plus(REMEMBERED);
      Instant until = caller.expiresAt().isBefore(soon) ? caller.expiresAt() : soon;
      remembered.put(digest, new Remembered(caller, until, by));
    }
    return judged;
  }

  private static String digest(String header) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(header.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java knows no SHA-256", e);
    }
  }
}
