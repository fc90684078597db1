package dev.staithe.gateway.trust;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.http.BoundedFetch;
import dev.staithe.service.door.AuthnSessions;
import dev.staithe.service.door.KeyedDigest;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;

/**
 * Asks authn-service whose session a token is ({@code json/sessions?_action=validate}) and whether
 * a password is a user's ({@code identity/authenticate}; the session that this opens is ended at
 * once). Answers are remembered for a moment under keys that nobody can guess a password from.
 * Thread-safe; a question waits for the answer.
 */
public final class AuthnService {
  private static final Logger log = LoggerFactory.getLogger(AuthnService.class);

  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,256}");
  private static final int MOST_REMEMBERED = 10_000;
  private static final int LONGEST_PASSWORD = 1024;
  private static final int LONGEST_ANSWER = 64 << 10;
  private static final String TOKEN_ID = "token.id=";

  /**
   * Which one.
   *
   * @param url without a slash at its end
   * @param cache how long an answer about a token is remembered, at most 1 s: so long a session may
   *     go on here after its logout
   * @param passwordCache how long a right password is remembered, at most 1 min: each question
   *     costs authn-service a slow hash
   * @param timeout of one question
   */
  public record Settings(URI url, Duration cache, Duration passwordCache, Duration timeout) {
    /** Checks the times. */
    public Settings {
      if (cache.compareTo(Duration.ofSeconds(1)) > 0
          || passwordCache.compareTo(Duration.ofMinutes(1)) > 0) {
        throw new IllegalArgumentException("answers are not remembered for so long");
      }
    }
  }

  private final Settings settings;
  private final HttpClient client;
  private final AuthnSessions sessions;
  private final KeyedDigest names = new KeyedDigest();

  /** When the passwords that were right were asked about. */
  private final Cache<String, Long> passwords =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  /**
   * Nothing is asked yet.
   *
   * @param client that trusts authn-service, and follows no redirects
   */
  public AuthnService(Settings settings, HttpClient client) {
    this.settings = settings;
    this.client = client;
    this.sessions = new AuthnSessions(settings.url(), settings.cache(), settings.timeout(), client);
  }

  /**
   * Whose session a token is now, give or take the time that answers are remembered.
   *
   * @return null where it is nobody's
   * @throws Surroundings.Unavailable where authn-service does not answer
   */
  public Caller.@Nullable Token bearer(String token) {
    try {
      return new Caller.Token(sessions.introspect(token).getName());
    } catch (BadOpaqueTokenException nobodys) {
      return null;
    } catch (OAuth2IntrospectionException unknown) {
      throw new Surroundings.Unavailable("authn-service " + unknown.getMessage(), unknown);
    }
  }

  /**
   * Whether a password is the user's, give or take the time that right ones are remembered.
   *
   * @throws Surroundings.Unavailable where authn-service does not answer
   */
  public boolean password(String user, char[] password) {
    if (!NAME.matcher(user).matches()
        || password.length == 0
        || password.length > LONGEST_PASSWORD) {
      return false;
    }
    String plain = new String(password);
    String name = names.of(user, plain);
    long asked = System.nanoTime();
    Long before = passwords.getIfPresent(name);
    if (before != null && asked - before < settings.passwordCache().toNanos()) {
      return true;
    }
    HttpResponse<String> response =
        send(
            request("/identity/authenticate")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "username=" + form(user) + "&password=" + form(plain)))
                .build());
    return switch (response.statusCode()) {
      case 200 -> {
        String body = response.body().strip();
        if (!body.startsWith(TOKEN_ID)) {
          throw unavailable("does not answer about a password what was asked", null);
        }
        end(body.substring(TOKEN_ID.length()));
        passwords.put(name, asked);
        yield true;
      }
      // Wrong, or one that this account has to follow up with a code; too many sessions.
      case 401, 403 -> false;
      // Too many attempts (429) for this user, or from this gateway: none was judged, so that it is
      // nobody's wrong password.
      default -> throw unavailable("answers " + response.statusCode() + " about a password", null);
    };
  }

  private static String form(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Ends the session that was opened for nothing but the question; where it fails it expires. */
  private void end(String token) {
    if (!AuthnSessions.TOKEN.matcher(token).matches()) {
      return;
    }
    client
        .sendAsync(
            request("/json/sessions?_action=logout")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .whenComplete(
            (response, failure) -> {
              if (failure != null || response.statusCode() >= 300) {
                log.debug("{} did not end a session", settings.url());
              }
            });
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(settings.url() + path)).timeout(settings.timeout());
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return new BoundedFetch(client, settings.timeout(), LONGEST_ANSWER)
          .send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw unavailable("cannot be asked: " + e.getMessage(), e);
    }
  }

  private Surroundings.Unavailable unavailable(String what, @Nullable Throwable cause) {
    log.warn("{} {}", settings.url(), what);
    return new Surroundings.Unavailable("authn-service " + what, cause);
  }
}
