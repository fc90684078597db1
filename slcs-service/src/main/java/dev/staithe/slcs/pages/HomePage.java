package dev.staithe.slcs.pages;

import dev.staithe.slcs.door.Caller;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/**
 * Where somebody makes, sees and withdraws certificates. The key is made by the script of the page
 * and stays in the browser; what the script asks for is the interface that everybody has.
 */
@Controller
final class HomePage {
  /**
   * Scripts and requests of our own and nothing else. A file that the browser made is saved, which
   * needs no permission. No word on forms: browsers hold the redirects after a form against it too,
   * and the one form, the logout, goes on to the campus.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self';"
          + " base-uri 'none'; frame-ancestors 'none'";

  private final LoginNeeded login;

  HomePage(LoginNeeded login) {
    this.login = login;
  }

  @GetMapping("/")
  @Nullable String show(HttpServletRequest request, HttpServletResponse response, Model model)
      throws ServletException, IOException {
    Optional<CampusSession> session = Caller.session(request);
    if (session.isEmpty()) {
      login.answer(request, response);
      return null;
    }
    CampusIdentity identity = session.get().identity();
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", "no-store");
    model.addAttribute("name", identity.first("displayName").orElse(identity.principalName()));
    model.addAttribute("principal", identity.principalName());
    model.addAttribute("provider", identity.providerName());
    return "pages/home";
  }
}
