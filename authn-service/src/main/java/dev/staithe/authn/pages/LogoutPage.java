package dev.staithe.authn.pages;

import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.grants.SignedIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Ends the browser's session, after asking, and says whether it has ended everywhere. */
@Controller
final class LogoutPage {
  private static final String DONE = "redirect:/signed-out";
  private static final String PENDING = DONE + "?pending";

  private final SessionLink sessions;
  private final SessionCookie cookie;

  LogoutPage(SessionLink sessions, SessionCookie cookie) {
    this.sessions = sessions;
    this.cookie = cookie;
  }

  @GetMapping("/logout")
  String ask(@Nullable Authentication current, HttpServletRequest request, Model model) {
    if (current instanceof SignedIn user) {
      model.addAttribute("user", user.getPrincipal());
    } else if (cookie.read(request).isEmpty()) {
      return DONE;
    }
    // A session that is refused here may go on elsewhere, where its end could not be kept.
    return "pages/logout";
  }

  @PostMapping("/logout")
  String logout(HttpServletRequest request, HttpServletResponse response) {
    return ended(sessions, cookie, request, response);
  }

  /**
   * Ends the session of a browser's cookie, also where it is refused here already: its end may wait
   * for a store. The cookie stays where the end could not be kept, so that the next try has it.
   *
   * @return where the browser goes
   */
  static String ended(
      SessionLink sessions,
      SessionCookie cookie,
      HttpServletRequest request,
      HttpServletResponse response) {
    boolean complete =
        cookie.read(request).map(token -> SessionLink.isComplete(sessions.end(token))).orElse(true);
    cookie.clear(response);
    return complete ? DONE : PENDING;
  }

  @GetMapping("/signed-out")
  String done(
      @RequestParam(name = "pending", required = false) @Nullable String pending, Model model) {
    model.addAttribute("title", pending == null ? "You are logged out" : "You are logged out here");
    model.addAttribute(
        "text",
        pending == null
            ? "You can close this page."
            : "Elsewhere you are logged out as soon as a store answers that is away right now. You"
                + " can close this page.");
    return "pages/message";
  }
}
