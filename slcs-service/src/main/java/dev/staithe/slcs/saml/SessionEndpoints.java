package dev.staithe.slcs.saml;

import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.slcs.session.CampusSessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import tools.jackson.databind.json.JsonMapper;

/** Who am I, and: forget me here. */
@Controller
final class SessionEndpoints {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final CampusSessions sessions;
  private final SignIn signIn;
  private final SamlAudit audit;

  SessionEndpoints(CampusSessions sessions, SignIn signIn, SamlAudit audit) {
    this.sessions = sessions;
    this.signIn = signIn;
    this.audit = audit;
  }

  @GetMapping("/session")
  void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Optional<CampusSession> found = CampusSessions.seen(request);
    if (found.isEmpty()) {
      signIn.ask(request, response);
      return;
    }
    CampusSession session = found.get();
    CampusIdentity identity = session.identity();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("principalName", identity.principalName());
    answer.put("person", identity.person());
    answer.put("provider", identity.provider());
    answer.put("providerName", identity.providerName());
    answer.put("attributes", identity.attributes());
    answer.put("authenticated", identity.authenticated().toString());
    answer.put("authenticationContext", identity.authenticationContext());
    answer.put("began", session.began().toString());
    answer.put("until", session.until().toString());
    answer.put("bound", session.boundKey() != null);
    response.setHeader("Cache-Control", "no-store");
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    response.getWriter().write(JSON.writeValueAsString(answer));
  }

  /** Ends the session here; the one at the identity provider lives on. */
  @DeleteMapping("/session")
  void end(HttpServletRequest request, HttpServletResponse response) {
    CampusSessions.seen(request)
        .ifPresent(
            session -> {
              sessions.end(session, response);
              audit.logout(session, "client");
            });
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }
}
