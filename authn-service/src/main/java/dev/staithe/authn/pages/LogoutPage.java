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

/** Ends the browser's session, after asking. */
@Controller
final class LogoutPage {
  private static final String DONE = "redirect:/signed-out";

  private final SessionLink sessions;
  private final SessionCookie cookie;

  LogoutPage(SessionLink sessions, SessionCookie cookie) {
    this.sessions = sessions;
    this.cookie = cookie;
  }

  @GetMapping("/logout")
  String ask(@Nullable Authentication current, Model model) {
    if (!(current instanceof SignedIn user)) {
      return DONE;
    }
    model.addAttribute("user", user.getPrincipal());
    return "pages/logout";
  }

  @PostMapping("/logout")
  String logout(
      @Nullable Authentication current, HttpServletRequest request, HttpServletResponse response) {
    if (current instanceof SignedIn user) {
      cookie.read(request).ifPresent(sessions::end);
    }
    cookie.clear(response);
    return DONE;
  }

  @GetMapping("/signed-out")
  String done(Model model) {
    model.addAttribute("title", "You are logged out");
    model.addAttribute("text", "You can close this page.");
    return "pages/message";
  }
}
