package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.Providers;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Judgement;
import dev.staithe.slcs.saml.response.MessageText;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.slcs.saml.response.ResponseJudge;
import dev.staithe.slcs.saml.response.SentRequests.Door;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.slcs.session.CampusSessions;
import dev.staithe.slcs.session.Digests;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** The addresses of this service that identity providers, and those on their way there, use. */
@Controller
final class LoginEndpoints {
  private static final Logger log = LoggerFactory.getLogger(LoginEndpoints.class);

  private final ServiceProvider self;
  private final Providers providers;
  private final AuthnRequests requests;
  private final ResponseJudge judge;
  private final CampusSessions sessions;
  private final SamlAudit audit;
  private final BegunLogins begun;
  private final URI url;
  private final Duration requestLifetime;

  LoginEndpoints(
      ServiceProvider self,
      Providers providers,
      AuthnRequests requests,
      ResponseJudge judge,
      CampusSessions sessions,
      SamlAudit audit,
      BegunLogins begun,
      SamlSettings settings) {
    this.self = self;
    this.providers = providers;
    this.requests = requests;
    this.judge = judge;
    this.sessions = sessions;
    this.audit = audit;
    this.begun = begun;
    this.url = settings.url();
    this.requestLifetime = settings.requestLifetime();
  }

  @GetMapping(ServiceProvider.METADATA)
  void metadata(HttpServletResponse response) throws IOException {
    metadata(self.encryption(), response);
  }

  /** For a provider that encrypts in another way than all, or not at all. */
  @GetMapping(ServiceProvider.METADATA + "/{provider}")
  void metadata(@PathVariable("provider") String name, HttpServletResponse response)
      throws IOException {
    Provider provider = named(name, response);
    if (provider != null) {
      metadata(provider.encryption(), response);
    }
  }

  private void metadata(SamlSettings.Encryption encryption, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/samlmetadata+xml");
    response.setCharacterEncoding("UTF-8");
    response.getWriter().write(self.metadata(encryption));
  }

  @GetMapping("/saml2/authenticate/{provider}")
  void authenticate(
      @PathVariable("provider") String name,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Provider provider = named(name, response);
    if (provider != null) {
      begin(provider, request, response);
    }
  }

  /** Null where there is none, which the caller has been told then. */
  private @Nullable Provider named(String name, HttpServletResponse response) throws IOException {
    Provider provider = providers.named(name).orElse(null);
    if (provider == null) {
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      SignIn.line(response, "there is no such identity provider");
    }
    return provider;
  }

  /** Sends a browser to a provider. */
  void begin(Provider provider, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!begun.admit(request, response)) {
      return;
    }
    String browser = secure() ? browserCookie(request, response) : null;
    BrowserMessage message =
        requests.byBrowser(
            provider,
            request,
            browser == null ? null : Digests.of(browser),
            ReturnPath.of(request.getParameter(SignIn.RETURN)));
    BrowserMessage.send(message, HttpServletResponse.SC_FOUND, response);
  }

  private boolean secure() {
    return "https".equals(url.getScheme());
  }

  private static @Nullable String cookie(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(BROWSER) && cookie.getValue().length() == 43) {
          return cookie.getValue();
        }
      }
    }
    return null;
  }

  /**
   * Ties a login to the browser that began it, or somebody could log others in as himself. It is of
   * no other use, so that it may come with the answer's cross-site POST, as a Lax cookie would not.
   */
  private static final String BROWSER = "__Host-staithe-slcs-login";

  private String browserCookie(HttpServletRequest request, HttpServletResponse response) {
    String before = cookie(request);
    // Kept, so that logins in two windows do not disturb each other.
    String value = before == null ? Digests.random() : before;
    response.addHeader(
        HttpHeaders.SET_COOKIE,
        ResponseCookie.from(BROWSER, value)
            .httpOnly(true)
            .secure(true)
            .sameSite("None")
            .path("/")
            .maxAge(requestLifetime)
            .build()
            .toString());
    return value;
  }

  /** The answer by a browser (SAML bindings section 3.5). */
  @PostMapping(path = ServiceProvider.CONSUMER, consumes = "application/x-www-form-urlencoded")
  void consume(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String text;
    try {
      text = request.getParameter("SAMLResponse");
    } catch (IllegalStateException tooLarge) {
      // The server reads no form beyond its own limit.
      refuse(
          new Refusal(Reason.TOO_LARGE, String.valueOf(tooLarge.getMessage())),
          null,
          request,
          response);
      return;
    }
    String browser = cookie(request);
    answer(
        judge.judge(
            text == null
                ? new MessageText.Refused(new Refusal(Reason.MALFORMED, "there is no SAMLResponse"))
                : MessageText.ofBase64(text),
            Door.WEB,
            browser == null ? null : Digests.of(browser)),
        "web",
        request,
        response);
  }

  /** The answer by an enhanced client. */
  @PostMapping(
      path = ServiceProvider.CONSUMER,
      consumes = {Paos.TYPE, "text/xml", "application/soap+xml"})
  void consumeEnhanced(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] body = request.getInputStream().readNBytes(MessageText.LONGEST + 1);
    answer(judge.judge(Paos.body(MessageText.of(body)), Door.ECP, null), "ecp", request, response);
  }

  private void answer(
      Judgement judgement, String door, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    switch (judgement) {
      case Judgement.Refused refused ->
          refuse(refused.refusal(), refused.provider(), request, response);
      case Judgement.Accepted accepted -> {
        CampusSession session =
            sessions.begin(
                accepted.identity(), accepted.atMost(), accepted.link(), request, response);
        audit.login(session, door, request.getRemoteAddr());
        // After a POST: fetched by GET (RFC 9110 section 15.4.4).
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader(HttpHeaders.LOCATION, url + ReturnPath.of(accepted.sent().returnTo()));
      }
    }
  }

  private void refuse(
      Refusal refusal,
      @Nullable String provider,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    log.warn(
        "login refused ({}): {}; provider {}, client {}",
        refusal.reason(),
        Refusal.logged(refusal.detail()),
        Refusal.logged(provider),
        request.getRemoteAddr());
    audit.refused(refusal, provider, request.getRemoteAddr());
    response.setStatus(
        switch (refusal.reason()) {
          case MALFORMED -> HttpServletResponse.SC_BAD_REQUEST;
          case TOO_LARGE -> HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE;
          default -> HttpServletResponse.SC_FORBIDDEN;
        });
    SignIn.line(response, "not logged in: " + refusal.reason().line());
  }
}
