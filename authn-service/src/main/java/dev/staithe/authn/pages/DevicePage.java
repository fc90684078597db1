package dev.staithe.authn.pages;

import dev.staithe.authn.grants.SignedIn;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Where a user types the code that a device shows (RFC 8628 section 3.3). */
@Controller
final class DevicePage {
  private static final int LONGEST = 20;

  @GetMapping("/device")
  String ask(
      @RequestParam(name = "user_code", defaultValue = "") String code,
      @RequestParam(name = "error", required = false) @Nullable String error,
      SignedIn user,
      HttpServletResponse response,
      Model model) {
    if (error != null) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
    }
    model.addAttribute("user", user.getPrincipal());
    model.addAttribute("code", code.length() > LONGEST ? "" : code);
    model.addAttribute("problem", error != null);
    return "pages/device";
  }

  @GetMapping("/device/done")
  String done(Model model) {
    model.addAttribute("title", "The device is let in");
    model.addAttribute("text", "You can close this page and go back to it.");
    return "pages/message";
  }
}
