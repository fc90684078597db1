package dev.staithe.slcs.protect;

import static java.util.Objects.requireNonNull;

import dev.staithe.service.door.AuthnSessions;
import dev.staithe.service.door.BearerToken;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.slcs.session.Digests;
import dev.staithe.slcs.session.Identifier;
import dev.staithe.slcs.session.ScopedId;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenErrors;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthentication;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;

/** Where sessions of authn-service are taken as bearer tokens, and for whom. Thread-safe. */
final class BearerTokens {
  private static final String UNSPECIFIED = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified";

  /** Where certificates are asked for, which a session may whether the path is protected or not. */
  private static final Set<String> ISSUING = Set.of("/certificates", "/soap/slcs", "/SLCS/login");

  private final @Nullable AuthnSettings settings;
  private final @Nullable AuthnSessions sessions;
  private final ProtectedServices services;
  private final Clock clock;

  /**
   * @param settings null: no token is taken anywhere
   * @param client that trusts authn-service, and follows no redirects
   */
  BearerTokens(
      @Nullable AuthnSettings settings,
      ProtectedServices services,
      HttpClient client,
      Clock clock) {
    this.settings = settings;
    this.sessions =
        settings == null
            ? null
            : new AuthnSessions(settings.url(), settings.cache(), settings.timeout(), client);
    this.services = services;
    this.clock = clock;
  }

  /** Whether a request bears a token where it counts; everywhere else it is not looked at. */
  boolean areTaken(HttpServletRequest request) {
    return sessions != null
        && (issues(request) || services.of(request).map(BearerTokens::admits).orElse(false))
        && token(request) != null;
  }

  /** Whether a request asks for a certificate, or about those that were issued. */
  static boolean issues(HttpServletRequest request) {
    String path = ProtectedServices.path(request);
    return ISSUING.contains(path) || path.startsWith("/certificates/");
  }

  private static boolean admits(ProtectedService service) {
    return service.protection().contains(Protection.SESSION)
        && !service.protection().contains(Protection.NONE);
  }

  /**
   * The token of a request.
   *
   * @throws OAuth2AuthenticationException where it is none by its form
   */
  static String of(HttpServletRequest request) {
    String token = token(request);
    if (token == null || token.isEmpty()) {
      throw new OAuth2AuthenticationException(
          BearerTokenErrors.invalidToken("no well-formed token"));
    }
    return token;
  }

  private static @Nullable String token(HttpServletRequest request) {
    return BearerToken.of(Collections.list(request.getHeaders("Authorization")));
  }

  /** Whose a token is, as {@link AuthnSessions#introspect} has it. */
  OAuth2AuthenticatedPrincipal introspect(String token) {
    return ofOurScope(requireNonNull(sessions).introspect(token));
  }

  /**
   * Whose a token is, as {@link AuthnSessions#account} has it: certificates and their names are
   * kept for a person, and the user's name may be another's by now.
   */
  OAuth2AuthenticatedPrincipal account(String token) {
    OAuth2AuthenticatedPrincipal user = ofOurScope(requireNonNull(sessions).account(token));
    String scope = requireNonNull(settings).scope();
    if (scope != null
        && ScopedId.of(user.getAttribute(AuthnSessions.SUBJECT) + "@" + scope).isEmpty()) {
      throw new BadOpaqueTokenException("the subject might pass for one of another scope");
    }
    return user;
  }

  private static OAuth2AuthenticatedPrincipal ofOurScope(OAuth2AuthenticatedPrincipal user) {
    if (user.getName().contains("@")) {
      throw new BadOpaqueTokenException("the name might pass for one of another scope");
    }
    return user;
  }

  /** The session that the bearer of the present request proved, as one of a campus. */
  Optional<CampusSession> session() {
    return SecurityContextHolder.getContext().getAuthentication()
            instanceof BearerTokenAuthentication proven
        ? Optional.of(
            session(
                requireNonNull(settings), proven, Digests.of(proven.getToken().getTokenValue())))
        : Optional.empty();
  }

  private CampusSession session(AuthnSettings authn, BearerTokenAuthentication proven, String id) {
    String user = proven.getName();
    String name = authn.scope() == null ? user : user + "@" + authn.scope();
    var attributes = new HashMap<String, List<String>>();
    attributes.put("uid", List.of(user));
    attributes.put(Identifier.Kind.PRINCIPAL_NAME.attribute(), List.of(name));
    Object subject = proven.getTokenAttributes().get(AuthnSessions.SUBJECT);
    if (subject != null && authn.scope() != null) {
      attributes.put(
          Identifier.Kind.SUBJECT_ID.attribute(), List.of(subject + "@" + authn.scope()));
    }
    Instant now = clock.instant();
    return new CampusSession(
        id,
        new CampusIdentity(
            authn.url().toString(), AuthnSettings.NAME, name, attributes, now, UNSPECIFIED),
        now,
        now.plus(authn.cache()),
        null);
  }
}
