package dev.staithe.gateway.trust;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.http.BoundedFetch;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks authn-service whose session a token is ({@code json/sessions?_action=validate}) and whether
 * a password is a user's ({@code identity/authenticate}; the session that this opens is ended at
 * once). Answers are remembered for a moment under keys that nobody can guess a password from.
 * Thread-safe; a question waits for the answer.
 */
public final class AuthnService {
  private static final Logger log = LoggerFactory.getLogger(AuthnService.class);

  /** Session tokens are a few hundred characters, as RFC 6750 section 2.1 writes them. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,4096}=*");

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

  private record Remembered(String user, long askedNanos) {}

  private final Settings settings;
  private final HttpClient client;
  private final byte[] key = new byte[32];

  private final Cache<String, Remembered> tokens = answers();
  private final Cache<String, Remembered> passwords = answers();

  /**
   * Nothing is asked yet.
   *
   * @param client that trusts authn-service, and follows no redirects
   */
  public AuthnService(Settings settings, HttpClient client) {
    this.settings = settings;
    this.client = client;
    new SecureRandom().nextBytes(key);
  }

  /**
   * Whose session a token is now, give or take the time that answers are remembered.
   *
   * @return null where it is nobody's
   * @throws Surroundings.Unavailable where authn-service does not answer
   */
  public Caller.@Nullable Token bearer(String token) {
    if (!TOKEN.matcher(token).matches()) {
      return null;
    }
    String name = name("token", "", token);
    long asked = System.nanoTime();
    Remembered known = known(tokens, name, settings.cache(), asked);
    String user = known != null ? known.user() : ask(token);
    if (known == null) {
      // Of a token that is none it is remembered as well: that costs nobody anything.
      tokens.put(name, new Remembered(user, asked));
    }
    return user.isEmpty() ? null : new Caller.Token(user);
  }

  /** The user; empty for nobody. */
  private String ask(String token) {
    HttpResponse<String> response =
        send(
            request("/json/sessions?_action=validate")
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
    if (response.statusCode() != 200) {
      throw unavailable("answers " + response.statusCode() + " about a session", null);
    }
    try {
      JsonNode answer = JsonMapper.shared().readTree(response.body());
      JsonNode valid = answer.path("valid");
      if (!valid.isBoolean()) {
        throw unavailable("does not answer about a session what was asked", null);
      }
      String user = answer.path("uid").asString("");
      return valid.booleanValue() && NAME.matcher(user).matches() ? user : "";
    } catch (JacksonException e) {
      throw unavailable("does not answer about a session in JSON", e);
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
    String name = name("password", user, plain);
    long asked = System.nanoTime();
    Remembered known = known(passwords, name, settings.passwordCache(), asked);
    if (known != null) {
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
        passwords.put(name, new Remembered(user, asked));
        yield true;
      }
      // Wrong, or one that this account has to follow up with a code; too many sessions; too many
      // attempts.
      case 401, 403, 429 -> false;
      default -> throw unavailable("answers " + response.statusCode() + " about a password", null);
    };
  }

  private static String form(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Ends the session that was opened for nothing but the question; where it fails it expires. */
  private void end(String token) {
    if (!TOKEN.matcher(token).matches()) {
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

  private static Cache<String, Remembered> answers() {
    return Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();
  }

  private static @Nullable Remembered known(
      Cache<String, Remembered> answers, String name, Duration goodFor, long now) {
    Remembered known = answers.getIfPresent(name);
    return known != null && now - known.askedNanos() < goodFor.toNanos() ? known : null;
  }

  /** A name for a secret that tells nothing of it, not even to who reads our memory later. */
  private String name(String kind, String user, String secret) {
    byte[] text = secret.getBytes(StandardCharsets.UTF_8);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] of = user.getBytes(StandardCharsets.UTF_8);
      mac.update(kind.getBytes(StandardCharsets.UTF_8));
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(of.length).array());
      mac.update(of);
      return HexFormat.of().formatHex(mac.doFinal(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC", e);
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }
}
