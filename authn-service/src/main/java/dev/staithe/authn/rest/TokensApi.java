package dev.staithe.authn.rest;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.authn.tokens.BoundKeys;
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
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code json/tokens}: a WLCG token for who has a session, to be shown to another service, and an
 * ID token that names a key where one is asked for and proven.
 */
final class TokensApi {
  private static final Logger log = LoggerFactory.getLogger(TokensApi.class);
  private static final String PATH = "/json/tokens";
  private static final Duration SOON = Duration.ofSeconds(1);

  private final SessionTokens tokens;
  private final BoundKeys keys = new BoundKeys();
  private final String address;
  private final Sessions sessions;
  private final AuditLog audit;
  private final Clock clock;

  TokensApi(SessionTokens tokens, Sessions sessions, AuditLog audit, Clock clock) {
    this.tokens = tokens;
    this.address = tokens.issuer() + PATH;
    this.sessions = sessions;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * {@code POST json/tokens} with {@code scope} and {@code audience}, one or a list. With the
   * scopes {@code openid} and {@code bound_key} and a proof in the field {@code DPoP} there is an
   * {@code id_token} in the answer.
   */
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
        ECKey bound = null;
        if (ProtocolRequest.words(scope).contains(BoundKeys.SCOPE)) {
          switch (keys.proven(call.headers("DPoP"), call.method(), address)) {
            case BoundKeys.Outcome.Proven proven -> bound = proven.key();
            case BoundKeys.Outcome.Refused refused -> {
              told("refused", valid, scope, audience).write();
              call.refuse(400, refused.reason());
              return;
            }
          }
        }
        SessionTokens.Outcome outcome = tokens.issue(valid.token(), scope, audience, bound);
        AuditLog.Line line =
            told(
                outcome instanceof SessionTokens.Outcome.Issued ? "ok" : "refused",
                valid,
                scope,
                audience);
        if (bound != null) {
          line.with("key", thumbprint(bound));
        }
        line.write();
        switch (outcome) {
          case SessionTokens.Outcome.Issued issued -> answer(call, issued, scope);
          case SessionTokens.Outcome.Refused refused -> call.refuse(403, refused.reason());
          case SessionTokens.Outcome.Unavailable unavailable -> {
            log.warn("no token can be issued: {}", unavailable.reason());
            call.refuse(503, "a store does not answer", SOON);
          }
        }
      }
    }
  }

  private AuditLog.Line told(
      String outcome, Validation.Valid valid, String scope, List<String> audience) {
    return audit
        .line("token", outcome)
        .with("subject", valid.token().subject())
        .with("scope", scope)
        .with("audience", String.join(" ", audience));
  }

  private static String thumbprint(ECKey key) {
    try {
      return key.computeThumbprint().toString();
    } catch (JOSEException e) {
      throw new IllegalStateException("this Java knows no SHA-256", e);
    }
  }

  private void answer(Call call, SessionTokens.Outcome.Issued issued, String scope) {
    ObjectNode answer =
        JsonMapper.shared()
            .createObjectNode()
            .put("access_token", issued.token())
            .put("token_type", "Bearer")
            .put("expires_in", Duration.between(clock.instant(), issued.expires()).toSeconds())
            .put("scope", scope);
    if (!issued.idToken().isEmpty()) {
      answer.put("id_token", issued.idToken());
    }
    call.json(200, answer.toString());
  }
}
