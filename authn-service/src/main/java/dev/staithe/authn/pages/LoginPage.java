package dev.staithe.authn.pages;

import dev.staithe.authn.browser.LoginRedirect;
import dev.staithe.authn.browser.Questions;
import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.login.Attempt;
import dev.staithe.authn.login.LoginResult;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.Secret;
import dev.staithe.authn.session.SessionOpening;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Where a browser logs in. */
@Controller
final class LoginPage {
  private static final Logger LOG = LoggerFactory.getLogger(LoginPage.class);
  private static final String VIEW = "pages/login";
  private static final String BUSY =
      "Too many people are logging in right now. Please try again in a moment.";
  private static final int LONGEST = 1024;

  private final Logins logins;
  private final SessionLink link;
  private final SessionCookie cookie;
  private final Questions questions;

  LoginPage(Logins logins, SessionLink link, SessionCookie cookie, Questions questions) {
    this.logins = logins;
    this.link = link;
    this.cookie = cookie;
    this.questions = questions;
  }

  @GetMapping(LoginRedirect.PAGE)
  String show(
      @RequestParam(name = LoginRedirect.CONTINUE, required = false) @Nullable String given,
      HttpServletResponse response,
      Model model) {
    Continuation next = Continuation.of(given);
    return page(model, response, next, next.needsSecondFactor(questions), "", "");
  }

  @PostMapping(LoginRedirect.PAGE)
  String login(
      @RequestParam(name = "username", defaultValue = "") String user,
      @RequestParam(name = "password", defaultValue = "") String password,
      @RequestParam(name = "code", defaultValue = "") String code,
      @RequestParam(name = LoginRedirect.CONTINUE, required = false) @Nullable String given,
      @Nullable Authentication current,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    Continuation next = Continuation.of(given);
    boolean strong = next.needsSecondFactor(questions);
    if (user.length() > LONGEST || password.length() > LONGEST || code.length() > LONGEST) {
      return refused(model, response, next, strong, "");
    }
    LoginResult result;
    try (Secret secret = Secret.of(password)) {
      result =
          logins.login(
              new Attempt(
                  user, secret, code.isBlank() ? null : code.strip(), address(request), strong));
    }
    return switch (result) {
      case LoginResult.Accepted accepted -> open(accepted, next, current, request, response, model);
      case LoginResult.SecondFactorNeeded(var account, _) -> {
        String text =
            account.hasSecondFactor()
                ? "Enter the code that your device shows now, and your password once more."
                : "This needs a second factor, and you have none yet. Set one up first.";
        response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        yield page(model, response, next, true, text, user);
      }
      case LoginResult.Refused() -> refused(model, response, next, strong, user);
      case LoginResult.Locked(Duration after) -> {
        retry(response, 429, after);
        yield page(
            model,
            response,
            next,
            strong,
            "Too many attempts. Please wait " + DisplayText.of(after) + " and try again.",
            user);
      }
      case LoginResult.Busy(Duration after) -> {
        retry(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, after);
        yield page(model, response, next, strong, BUSY, user);
      }
      case LoginResult.Unavailable(String reason) ->
          unavailable(reason, next, strong, response, model, user);
    };
  }

  private String open(
      LoginResult.Accepted accepted,
      Continuation next,
      @Nullable Authentication current,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    String subject = accepted.account().name();
    String agent = request.getHeader(HttpHeaders.USER_AGENT);
    SessionOpening opening =
        link.open(
            subject,
            accepted.since(),
            accepted.assurance(),
            request.getRemoteAddr(),
            agent == null ? "" : agent);
    return switch (opening) {
      case SessionOpening.Opened opened -> {
        // Never two at once: what was here before ends, so that no planted session goes on.
        if (current instanceof SignedIn) {
          cookie.read(request).ifPresent(link::end);
        }
        cookie.write(response, opened.token());
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader(HttpHeaders.LOCATION, next.path());
        yield "pages/moved";
      }
      case SessionOpening.TooMany() -> {
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        yield page(
            model,
            response,
            next,
            false,
            "You have too many sessions. End one of them elsewhere first.",
            subject);
      }
      case SessionOpening.Unavailable(String reason) ->
          unavailable(reason, next, false, response, model, subject);
    };
  }

  private String refused(
      Model model, HttpServletResponse response, Continuation next, boolean strong, String user) {
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    return page(model, response, next, strong, "That user name and password are not right.", user);
  }

  private String unavailable(
      String reason,
      Continuation next,
      boolean strong,
      HttpServletResponse response,
      Model model,
      String user) {
    LOG.warn("a login is answered 503: {}", reason);
    retry(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, Duration.ofSeconds(5));
    return page(model, response, next, strong, "Logging in does not work right now.", user);
  }

  private static void retry(HttpServletResponse response, int status, Duration after) {
    response.setStatus(status);
    response.setHeader(
        HttpHeaders.RETRY_AFTER, String.valueOf(Math.max(1, after.plusMillis(999).toSeconds())));
  }

  private String page(
      Model model,
      HttpServletResponse response,
      Continuation next,
      boolean code,
      String problem,
      String user) {
    PagePolicy.set(response, next.targets(questions));
    model.addAttribute("next", next.path());
    model.addAttribute("code", code);
    model.addAttribute("problem", problem);
    model.addAttribute("user", user.length() > 64 ? "" : user);
    return VIEW;
  }

  /** The container gives an address as text; it is never looked up as a name. */
  static InetAddress address(HttpServletRequest request) {
    try {
      return InetAddress.ofLiteral(request.getRemoteAddr());
    } catch (IllegalArgumentException e) {
      try {
        return InetAddress.getByAddress(new byte[4]);
      } catch (UnknownHostException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }
}
