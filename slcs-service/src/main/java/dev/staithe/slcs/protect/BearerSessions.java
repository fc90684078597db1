package dev.staithe.slcs.protect;

import dev.staithe.service.AuthnSessions;
import dev.staithe.service.BearerToken;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.slcs.session.Digests;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionException;

/** Sessions of authn-service as sessions of a campus. Thread-safe. */
public final class BearerSessions {
  private static final String UNSPECIFIED = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified";

  private final AuthnSettings settings;
  private final AuthnSessions sessions;
  private final Clock clock;

  /**
   * @param client that trusts authn-service, and follows no redirects
   */
  public BearerSessions(AuthnSettings settings, HttpClient client, Clock clock) {
    this.settings = settings;
    this.sessions = new AuthnSessions(settings.url(), settings.cache(), settings.timeout(), client);
    this.clock = clock;
  }

  /** The token that a request bears, as {@link BearerToken} has it. */
  static @Nullable String token(HttpServletRequest request) {
    return BearerToken.of(Collections.list(request.getHeaders("Authorization")));
  }

  /** What a token is worth now, give or take the time that answers are remembered. */
  Bearer judge(String token) {
    try {
      String user = sessions.introspect(token).getName();
      // Else it might pass for one of another scope.
      return user.contains("@")
          ? new Bearer.Invalid()
          : new Bearer.Valid(session(user, Digests.of(token)));
    } catch (BadOpaqueTokenException nobodys) {
      return new Bearer.Invalid();
    } catch (OAuth2IntrospectionException unknown) {
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
}
