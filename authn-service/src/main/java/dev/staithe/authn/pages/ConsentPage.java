package dev.staithe.authn.pages;

import dev.staithe.authn.browser.Question;
import dev.staithe.authn.browser.Questions;
import dev.staithe.authn.grants.SignedIn;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Asks whether a client may have what it asks for. The answer goes to the authorization server,
 * which knows the question by its state.
 */
@Controller
final class ConsentPage {
  private final Questions questions;

  ConsentPage(Questions questions) {
    this.questions = questions;
  }

  /** A scope and what it means. */
  record Line(String scope, String words) {}

  @GetMapping("/consent")
  String show(
      @RequestParam(name = "state", defaultValue = "") String state,
      @RequestParam(name = "user_code", defaultValue = "") String userCode,
      SignedIn user,
      HttpServletResponse response,
      Model model) {
    Optional<Question> pending = questions.pending(state, user.getPrincipal());
    if (pending.isEmpty()) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      model.addAttribute("title", "This request is over");
      model.addAttribute(
          "text", "It was answered already, or it waited too long. Start again where you began.");
      return "pages/message";
    }
    Question question = pending.get();
    PagePolicy.set(
        response, question.device() ? List.of() : questions.targets(question.client().id()));
    model.addAttribute("user", user.getPrincipal());
    model.addAttribute("client", question.client());
    model.addAttribute("device", question.device());
    model.addAttribute(
        "action", question.device() ? "/oauth2/device_verification" : "/oauth2/authorize");
    model.addAttribute("target", question.target().replace(":*", ""));
    model.addAttribute("state", state);
    model.addAttribute("userCode", userCode);
    model.addAttribute(
        "lines",
        question.scopes().stream().map(scope -> new Line(scope, DisplayText.of(scope))).toList());
    return "pages/consent";
  }
}
