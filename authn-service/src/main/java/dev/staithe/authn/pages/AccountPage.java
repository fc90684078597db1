package dev.staithe.authn.pages;

import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.login.Confirmation;
import dev.staithe.authn.login.Enrolment;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.session.SessionOpening;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.log.AuditLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * A user's own password and second factor. A session alone changes nothing: each step that weakens
 * or replaces something wants the password again, and a code where there are codes, under the
 * limits of logins. What changes ends all sessions but the one that begins with it.
 */
@Controller
final class AccountPage {
  private static final String VIEW = "pages/account";
  private static final String NEW_CODES = "pages/code";
  private static final String LATER =
      "Other sessions and applications end as soon as a store answers that is away right now.";
  private static final Map<String, String> DONE =
      Map.of(
          "password",
          "Your password is changed. All other sessions and applications have ended.",
          "password-pending",
          "Your password is changed. " + LATER,
          "code-off",
          "One-time codes are off. All other sessions and applications have ended.",
          "code-off-pending",
          "One-time codes are off. " + LATER);

  private final LoginAgain again;
  private final Sessions sessions;
  private final SessionLink link;
  private final SessionCookie cookie;
  private final JdbcUsers users;
  private final UserAdministration administration;
  private final OneTimeCodes codes;
  private final AuditLog audit;

  AccountPage(
      LoginAgain again,
      Sessions sessions,
      SessionLink link,
      SessionCookie cookie,
      JdbcUsers users,
      UserAdministration administration,
      OneTimeCodes codes,
      AuditLog audit) {
    this.again = again;
    this.sessions = sessions;
    this.link = link;
    this.cookie = cookie;
    this.users = users;
    this.administration = administration;
    this.codes = codes;
    this.audit = audit;
  }

  private interface Question<T> {
    T ask() throws UsersUnavailable;
  }

  private static <T> T asked(Question<T> asking) {
    try {
      return asking.ask();
    } catch (UsersUnavailable e) {
      throw new Unavailable(String.valueOf(e.getMessage()));
    }
  }

  @GetMapping("/account")
  String show(
      @RequestParam(name = "done", defaultValue = "") String done, SignedIn user, Model model) {
    return page(user, "", DONE.getOrDefault(done, ""), model);
  }

  private String page(SignedIn user, String problem, String done, Model model) {
    String name = user.getPrincipal();
    model.addAttribute("user", name);
    model.addAttribute("problem", problem);
    model.addAttribute("done", done);
    model.addAttribute("ours", asked(() -> users.find(name)).isPresent());
    model.addAttribute("codes", asked(() -> codes.enrolled(name)));
    return VIEW;
  }

  private String refused(
      SignedIn user, int status, String problem, HttpServletResponse response, Model model) {
    response.setStatus(status);
    return page(user, problem, "", model);
  }

  @PostMapping("/account/password")
  String password(
      @RequestParam(name = "password", defaultValue = "") String password,
      @RequestParam(name = "code", defaultValue = "") String code,
      @RequestParam(name = "new-password", defaultValue = "") String wanted,
      @RequestParam(name = "repeated", defaultValue = "") String repeated,
      SignedIn user,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    String name = user.getPrincipal();
    if (!wanted.equals(repeated)) {
      return refused(user, 400, "The two new passwords differ.", response, model);
    }
    boolean enrolled = asked(() -> codes.enrolled(name));
    Optional<String> objection = again.objection(name, password, code, enrolled, request, response);
    if (objection.isPresent()) {
      return page(user, objection.get(), "", model);
    }
    byte[] bytes = wanted.getBytes(StandardCharsets.UTF_8);
    AdministrationOutcome outcome;
    try {
      outcome = administration.setPassword(name, bytes);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
    boolean set = outcome instanceof AdministrationOutcome.Done;
    audit.line("user.password", set ? "ok" : "refused").with("subject", name).write();
    return switch (outcome) {
      case AdministrationOutcome.Done done ->
          anew(
              name,
              enrolled ? Assurance.SECOND_FACTOR : Assurance.PASSWORD,
              "password",
              request,
              response);
      case AdministrationOutcome.Invalid(String reason) ->
          refused(user, 400, "This will not do: " + reason + ".", response, model);
      case AdministrationOutcome.Busy busy ->
          refused(user, 503, "Too many people are logging in. Please try again.", response, model);
      case AdministrationOutcome.Unavailable(String reason) -> throw new Unavailable(reason);
      case AdministrationOutcome.Unknown unknown ->
          refused(user, 400, "Your password is kept elsewhere.", response, model);
      case AdministrationOutcome.Exists exists -> throw new IllegalStateException("no new name");
      case AdministrationOutcome.LastOne last -> throw new IllegalStateException("nobody leaves");
    };
  }

  /** Nobody who had a session goes on but this browser, in a new one. */
  private String anew(
      String name,
      Assurance assurance,
      String done,
      HttpServletRequest request,
      HttpServletResponse response) {
    // What was to be changed is changed, whatever becomes of this: it is tried on until it is kept.
    boolean late =
        switch (link.endAllOf(name)) {
          case SessionEnd.Pending pending -> true;
          case SessionEnd.Failed failed -> true;
          case SessionEnd.Ended ended -> false;
          case SessionEnd.AlreadyEnded already -> false;
          case SessionEnd.NotFound none -> false;
        };
    String agent = request.getHeader(HttpHeaders.USER_AGENT);
    if (sessions.open(name, assurance, request.getRemoteAddr(), agent == null ? "" : agent)
        instanceof SessionOpening.Opened opened) {
      cookie.write(response, opened.token());
    } else {
      cookie.clear(response);
    }
    return "redirect:/account?done=" + done + (late ? "-pending" : "");
  }

  @PostMapping("/account/code/begin")
  String begin(
      @RequestParam(name = "password", defaultValue = "") String password,
      SignedIn user,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    String name = user.getPrincipal();
    if (asked(() -> codes.enrolled(name))) {
      return refused(user, 409, "There are codes already. Turn them off first.", response, model);
    }
    Optional<String> objection = again.objection(name, password, "", false, request, response);
    if (objection.isPresent()) {
      return page(user, objection.get(), "", model);
    }
    Enrolment enrolment = asked(() -> codes.begin(name));
    audit.line("code.begin", "ok").with("subject", name).write();
    model.addAttribute("secret", enrolment.secret().replaceAll("(.{4})(?=.)", "$1 "));
    model.addAttribute("uri", enrolment.uri());
    model.addAttribute("recovery", null);
    return NEW_CODES;
  }

  @PostMapping("/account/code/confirm")
  String confirm(
      @RequestParam(name = "code", defaultValue = "") String code,
      SignedIn user,
      HttpServletResponse response,
      Model model) {
    String name = user.getPrincipal();
    Confirmation confirmation = asked(() -> codes.confirm(name, code));
    audit
        .line("code.confirm", confirmation instanceof Confirmation.Confirmed ? "ok" : "refused")
        .with("subject", name)
        .write();
    return switch (confirmation) {
      case Confirmation.Confirmed confirmed -> {
        model.addAttribute("recovery", confirmed.recoveryCodes());
        yield NEW_CODES;
      }
      case Confirmation.WrongCode wrong ->
          refused(user, 400, "That is not the code of now. Please begin again.", response, model);
      case Confirmation.NothingPending none ->
          refused(user, 400, "Nothing was begun, or it was replaced.", response, model);
    };
  }

  @PostMapping("/account/code/remove")
  String remove(
      @RequestParam(name = "password", defaultValue = "") String password,
      @RequestParam(name = "code", defaultValue = "") String code,
      SignedIn user,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    String name = user.getPrincipal();
    Optional<String> objection = again.objection(name, password, code, true, request, response);
    if (objection.isPresent()) {
      return page(user, objection.get(), "", model);
    }
    asked(() -> codes.remove(name));
    audit.line("code.remove", "ok").with("subject", name).write();
    return anew(name, Assurance.PASSWORD, "code-off", request, response);
  }
}
