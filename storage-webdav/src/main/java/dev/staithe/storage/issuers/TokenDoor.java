package dev.staithe.storage.issuers;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jwt.proc.BadJWTException;
import dev.staithe.service.door.BearerToken;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.TokenCaller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;

/**
 * Finds out who asks from the {@code Authorization} header (RFC 6750 section 2.1): verifies the
 * token's issuer, signature and claims (WLCG JWT profile 1.3, SciTokens 2.0) by Spring Security's
 * provider of its issuer; a token that is no JWT is asked about where an issuer can be.
 * Thread-safe; blocks only while the keys of the token's own issuer are waited for, as long as
 * {@link KeyPolicy#patience}.
 *
 * <p>Good tokens are remembered by their digest for a while, as long as their issuer's keys are
 * those by which they were verified; a token itself is neither kept nor ever part of a reason.
 */
public final class TokenDoor {
  private static final int LONGEST_HEADER = 16 * 1024;
  private static final int MOST_REMEMBERED = 10_000;
  private static final int ASK_AGAIN_SECONDS = 5;
  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final Identification ANONYMOUS =
      new Identification.Identified(new Caller.Anonymous());

  /** Good until then, and only as long as the issuer's keys are these. */
  private record Remembered(TokenCaller caller, Instant until, JWKSet keys) {}

  private final Map<String, JwtAuthenticationProvider> providers = new LinkedHashMap<>();

  /** Those that sign other things too, which must not pass for access tokens. */
  private final Set<String> plain = new HashSet<>();

  /** Tokens that were refused, by the trusted issuer that they name, else by the empty text. */
  private final Map<String, LongAdder> refused = new HashMap<>();

  private final IssuerKeys keys;
  private final @Nullable OpaqueTokens opaque;
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
    this(issuers, keys, null, clock);
  }

  /**
   * Takes the issuers whose tokens are looked at.
   *
   * @param opaque asks one of them about tokens that say nothing of themselves; null: they are
   *     refused
   * @throws IllegalArgumentException where an issuer appears twice
   */
  public TokenDoor(
      List<TrustedIssuer> issuers, IssuerKeys keys, @Nullable OpaqueTokens opaque, Clock clock) {
    for (TrustedIssuer issuer : issuers) {
      String name = issuer.issuer();
      if (providers.put(name, IssuerProvider.of(issuer, keys.of(name), clock)) != null) {
        throw new IllegalArgumentException("issuer " + name + " is given twice");
      }
      if (issuer.profile().plain()) {
        plain.add(name);
      }
    }
    providers.keySet().forEach(issuer -> refused.put(issuer, new LongAdder()));
    refused.put("", new LongAdder());
    this.keys = keys;
    this.opaque = opaque;
    this.clock = clock;
  }

  /** The trusted issuers. */
  public Set<String> issuers() {
    return Collections.unmodifiableSet(providers.keySet());
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
    if (authorizationHeaders.size() > 1 && authorizationHeaders.stream().distinct().count() > 1) {
      return new Identification.Ambiguous("there are two Authorization headers that differ");
    }
    String header = authorizationHeaders.getFirst();
    if (header.length() > LONGEST_HEADER) {
      return new Identification.Refused(
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
      return new Identification.Refused(
          "only Bearer tokens are accepted in the Authorization header");
    }
    return token.isEmpty()
        ? new Identification.Refused("the Authorization header holds no well-formed token")
        : identify(token, digest, now);
  }

  /**
   * Who asks by a token that was good a moment ago; absent where it has to be verified first. Waits
   * for nothing.
   *
   * @param authorizationHeader its only value
   */
  public @Nullable Caller known(String authorizationHeader) {
    return authorizationHeader.length() > LONGEST_HEADER
        ? null
        : recall(digest(authorizationHeader), clock.instant());
  }

  private Identification identify(String compact, String digest, Instant now) {
    String issuer = "";
    Identification outcome;
    if (opaque != null && !UnverifiedToken.hasForm(compact)) {
      return ask(opaque, compact);
    }
    try {
      UnverifiedToken token = UnverifiedToken.read(compact);
      if (token.issuer() != null && providers.containsKey(token.issuer())) {
        issuer = token.issuer();
      }
      outcome = verify(compact, token, digest, now);
    } catch (InvalidBearerTokenException e) {
      outcome = new Identification.Refused(e.getError().getDescription());
    }
    if (outcome instanceof Identification.Refused) {
      requireNonNull(refused.get(issuer)).increment();
    }
    return outcome;
  }

  private Identification ask(OpaqueTokens issuer, String token) {
    try {
      return new Identification.Identified(
          requireNonNull(issuer.introspect(token).<TokenCaller>getAttribute(OpaqueTokens.CALLER)));
    } catch (BadOpaqueTokenException refusal) {
      requireNonNull(refused.get(issuer.issuer())).increment();
      return new Identification.Refused(String.valueOf(refusal.getMessage()));
    } catch (OAuth2IntrospectionException away) {
      return new Identification.Unavailable(
          "the token's issuer " + issuer.issuer() + " cannot be asked about the token now",
          ASK_AGAIN_SECONDS);
    }
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

  private Identification verify(String compact, UnverifiedToken token, String digest, Instant now) {
    String name = token.issuer();
    if (name == null) {
      return new Identification.Refused("the token names no issuer (iss)");
    }
    JwtAuthenticationProvider provider = providers.get(name);
    if (provider == null) {
      return new Identification.Refused(
          "the token's issuer " + ForeignText.shown(name) + " is not trusted here");
    }
    if (plain.contains(name) && !token.mayBeAccessToken()) {
      return new Identification.Refused(
          "the token is of type " + ForeignText.shown(token.type()) + ", and no access token");
    }
    if (compact.endsWith(".")) {
      return new Identification.Refused("the token's signature is wrong"); // There is none.
    }
    // Asked before: if others come meanwhile, the token is verified once more at its next use.
    JWKSet before = keys.current(name);
    try {
      Authentication good = provider.authenticate(new BearerTokenAuthenticationToken(compact));
      TokenCaller caller = ((TokenAuthentication) good).getPrincipal();
      remember(caller, digest, before, now);
      return new Identification.Identified(caller);
    } catch (AuthenticationServiceException away) {
      return new Identification.Unavailable(
          "the keys of the token's issuer " + name + " cannot be fetched now",
          keys.retryAfterSeconds(name));
    } catch (InvalidBearerTokenException refusal) {
      return new Identification.Refused(reason(refusal, token));
    }
  }

  /** Our words for what the decoder found, which tells its own only. */
  private static String reason(InvalidBearerTokenException refusal, UnverifiedToken token) {
    Throwable decoding = refusal.getCause();
    return switch (decoding == null ? null : decoding.getCause()) {
      case BadJwtException ofOurRules -> String.valueOf(ofOurRules.getMessage());
      case BadJWTException ofOurRules -> String.valueOf(ofOurRules.getMessage());
      case BadJWSException wrong -> "the token's signature is wrong";
      case BadJOSEException noKey ->
          "the token's key "
              + ForeignText.shown(token.kid())
              + " is not one of its issuer's for "
              + token.algorithm();
      case null, default -> "the token is not a signed JWT";
    };
  }

  private void remember(TokenCaller caller, String digest, @Nullable JWKSet by, Instant now) {
    if (by != null) {
      Instant soon = now.plus(REMEMBERED);
      Instant until = caller.expiresAt().isBefore(soon) ? caller.expiresAt() : soon;
      remembered.put(digest, new Remembered(caller, until, by));
    }
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
