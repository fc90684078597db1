package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.Providers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where people choose their identity provider, by a list that can be searched and needs no script;
 * straight on to it where the request names one, or there is no choice.
 */
@Controller
final class LoginPage {
  private static final int MOST = 50;
  private static final int LONGEST = 100;

  private final Providers providers;
  private final SignIn signIn;
  private final LoginEndpoints endpoints;

  LoginPage(Providers providers, SignIn signIn, LoginEndpoints endpoints) {
    this.providers = providers;
    this.signIn = signIn;
    this.endpoints = endpoints;
  }

  /** One line of the list. */
  record Choice(String displayName, String name, String link) {}

  @GetMapping(SignIn.PAGE)
  @Nullable ModelAndView show(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Provider> chosen = signIn.chosen(request);
    if (chosen.isPresent()) {
      endpoints.begin(chosen.get(), request, response);
      return null;
    }
    String given = request.getParameter("q");
    String search =
        given == null ? "" : given.strip().substring(0, Math.min(LONGEST, given.strip().length()));
    String to = ReturnPath.of(request.getParameter(SignIn.RETURN));
    List<String> words = Stream.of(search.split("\\s+")).filter(word -> !word.isEmpty()).toList();
    List<Providers.Shown> found = providers.find(words, MOST + 1);
    response.setHeader("Cache-Control", "no-store");
    return new ModelAndView(
        "pages/choose",
        Map.of(
            "search",
            search,
            "to",
            to,
            "unknown",
            request.getParameter(SignIn.PROVIDER) != null,
            "more",
            found.size() > MOST,
            "choices",
            found.stream().limit(MOST).map(each -> choice(each, to)).toList()));
  }

  /** The same list for programs. */
  @GetMapping(SignIn.PROVIDERS)
  void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String search = Objects.requireNonNullElse(request.getParameter("q"), "").strip();
    List<String> words =
        Stream.of(search.substring(0, Math.min(LONGEST, search.length())).split("\\s+"))
            .filter(word -> !word.isEmpty())
            .toList();
    List<Providers.Shown> found = providers.find(words, MOST + 1);
    response.setHeader("Cache-Control", "no-store");
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    response
        .getWriter()
        .write(
            JsonMapper.shared()
                .writeValueAsString(
                    Map.of(
                        "providers",
                        found.stream().limit(MOST).toList(),
                        "more",
                        found.size() > MOST)));
  }

  private static Choice choice(Providers.Shown provider, String to) {
    return new Choice(
        provider.displayName(),
        provider.name(),
        "/saml2/authenticate/"
            + UriUtils.encodePathSegment(provider.name(), StandardCharsets.UTF_8)
            + "?"
            + SignIn.RETURN
            + "="
            + UriUtils.encode(to, StandardCharsets.UTF_8));
  }
}
