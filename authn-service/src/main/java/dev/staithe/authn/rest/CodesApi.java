package dev.staithe.authn.rest;

import dev.staithe.authn.login.Attempt;
import dev.staithe.authn.login.Confirmation;
import dev.staithe.authn.login.Enrolment;
import dev.staithe.authn.login.LoginResult;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.login.Secret;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.log.AuditLog;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code json/code}: sets the caller's one-time codes up. A session is not enough for that, as on
 * the page for it: whoever has another's would shut them out, and show a second factor of their
 * own.
 */
final class CodesApi {
  private static final Logger log = LoggerFactory.getLogger(CodesApi.class);
  private static final Duration SOON = Duration.ofSeconds(2);

  private final Logins logins;
  private final OneTimeCodes codes;
  private final Sessions sessions;
  private final AuditLog audit;

  CodesApi(Logins logins, OneTimeCodes codes, Sessions sessions, AuditLog audit) {
    this.logins = logins;
    this.codes = codes;
    this.sessions = sessions;
    this.audit = audit;
  }

  /**
   * {@code POST json/code?_action=begin} with the password, and {@code _action=confirm} with the
   * first code.
   */
  void act(Call call, RestDoor.Threads threads) throws BadRequest {
    String token = call.bearer();
    String action = call.parameter("_action");
    if (token == null || action == null || !(action.equals("begin") || action.equals("confirm"))) {
      throw new BadRequest("a session token as a bearer and _action=begin or confirm are needed");
    }
    JsonNode body = call.json();
    String code = body == null ? "" : body.path("code").asString("");
    String password = body == null ? "" : body.path("password").asString("");
    threads.run(
        () -> {
          switch (sessions.validate(token, Freshness.BOUNDED)) {
            case Validation.Invalid invalid -> call.refuse(401, "the token is not good");
            case Validation.Unavailable unavailable ->
                call.refuse(503, "whether the session has ended cannot be told", SOON);
            case Validation.Valid valid -> {
              String subject = valid.token().subject();
              try {
                if (action.equals("begin")) {
                  begin(call, subject, password);
                } else {
                  confirm(call, subject, code);
                }
              } catch (UsersUnavailable e) {
                log.warn("a second factor cannot be kept: {}", e.getMessage());
                call.refuse(503, "the user store does not answer", SOON);
              }
            }
          }
        });
  }

  private void begin(Call call, String subject, String password) throws UsersUnavailable {
    if (codes.enrolled(subject)) {
      // Else whoever has the session for a minute could replace the telephone of its owner.
      call.refuse(409, "there is a second factor; an administrator can take it away");
      return;
    }
    if (password.isEmpty()) {
      call.refuse(400, "the password is needed again");
      return;
    }
    try (Secret secret = Secret.of(password)) {
      LoginResult again = logins.login(new Attempt(subject, secret, null, call.address(), false));
      if (!(again instanceof LoginResult.Accepted)) {
        AuthenticateApi.refuse(call, again);
        return;
      }
    }
    Enrolment enrolment = codes.begin(subject);
    audit.line("code.begin", "ok").with("subject", subject).write();
    var answer = JsonMapper.shared().createObjectNode();
    answer.put("secret", enrolment.secret()).put("uri", enrolment.uri());
    call.json(200, answer.toString());
  }

  private void confirm(Call call, String subject, String code) throws UsersUnavailable {
    Confirmation confirmation = codes.confirm(subject, code);
    audit
        .line("code.confirm", confirmation instanceof Confirmation.Confirmed ? "ok" : "refused")
        .with("subject", subject)
        .write();
    if (confirmation instanceof Confirmation.Confirmed confirmed) {
      var answer = JsonMapper.shared().createObjectNode();
      var list = answer.putArray("recoveryCodes");
      confirmed.recoveryCodes().forEach(list::add);
      call.json(200, answer.toString());
    } else {
      call.refuse(400, "the code is not the one that is shown now, or none was begun; begin again");
    }
  }
}
