package dev.staithe.authn.admin;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.authn.users.Account;
import dev.staithe.authn.users.Users;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.door.BearerToken;
import dev.staithe.service.log.AuditLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Lets through whose session, in an {@code Authorization: Bearer} header, is that of an enabled
 * member of the administrators' group. Never looks at cookies, which browsers send by themselves.
 */
final class AdministratorsOnly implements HandlerInterceptor {
  /** Request attribute: the administrator's name. */
  static final String ADMINISTRATOR = "dev.staithe.authn.administrator";

  private static final Logger log = LoggerFactory.getLogger(AdministratorsOnly.class);

  private final Sessions sessions;
  private final Users users;
  private final AdministrationSettings settings;
  private final AuditLog audit;

  AdministratorsOnly(
      Sessions sessions, Users users, AdministrationSettings settings, AuditLog audit) {
    this.sessions = sessions;
    this.users = users;
    this.settings = settings;
    this.audit = audit;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    String token = BearerToken.of(Collections.list(request.getHeaders("Authorization")));
    if (token == null) {
      return refused(request, response, 401, "a session token is needed as a bearer", null);
    }
    return switch (sessions.validate(token, Freshness.BOUNDED)) {
      case Validation.Invalid invalid ->
          refused(request, response, 401, "the token is not good", null);
      case Validation.Unavailable unavailable ->
          refused(request, response, 503, "whether the session has ended cannot be told", null);
      case Validation.Valid valid -> {
        String name = valid.token().subject();
        if (settings.secondFactor() && valid.token().assurance() != Assurance.SECOND_FACTOR) {
          yield refused(request, response, 403, "log in with a one-time code first", name);
        }
        yield member(request, response, name);
      }
    };
  }

  private boolean member(HttpServletRequest request, HttpServletResponse response, String name)
      throws IOException {
    Optional<Account> account;
    try {
      account = users.find(name);
    } catch (UsersUnavailable e) {
      log.warn("whether {} is an administrator cannot be told: {}", name, e.getMessage());
      return refused(request, response, 503, "the user store does not answer", name);
    }
    if (account.isEmpty()
        || !account.get().enabled()
        || !account.get().groups().contains(settings.group())) {
      return refused(request, response, 403, "for members of " + settings.group() + " only", name);
    }
    request.setAttribute(ADMINISTRATOR, name);
    return true;
  }

  private boolean refused(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      String line,
      @Nullable String name)
      throws IOException {
    audit
        .line("administration", "refused: " + line)
        .with("subject", name)
        .with("address", request.getRemoteAddr())
        .with("method", request.getMethod())
        .with("path", request.getRequestURI())
        .write();
    Answers.write(response, status, line);
    return false;
  }
}
