package dev.staithe.service.door;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks authn-service whose session a token is ({@code json/sessions?_action=validate}), and
 * remembers the answer for a moment: so long a session may go on here after its logout. That it
 * could not be asked is not remembered. Thread-safe; a question waits for the answer.
 *
 * <p>The principal's name is the user's, which has no control characters. It may be another's after
 * the account was deleted or renamed: who keeps anything for a user asks for the {@link #account}.
 */
public final class AuthnSessions implements OpaqueTokenIntrospector {
  /** Session tokens are a few hundred characters, as RFC 6750 section 2.1 writes them. */
  public static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,4096}=*");

  /** The attribute of an {@link #account}'s principal that nobody else ever has: its subject. */
  public static final String SUBJECT = "account-subject";

  private static final Logger log = LoggerFactory.getLogger(AuthnSessions.class);
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,256}");
  private static final int MOST_REMEMBERED = 10_000;
  private static final int LONGEST_ANSWER = 64 << 10;
  private static final String NOBODY = "";

  private record Remembered(String user, long askedNanos) {}

  private final URI authn;
  private final Duration cache;
  private final BoundedFetch fetch;
  private final KeyedDigest names = new KeyedDigest();

  private final Cache<String, Remembered> remembered =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  /**
   * Nothing is asked yet.
   *
   * @param authn without a slash at its end
   * @param cache how long an answer is remembered
   * @param timeout of one question
   * @param client that trusts authn-service, and follows no redirects
   */
  public AuthnSessions(URI authn, Duration cache, Duration timeout, HttpClient client) {
    this.authn = authn;
    this.cache = cache;
    this.fetch = new BoundedFetch(client, timeout, LONGEST_ANSWER);
  }

  /**
   * Whose session a token is now, give or take the time that answers are remembered.
   *
   * @throws BadOpaqueTokenException where it is nobody's, or has ended
   * @throws OAuth2IntrospectionException where that cannot be told now; the message is what
   *     authn-service did
   */
  @Override
  public OAuth2AuthenticatedPrincipal introspect(String token) {
    String user = TOKEN.matcher(token).matches() ? user(token) : NOBODY;
    if (user.equals(NOBODY)) {
      throw new BadOpaqueTokenException("the token is of no session that goes on");
    }
    return new DefaultOAuth2AuthenticatedPrincipal(user, Map.of("sub", user), List.of());
  }

  /**
   * Whose session a token is now, with the account's {@link #SUBJECT} ({@code
   * json/users?_action=idFromSession}); asked each time.
   *
   * @throws BadOpaqueTokenException where it is nobody's, has ended, or the account is no more
   * @throws OAuth2IntrospectionException where that cannot be told now, or authn-service is older
   *     than this question
   */
  public OAuth2AuthenticatedPrincipal account(String token) {
    if (!TOKEN.matcher(token).matches()) {
      throw new BadOpaqueTokenException("the token is of no session that goes on");
    }
    HttpResponse<byte[]> response = asked("/json/users?_action=idFromSession", token);
    if (response.statusCode() == 401) {
      throw new BadOpaqueTokenException("the token is of no session that goes on");
    }
    JsonNode answer = json(response);
    String user = answer.path("id").asString(NOBODY);
    String subject = answer.path("sub").asString(NOBODY);
    if (!NAME.matcher(user).matches() || !NAME.matcher(subject).matches()) {
      throw unknown("does not say whose account a session is of", null);
    }
    return new DefaultOAuth2AuthenticatedPrincipal(user, Map.of(SUBJECT, subject), List.of());
  }

  private String user(String token) {
    String name = names.of(token);
    long asked = System.nanoTime();
    Remembered known = remembered.getIfPresent(name);
    if (known != null && asked - known.askedNanos() < cache.toNanos()) {
      return known.user();
    }
    String user = ask(token);
    // Of a token that is none it is remembered as well: that costs nobody anything.
    remembered.put(name, new Remembered(user, asked));
    return user;
  }

  private String ask(String token) {
    JsonNode answer = json(asked("/json/sessions?_action=validate", token));
    JsonNode valid = answer.path("valid");
    if (!valid.isBoolean()) {
      throw unknown("does not answer about a session what was asked", null);
    }
    String user = answer.path("uid").asString(NOBODY);
    return valid.booleanValue() && NAME.matcher(user).matches() ? user : NOBODY;
  }

  private HttpResponse<byte[]> asked(String question, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(authn + question))
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      return fetch.send(request);
    } catch (IOException e) {
      throw unknown("cannot be asked: " + e.getMessage(), e);
    }
  }

  private JsonNode json(HttpResponse<byte[]> response) {
    if (response.statusCode() != 200) {
      throw unknown("answers " + response.statusCode() + " about a session", null);
    }
    try {
      return JsonMapper.shared().readTree(response.body());
    } catch (JacksonException e) {
      throw unknown("does not answer about a session in JSON", e);
    }
  }

  private OAuth2IntrospectionException unknown(String what, @Nullable Throwable cause) {
    log.warn("{} {}", authn, what);
    return cause == null
        ? new OAuth2IntrospectionException(what)
        : new OAuth2IntrospectionException(what, cause);
  }
}
