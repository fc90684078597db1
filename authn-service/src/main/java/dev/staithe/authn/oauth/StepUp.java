package dev.staithe.authn.oauth;

import dev.staithe.authn.browser.LoginRedirect;
import dev.staithe.authn.browser.Questions;
import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.persistence.Assurance;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sends somebody who is logged in to the login page again, where the request needs more than there
 * is: a second factor, a login that is newer ({@code prompt=login}, {@code max_age}), or one of
 * somebody else ({@code id_token_hint}; all OpenID Connect Core 3.1.2.1). A request that forbids
 * pages is told that a login is required; so is one where that login was not the expected one's
 * either, or it would lead to the login page for ever.
 */
final class StepUp extends OncePerRequestFilter {
  private static final String AUTHORIZE = "/oauth2/authorize";
  private static final String DEVICE = "/oauth2/device_verification";

  private final Questions questions;
  private final IdTokenHint hint;
  private final Clock clock;

  StepUp(Questions questions, IdTokenHint hint, Clock clock) {
    this.questions = questions;
    this.hint = hint;
    this.clock = clock;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (SecurityContextHolder.getContext().getAuthentication() instanceof SignedIn user) {
      boolean another = isAnother(request, user);
      if (another || notEnough(request, user)) {
        boolean tried = another && !parameter(request, LoginRedirect.LOGGED_IN).isEmpty();
        if (!tried && !parameter(request, "prompt").equals("none")) {
          LoginRedirect.send(request, response);
          return;
        }
        if (tried) {
          request.setAttribute(ProtocolEntry.NO_OTHER, true);
        }
        SecurityContextHolder.clearContext();
      }
    }
    chain.doFilter(request, response);
  }

  private boolean isAnother(HttpServletRequest request, SignedIn user) {
    return request.getServletPath().equals(AUTHORIZE)
        && !parameter(request, "response_type").isEmpty()
        && hint.isOfAnother(parameter(request, "id_token_hint"), user);
  }

  private boolean notEnough(HttpServletRequest request, SignedIn user) {
    boolean strong = user.session().assurance() == Assurance.SECOND_FACTOR;
    return switch (request.getServletPath()) {
      case AUTHORIZE ->
          !parameter(request, "response_type").isEmpty()
              && (wantsLogin(parameter(request, "prompt"))
                  || tooOld(parameter(request, "max_age"), user)
                  || !strong
                      && questions.needsSecondFactor(
                          parameter(request, "client_id"), parameter(request, "scope")));
      case DEVICE ->
          !strong
              && parameter(request, "state").isEmpty()
              && questions.deviceNeedsSecondFactor(parameter(request, "user_code"));
      default -> false;
    };
  }

  /** With {@code none} beside it the request is wrong, which the client is told. */
  private static boolean wantsLogin(String prompt) {
    Set<String> words = ProtocolRequest.words(prompt);
    return words.contains("login") && !words.contains("none");
  }

  private boolean tooOld(String maxAge, SignedIn user) {
    if (!maxAge.matches("[0-9]{1,9}")) {
      return false;
    }
    Instant oldest = clock.instant().minusSeconds(Long.parseLong(maxAge));
    // To the second, or a login for max_age=0 would never be new enough.
    return user.session().issued().isBefore(oldest.minusSeconds(5));
  }

  private static String parameter(HttpServletRequest request, String name) {
    String value = request.getParameter(name);
    return value == null ? "" : value;
  }
}
