package dev.staithe.authn.admin;

import dev.staithe.authn.grants.GrantedApplication;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.users.UserName;
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

/** {@code /admin/grants}: the applications that act for a user. */
@RestController
@RequestMapping("/admin/grants")
final class GrantsController {
  private final Grants grants;
  private final AuditLog audit;

  GrantsController(Grants grants, AuditLog audit) {
    this.grants = grants;
    this.audit = audit;
  }

  /** A grant as it is shown; its id is no credential. */
  record Shown(
      String id,
      String client,
      String name,
      String subject,
      String scope,
      String since,
      String expires,
      boolean offline) {
    static Shown of(GrantedApplication granted) {
      return new Shown(
          granted.id(),
          granted.client(),
          granted.name(),
          granted.subject(),
          String.join(" ", granted.scopes()),
          granted.since().toString(),
          granted.expires().toString(),
          granted.offline());
    }
  }

  @GetMapping
  ResponseEntity<Object> list(@RequestParam String user) {
    Optional<String> name = UserName.of(user);
    if (name.isEmpty()) {
      return Answers.refused(400, "user is no user's name");
    }
    List<GrantedApplication> found = grants.of(name.get());
    return Answers.ok(Map.of("grants", found.stream().map(Shown::of).toList()));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Object> end(
      @PathVariable String id, @RequestAttribute(AdministratorsOnly.ADMINISTRATOR) String who) {
    Optional<GrantedApplication> ended = grants.end(id, null);
    audit
        .line("grant.end", ended.isPresent() ? "ok" : "unknown")
        .with("administrator", who)
        .with("subject", ended.map(GrantedApplication::subject).orElse(null))
        .with("client", ended.map(GrantedApplication::client).orElse(null))
        .with("grant", ended.map(GrantedApplication::id).orElse(null))
        .write();
    return ended.isPresent() ? Answers.done() : Answers.refused(404, "there is no such grant");
  }
}
