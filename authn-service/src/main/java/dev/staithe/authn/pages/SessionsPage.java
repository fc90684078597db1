package dev.staithe.authn.pages;

import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.session.Sessions;
import dev.staithe.service.StoreUnavailable;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A user's own sessions: seen and ended. */
@Controller
final class SessionsPage {
  private static final String BACK = "redirect:/sessions";
  private static final String PENDING = BACK + "?pending";

  private final Sessions sessions;
  private final SessionLink link;
  private final SessionCookie cookie;

  SessionsPage(Sessions sessions, SessionLink link, SessionCookie cookie) {
    this.sessions = sessions;
    this.link = link;
    this.cookie = cookie;
  }

  /** One line of the page. */
  record Line(
      String id,
      boolean current,
      String began,
      String lastUse,
      String address,
      String device,
      boolean strong) {}

  @GetMapping("/")
  String home() {
    return BACK;
  }

  @GetMapping("/sessions")
  String show(
      @RequestParam(name = "pending", required = false) @Nullable String pending,
      SignedIn user,
      Model model) {
    List<Line> lines =
        own(user).stream()
            .sorted(Comparator.comparing(Session::created).reversed())
            .map(session -> line(session, user))
            .toList();
    model.addAttribute("user", user.getPrincipal());
    model.addAttribute("lines", lines);
    model.addAttribute("others", lines.size() > 1);
    model.addAttribute("pending", pending != null);
    return "pages/sessions";
  }

  private static Line line(Session session, SignedIn user) {
    return new Line(
        session.id().toString(),
        session.id().equals(user.session().id()),
        DisplayText.of(session.created()),
        DisplayText.of(session.lastUse()),
        session.address().isEmpty() ? "unknown" : session.address(),
        DisplayText.device(session.client()),
        session.assurance() == Assurance.SECOND_FACTOR);
  }

  @PostMapping("/sessions/end")
  String end(
      @RequestParam(name = "id", defaultValue = "") String id,
      SignedIn user,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (id.equals(user.session().id().toString())) {
      return LogoutPage.ended(link, cookie, request, response);
    }
    // Only among one's own: the id of another's session finds nothing here.
    return own(user).stream()
        .filter(session -> session.id().toString().equals(id))
        .findFirst()
        .map(session -> back(link.end(session.id())))
        .orElse(BACK);
  }

  private static String back(SessionEnd end) {
    return SessionLink.isComplete(end) ? BACK : PENDING;
  }

  @PostMapping("/sessions/end-others")
  String endOthers(SignedIn user) {
    List<SessionId> others =
        own(user).stream().map(Session::id).filter(id -> !id.equals(user.session().id())).toList();
    return back(link.endOthersOf(user.session(), others));
  }

  private List<Session> own(SignedIn user) {
    try {
      return sessions.sessionsOf(user.getPrincipal());
    } catch (StoreUnavailable e) {
      throw new Unavailable(String.valueOf(e.getMessage()));
    }
  }
}
