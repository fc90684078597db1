package dev.staithe.authn.rest;

import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.authn.tokens.SessionTokens;
import dev.staithe.service.log.AuditLog;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code json/tokens}: a WLCG token for who has a session, to be shown to another service. */
final class TokensApi {
  private static final Logger log = LoggerFactory.getLogger(TokensApi.class);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final SessionTokens tokens;
  private final Sessions sessions;
  private final AuditLog audit;
  private final Clock clock;

  TokensApi(SessionTokens tokens, Sessions sessions, AuditLog audit, Clock clock) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.audit = audit;
    this.clock = clock;
  }

  /** {@code POST json/tokens} with {@code scope} and {@code audience}, one or a list. */
  void issue(Call call, RestDoor.Threads threads) throws BadRequest {
    String token = call.bearer();
    JsonNode body = call.json();
    if (token == null || body == null) {
      throw new BadRequest("a session token as a bearer and a body with scope are needed");
    }
    String scope = body.path("scope").asString("");
    var audience = new ArrayList<String>();
    JsonNode asked = body.path("audience");
    if (asked.isArray()) {
      asked.forEach(each -> audience.add(each.asString("")));
    } else if (asked.isString()) {
      audience.add(asked.asString());
    }
    threads.run(() -> issue(call, token, scope, audience));
  }

  private void issue(Call call, String token, String scope, List<String> audience) {
    switch (sessions.validate(token, Freshness.BOUNDED)) {
      case Validation.Invalid invalid -> call.refuse(401, "the token is not good");
      case Validation.Unavailable unavailable ->
          call.refuse(503, "whether the session has ended cannot be told", SOON);
      case Validation.Valid valid -> {
        SessionTokens.Outcome outcome = tokens.issue(valid.token(), scope, audience);
        audit
            .line("token", outcome instanceof SessionTokens.Outcome.Issued ? "ok" : "refused")
            .with("subject", valid.token().subject())
            .with("scope", scope)
            .with("audience", String.join(" ", audience))
            .write();
        switch (outcome) {
          case SessionTokens.Outcome.Issued issued -> answer(call, issued, scope);
          case SessionTokens.Outcome.Refused refused -> call.refuse(403, refused.reason());
          case SessionTokens.Outcome.Unavailable unavailable -> {
            log.warn("no token can be issued: {}", unavailable.reason());
            call.refuse(503, "the user store does not answer", SOON);
          }
        }
      }
    }
  }

  private void answer(Call call, SessionTokens.Outcome.Issued issued, String scope) {
    call.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("access_token", issued.token())
            .put("token_type", "Bearer")
            .put("expires_in", Duration.between(clock.instant(), issued.expires()).toSeconds())
            .put("scope", scope)
            .toString());
  }
}
