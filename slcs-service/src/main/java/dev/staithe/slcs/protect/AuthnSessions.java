package dev.staithe.slcs.protect;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.http.BoundedFetch;
import dev.staithe.service.BearerToken;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks authn-service whether a session goes on ({@code json/sessions?_action=validate}), and
 * remembers the answer for a moment, by the token's SHA-256. Thread-safe.
 */
public final class AuthnSessions {
  private static final Logger log = LoggerFactory.getLogger(AuthnSessions.class);

  /** Its session tokens are a few hundred characters, as RFC 6750 §2.1 writes them. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,4096}=*");

  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}@]{1,256}");
  private static final int MOST_REMEMBERED = 10_000;
  private static final int LONGEST_ANSWER = 64 << 10;
  private static final String UNSPECIFIED = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified";

  private record Remembered(Bearer bearer, long askedNanos) {}

  private final AuthnSettings settings;
  private final URI question;
  private final BoundedFetch fetch;
  private final Clock clock;

  private final Cache<String, Remembered> remembered =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  /**
   * @param client that trusts authn-service, and follows no redirects
   */
  public AuthnSessions(AuthnSettings settings, HttpClient client, Clock clock) {
    this.settings = settings;
    this.question = URI.create(settings.url() + "/json/sessions?_action=validate");
    this.fetch = new BoundedFetch(client, settings.timeout(), LONGEST_ANSWER);
    this.clock = clock;
  }

  /** The token that a request bears, as {@link BearerToken} has it. */
  static @Nullable String token(HttpServletRequest request) {
    return BearerToken.of(Collections.list(request.getHeaders("Authorization")));
  }

  /** What a token is worth now, give or take the time that answers are remembered. */
  Bearer judge(String token) {
    if (!TOKEN.matcher(token).matches()) {
      return new Bearer.Invalid();
    }
    String id = hash(token);
    long now = System.nanoTime();
    Remembered known = remembered.getIfPresent(id);
    if (known != null && now - known.askedNanos() < settings.cache().toNanos()) {
      return known.bearer();
    }
    Bearer answer = ask(token, id);
    // What cannot be told now may be told a moment later.
    if (!(answer instanceof Bearer.Unknown)) {
      remembered.put(id, new Remembered(answer, now));
    }
    return answer;
  }

  private Bearer ask(String token, String id) {
    HttpRequest request =
        HttpRequest.newBuilder(question)
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response =
          fetch.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      if (response.statusCode() != 200) {
        log.warn("{} answers {} about a session", settings.url(), response.statusCode());
        return new Bearer.Unknown();
      }
      JsonNode answer = JsonMapper.shared().readTree(response.body());
      JsonNode valid = answer.path("valid");
      if (!valid.isBoolean()) {
        log.warn("{} does not answer about a session what was asked", settings.url());
        return new Bearer.Unknown();
      }
      String user = answer.path("uid").asString("");
      return valid.booleanValue() && NAME.matcher(user).matches()
          ? new Bearer.Valid(session(user, id))
          : new Bearer.Invalid();
    } catch (IOException e) {
      log.warn("{} cannot be asked about a session: {}", settings.url(), e.getMessage());
      return new Bearer.Unknown();
    } catch (JacksonException e) {
      log.warn("{} does not answer about a session in JSON", settings.url());
      return new Bearer.Unknown();
    }
  }

  private CampusSession session(String user, String id) {
    String scope = settings.scope();
    String name = scope == null ? user : user + "@" + scope;
    Instant now = clock.instant();
    return new CampusSession(
        id,
        new CampusIdentity(
            settings.url().toString(),
            AuthnSettings.NAME,
            name,
            Map.of("uid", List.of(user), "eduPersonPrincipalName", List.of(name)),
            now,
            UNSPECIFIED),
        now,
        now.plus(settings.cache()),
        null);
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
