package dev.staithe.slcs.saml;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Where people choose their identity provider; straight on to it where there is no choice. */
@Controller
final class LoginPage {
  private final Providers providers;
  private final SignIn signIn;
  private final LoginEndpoints endpoints;

  LoginPage(Providers providers, SignIn signIn, LoginEndpoints endpoints) {
    this.providers = providers;
    this.signIn = signIn;
    this.endpoints = endpoints;
  }

  @GetMapping(SignIn.PAGE)
  void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Optional<Provider> chosen = signIn.chosen(request);
    if (chosen.isPresent()) {
      endpoints.begin(chosen.get(), request, response);
      return;
    }
    var list = new StringBuilder();
    providers.all().forEach(provider -> list.append(provider.name()).append('\n'));
    SignIn.line(response, "name one by ?idp=\n" + list);
  }
}
