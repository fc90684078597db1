package dev.staithe.storage.issuers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.http.BoundedFetch;
import dev.staithe.service.door.KeyedDigest;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.TokenCaller;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

/**
 * Asks the one issuer that has such tokens whose a token is that says nothing of itself (RFC 7662),
 * and remembers the answer for a while: so long it goes on to count after it was withdrawn. That
 * the issuer could not be asked is not remembered. Thread-safe; a question waits for the answer.
 */
public final class OpaqueTokens implements OpaqueTokenIntrospector, AutoCloseable {
  /** The attribute of a principal that is its {@link TokenCaller}. */
  static final String CALLER = "caller";

  private static final Logger log = LoggerFactory.getLogger(OpaqueTokens.class);
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration WHOLE_ANSWER = Duration.ofSeconds(5);
  private static final int LONGEST_ANSWER = 256 << 10;
  private static final int MOST_REMEMBERED = 10_000;

  /** Of tokens that were good, and as many of others, of which anybody can invent some. */
  private static final int AT_ONCE = 32;

  /** After this a token that was good is one like any other. */
  private static final Duration KNOWN = Duration.ofDays(1);

  private static final String NOT_ACTIVE = "the token is not active, says its issuer";

  /**
   * Where and as whom to ask.
   *
   * @param issuer whose tokens these are, a plain one
   * @param endpoint an https URL
   * @param client our name there
   * @param secret what proves it; never logged
   * @param remember how long an answer counts, a minute at most
   */
  public record Source(
      TrustedIssuer issuer, URI endpoint, String client, String secret, Duration remember) {
    /** The longest time that an answer counts. */
    public static final Duration LONGEST = Duration.ofMinutes(1);

    /** Refuses what would be asked without TLS, or remembered for long. */
    public Source {
      if (!issuer.profile().plain()) {
        throw new IllegalArgumentException("opaque tokens are those of a plain issuer");
      }
      if (!issuer.permits(endpoint)) {
        throw new IllegalArgumentException(
            "the tokens of issuer \"" + issuer.issuer() + "\" must be asked about at an https URL");
      }
      if (remember.isNegative() || remember.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("answers are remembered up to " + LONGEST);
      }
    }

    @Override
    public String toString() {
      return client + " at " + endpoint;
    }
  }

  /** One of the two. */
  private record Remembered(@Nullable TokenCaller caller, String refusal) {}

  private final Source source;
  private final Clock clock;
  private final BoundedFetch fetch;
  private final KeyedDigest names = new KeyedDigest();
  private final Semaphore freeForGood = new Semaphore(AT_ONCE);
  private final Semaphore freeForOthers = new Semaphore(AT_ONCE);
  private final Cache<String, Remembered> remembered;

  /** Names of tokens that were good when they were asked about last. */
  private final Cache<String, Boolean> good =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterAccess(KNOWN).build();

  /** Questions that are on their way, by names of tokens. */
  private final Map<String, CompletableFuture<Remembered>> asked = new ConcurrentHashMap<>();

  /**
   * Nothing is asked yet.
   *
   * @param ssl verifies the issuer's certificate
   */
  public OpaqueTokens(Source source, SSLContext ssl, Clock clock) {
    this.source = source;
    this.clock = clock;
    fetch = new BoundedFetch(BoundedFetch.client(ssl, CONNECT), WHOLE_ANSWER, LONGEST_ANSWER);
    remembered =
        Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(source.remember())
            .build();
  }

  /** Whose tokens these are. */
  String issuer() {
    return source.issuer().issuer();
  }

  /**
   * Whose a token is now, give or take the time that answers are remembered.
   *
   * @throws BadOpaqueTokenException with one safe line where it is refused
   * @throws OAuth2IntrospectionException where that cannot be told now
   */
  @Override
  public OAuth2AuthenticatedPrincipal introspect(String token) {
    String name = names.of(token);
    Remembered known = remembered.getIfPresent(name);
    if (known == null) {
      known = answered(token, name);
    }
    TokenCaller caller = known.caller();
    if (caller == null) {
      throw new BadOpaqueTokenException(known.refusal());
    }
    if (!clock.instant().isBefore(caller.expiresAt())) {
      throw new BadOpaqueTokenException("the token has expired");
    }
    return new DefaultOAuth2AuthenticatedPrincipal(
        caller.subject(), Map.of(CALLER, caller), List.of());
  }

  /** Who shows the same token at once waits for the one question that is about it. */
  private Remembered answered(String token, String name) {
    CompletableFuture<Remembered> own = new CompletableFuture<>();
    CompletableFuture<Remembered> others = asked.putIfAbsent(name, own);
    if (others != null) {
      try {
        return others.join();
      } catch (CancellationException e) {
        throw new OAuth2IntrospectionException("nothing was told of the token", e);
      }
    }
    try {
      boolean wasGood = good.getIfPresent(name) != null;
      Remembered answer = judged(ask(token, wasGood ? freeForGood : freeForOthers));
      if (answer.caller() == null) {
        good.invalidate(name);
      } else {
        good.put(name, true);
      }
      // Of a token that is refused it is remembered as well: that costs nobody anything.
      remembered.put(name, answer);
      own.complete(answer);
      return answer;
    } finally {
      asked.remove(name);
      own.cancel(false);
    }
  }

  private Remembered judged(Map<String, Object> answer) {
    if (!Boolean.TRUE.equals(answer.get("active"))) {
      return new Remembered(null, NOT_ACTIVE);
    }
    Instant now = clock.instant();
    Map<String, Object> claims = new HashMap<>(answer);
    // A time of expiry is not demanded of it: it is asked again soon.
    claims.putIfAbsent("exp", now.plus(source.remember()).getEpochSecond() + 1);
    Object issuer = claims.get("iss");
    if (issuer != null && !issuer.equals(issuer())) {
      return new Remembered(
          null,
          "the token is one of " + ForeignText.shown(issuer.toString()) + ", not of its issuer");
    }
    if (claims.get("token_type") instanceof String type && !type.equalsIgnoreCase("Bearer")) {
      return new Remembered(
          null, "the token is of type " + ForeignText.shown(type) + ", and no bearer token");
    }
    try {
      return new Remembered(ClaimRules.caller(claims, source.issuer(), now), "");
    } catch (BadJwtException refused) {
      return new Remembered(null, String.valueOf(refused.getMessage()));
    }
  }

  private Map<String, Object> ask(String token, Semaphore free) {
    if (!free.tryAcquire()) {
      throw unknown("is being asked about " + AT_ONCE + " tokens already", null);
    }
    try {
      HttpResponse<byte[]> response =
          fetch.send(
              HttpRequest.newBuilder(source.endpoint())
                  .header("Authorization", "Basic " + credential())
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .header("Accept", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "token=" + encoded(token) + "&token_type_hint=access_token"))
                  .build());
      if (response.statusCode() != 200) {
        throw unknown("answered " + response.statusCode() + " about a token", null);
      }
      Map<String, Object> answer = Json.object(new String(response.body(), StandardCharsets.UTF_8));
      if (!(answer.get("active") instanceof Boolean)) {
        throw unknown("did not answer about a token what was asked", null);
      }
      return answer;
    } catch (IOException e) {
      throw unknown("cannot be asked about a token: " + e.getMessage(), e);
    } catch (ParseException e) {
      throw unknown("did not answer about a token in JSON", e);
    } finally {
      free.release();
    }
  }

  /** RFC 6749 section 2.3.1: both are encoded as in a form. */
  private String credential() {
    String pair = encoded(source.client()) + ":" + encoded(source.secret());
    return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private OAuth2IntrospectionException unknown(String what, @Nullable Throwable cause) {
    log.warn("{} {}", source.endpoint(), what);
    return cause == null
        ? new OAuth2IntrospectionException(what)
        : new OAuth2IntrospectionException(what, cause);
  }

  @Override
  public void close() {
    fetch.client().shutdownNow();
  }
}
