package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.slcs.session.CampusSessions;
import dev.staithe.slcs.session.SessionRows;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/** Logging out: by the person, or by the provider. */
@Controller
final class LogoutEndpoints {
  private static final Logger log = LoggerFactory.getLogger(LogoutEndpoints.class);

  private final Logout logout;
  private final SessionRows rows;
  private final CampusSessions sessions;
  private final SamlAudit audit;

  LogoutEndpoints(Logout logout, SessionRows rows, CampusSessions sessions, SamlAudit audit) {
    this.logout = logout;
    this.rows = rows;
    this.sessions = sessions;
    this.audit = audit;
  }

  /** Ends the session here, then, where it takes part, at the provider and all that it knows. */
  @PostMapping("/logout")
  void logout(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("Cache-Control", "no-store");
    CampusSession session = CampusSessions.seen(request).orElse(null);
    if (session == null) {
      done(response);
      return;
    }
    Optional<SessionRows.Row> row = rows.find(session.id());
    sessions.end(session, response);
    audit.logout(session, "person");
    Optional<BrowserMessage> asked = row.flatMap(each -> logout.request(each, request));
    if (asked.isPresent()) {
      BrowserMessage.send(asked.get(), HttpServletResponse.SC_SEE_OTHER, response);
    } else {
      done(response);
    }
  }

  @GetMapping(ServiceProvider.LOGOUT)
  void byRedirect(HttpServletRequest request, HttpServletResponse response) throws IOException {
    message(request, response, false);
  }

  @PostMapping(path = ServiceProvider.LOGOUT, consumes = "application/x-www-form-urlencoded")
  void byPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    message(request, response, true);
  }

  private void message(HttpServletRequest request, HttpServletResponse response, boolean post)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    if (request.getParameter("SAMLRequest") == null) {
      // An answer: the session ended before we asked, so that nothing hangs on what it says.
      done(response);
      return;
    }
    switch (logout.judge(request, post)) {
      case Logout.Asked.Refused refused -> {
        String detail = Refusal.logged(refused.refusal().detail());
        log.warn(
            "logout refused ({}): {}; provider {}, client {}",
            refused.refusal().reason(),
            detail,
            Refusal.logged(refused.provider()),
            request.getRemoteAddr());
        audit.logoutRefused(detail, refused.provider(), request.getRemoteAddr());
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        SignIn.line(response, "not logged out: " + refused.refusal().reason().line());
      }
      case Logout.Asked.End end -> {
        for (SessionRows.Link link : end.links()) {
          for (SessionRows.Row row : rows.of(end.provider().entityId(), link)) {
            sessions.end(row.session());
            audit.logout(row.session(), "provider");
          }
        }
        logout.used(end);
        sessions.clearCookie(response);
        BrowserMessage answer = end.answer();
        if (answer == null) {
          done(response);
        } else {
          BrowserMessage.send(answer, HttpServletResponse.SC_SEE_OTHER, response);
        }
      }
    }
  }

  private static void done(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(HttpHeaders.LOCATION, "/logout");
  }

  /** Says so; where the start page would ask to log in again. */
  @GetMapping("/logout")
  String over(HttpServletRequest request, HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-store");
    return CampusSessions.seen(request).isPresent() ? "redirect:/" : "pages/logged-out";
  }
}
