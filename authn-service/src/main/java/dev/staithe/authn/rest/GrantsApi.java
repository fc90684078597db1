package dev.staithe.authn.rest;

import dev.staithe.authn.grants.GrantedApplication;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.service.log.AuditLog;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code json/grants}: the applications that act for who has a session, listed and stopped. */
final class GrantsApi {
  private static final Logger log = LoggerFactory.getLogger(GrantsApi.class);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Pattern ID = Pattern.compile("[!-~]{1,64}");

  private final Grants grants;
  private final Sessions sessions;
  private final AuditLog audit;

  GrantsApi(Grants grants, Sessions sessions, AuditLog audit) {
    this.grants = grants;
    this.sessions = sessions;
    this.audit = audit;
  }

  private interface Work {
    void with(String subject);
  }

  /** {@code GET json/grants}: one's own; {@code POST json/grants?_action=end}: ends one of them. */
  void act(Call call, RestDoor.Threads threads) throws BadRequest {
    String token = call.bearer();
    if (token == null) {
      throw new BadRequest("a session token as a bearer is needed");
    }
    if (call.method().equals("GET")) {
      threads.run(() -> with(call, token, subject -> list(call, subject)));
      return;
    }
    JsonNode body = call.json();
    String id = body == null ? "" : body.path("grantId").asString("");
    if (!"end".equals(call.parameter("_action")) || !ID.matcher(id).matches()) {
      throw new BadRequest("_action is end, and the body says which grantId");
    }
    threads.run(() -> with(call, token, subject -> end(call, subject, id)));
  }

  private void with(Call call, String token, Work work) {
    switch (sessions.validate(token, Freshness.BOUNDED)) {
      case Validation.Invalid invalid -> call.refuse(401, "the token is not good");
      case Validation.Unavailable unavailable ->
          call.refuse(503, "whether the session has ended cannot be told", SOON);
      case Validation.Valid valid -> {
        try {
          work.with(valid.token().subject());
        } catch (DataAccessException | Unavailable e) {
          log.warn("grants cannot be listed or ended: {}", e.getClass().getSimpleName());
          call.refuse(503, "a store does not answer", SOON);
        }
      }
    }
  }

  private void list(Call call, String subject) {
    var answer = JsonMapper.shared().createObjectNode();
    var list = answer.putArray("grants");
    for (GrantedApplication each : grants.of(subject)) {
      list.addObject()
          .put("id", each.id())
          .put("client", each.client())
          .put("name", each.name())
          .put("scope", String.join(" ", each.scopes()))
          .put("since", each.since().toString())
          .put("expires", each.expires().toString())
          .put("offline", each.offline());
    }
    call.json(200, answer.toString());
  }

  private void end(Call call, String subject, String id) {
    Optional<GrantedApplication> ended = grants.end(id, subject);
    audit
        .line("grant.end", ended.isPresent() ? "ok" : "unknown")
        .with("subject", subject)
        .with("client", ended.map(GrantedApplication::client).orElse(null))
        .with("grant", ended.map(GrantedApplication::id).orElse(null))
        .write();
    if (ended.isEmpty()) {
      call.refuse(404, "there is no such grant of this user");
    } else {
      call.json(200, "{\"result\":\"The application can act no more\"}");
    }
  }
}
