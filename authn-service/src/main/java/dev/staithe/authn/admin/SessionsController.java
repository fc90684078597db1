package dev.staithe.authn.admin;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.users.UserName;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.log.AuditLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/sessions}: everybody's. */
@RestController
@RequestMapping("/admin/sessions")
final class SessionsController {
  private static final int MOST = 1000;

  private final Sessions sessions;
  private final SessionLink link;
  private final AuditLog audit;

  SessionsController(Sessions sessions, SessionLink link, AuditLog audit) {
    this.sessions = sessions;
    this.link = link;
    this.audit = audit;
  }

  /** A session as it is shown; its id is no credential. */
  record Shown(
      String id,
      String subject,
      String created,
      String lastUse,
      String expires,
      int level,
      String address,
      String client) {
    static Shown of(Session session) {
      return new Shown(
          session.id().toString(),
          session.subject(),
          session.created().toString(),
          session.lastUse().toString(),
          session.expires().toString(),
          session.assurance().level(),
          session.address(),
          session.client());
    }
  }

  @GetMapping
  ResponseEntity<Object> list(
      @RequestParam(defaultValue = "") String user, @RequestParam(defaultValue = "100") int limit)
      throws StoreUnavailable {
    Optional<String> name = UserName.of(user);
    if (name.isEmpty() && !user.isEmpty()) {
      return Answers.refused(400, "user is no user's name");
    }
    List<Session> found =
        name.isEmpty()
            ? sessions.newest(Math.clamp(limit, 1, MOST))
            : sessions.sessionsOf(name.get());
    return Answers.ok(Map.of("sessions", found.stream().map(Shown::of).toList()));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Object> end(
      @PathVariable String id, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    Optional<SessionId> session = SessionId.parse(id);
    SessionEnd end = session.isEmpty() ? new SessionEnd.NotFound() : link.end(session.get());
    return answered("session.end", id, who, end);
  }

  @DeleteMapping
  ResponseEntity<Object> endAll(@RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    return answered("session.end-all", "all", who, link.endEverything());
  }

  private ResponseEntity<Object> answered(String event, String id, String who, SessionEnd end) {
    audit
        .line(event, end.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT))
        .with("administrator", who)
        .with("session", id)
        .write();
    return switch (end) {
      case SessionEnd.Ended ended -> Answers.done();
      case SessionEnd.AlreadyEnded already -> Answers.done();
      case SessionEnd.Pending pending ->
          Answers.refused(202, "ended here; elsewhere as soon as the store answers");
      case SessionEnd.NotFound none -> Answers.refused(404, "there is no such session");
      case SessionEnd.Failed failed -> Answers.refused(503, "the session store does not answer");
    };
  }
}
