package dev.staithe.authn.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.service.log.AuditLog;
import java.text.ParseException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenIntrospection;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AccessTokenAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationGrantAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2ClientAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenIntrospectionAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenRevocationAuthenticationToken;

/**
 * Tells the audit log what the protocol's endpoints decided: tokens that were issued or refused,
 * revocations, clients that could not prove who they are, and who was told of another client's
 * token. Every decision is published here by the framework, whatever grant it was about. No line
 * has a token, a code or a secret. Thread-safe.
 */
final class ProtocolAudit implements AuthenticationEventPublisher {
  /** No refusals: the device asks again in a few seconds. */
  private static final Set<String> NOT_YET = Set.of(DeviceTokens.PENDING, DeviceTokens.SLOW_DOWN);

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

  private final AuditLog audit;

  ProtocolAudit(AuditLog audit) {
    this.audit = audit;
  }

  @Override
  public void publishAuthenticationSuccess(Authentication done) {
    switch (done) {
      case OAuth2AccessTokenAuthenticationToken issued -> issued(issued);
      case OAuth2TokenRevocationAuthenticationToken revoked ->
          audit
              .line("oauth.revoke", revoked.isAuthenticated() ? "done" : "unknown")
              .with("client", client(revoked))
              .write();
      case OAuth2TokenIntrospectionAuthenticationToken told -> told(told);
      default -> {
        // Clients that proved who they are, and steps of flows whose end is told.
      }
    }
  }

  private void issued(OAuth2AccessTokenAuthenticationToken issued) {
    AuditLog.Line line =
        audit
            .line("oauth.token", "issued")
            .with("grant", ProtocolRequest.now().grant())
            .with("client", issued.getRegisteredClient().getClientId());
    try {
      JWTClaimsSet claims =
          SignedJWT.parse(issued.getAccessToken().getTokenValue()).getJWTClaimsSet();
      line.with("subject", claims.getSubject())
          .with("scope", claims.getStringClaim("scope"))
          .with("audience", String.join(" ", claims.getAudience()))
          .with("session", claims.getStringClaim("sid"));
    } catch (ParseException e) {
      throw new IllegalStateException("a token of ours is none"); // its text is not to be quoted
    }
    line.write();
  }

  /** A client may ask about its own tokens; of others' it is worth knowing who did. */
  private void told(OAuth2TokenIntrospectionAuthenticationToken told) {
    OAuth2TokenIntrospection claims = told.getTokenClaims();
    String caller = client(told);
    if (claims.isActive() && !String.valueOf(claims.getClientId()).equals(caller)) {
      audit
          .line("oauth.introspect", "active")
          .with("client", caller)
          .with("owner", claims.getClientId())
          .with("subject", claims.getSubject())
          .write();
    }
  }

  @Override
  public void publishAuthenticationFailure(
      AuthenticationException failure, Authentication attempt) {
    String reason =
        failure instanceof OAuth2AuthenticationException oauth
            ? oauth.getError().getErrorCode()
            : "not_authenticated";
    if (NOT_YET.contains(reason)) {
      return;
    }
    switch (attempt) {
      case OAuth2ClientAuthenticationToken client -> refused("oauth.client", client, reason);
      case OAuth2AuthorizationGrantAuthenticationToken grant ->
          refused("oauth.token", grant, reason);
      case OAuth2TokenRevocationAuthenticationToken revoke ->
          refused("oauth.revoke", revoke, reason);
      case OAuth2TokenIntrospectionAuthenticationToken ask ->
          refused("oauth.introspect", ask, reason);
      default -> {
        // Pages and bearers, whose refusals are in the access log.
      }
    }
  }

  private void refused(String event, Authentication attempt, String reason) {
    audit
        .line(event, "refused")
        .with("reason", reason)
        .with(
            "grant",
            ID.matcher(last(ProtocolRequest.now().grant())).matches()
                ? ProtocolRequest.now().grant()
                : "")
        .with("client", client(attempt))
        .with("scope", ProtocolRequest.now().scope())
        .write();
  }

  private static String last(String grant) {
    return grant.substring(grant.lastIndexOf(':') + 1);
  }

  /** Who asks, as far as it looks like an id: somebody may have put a secret in its place. */
  private static String client(Authentication attempt) {
    Authentication caller =
        attempt.getPrincipal() instanceof Authentication principal ? principal : attempt;
    @Nullable Object name = caller.getPrincipal();
    String id = String.valueOf(name);
    return ID.matcher(id).matches() ? id : "?";
  }
}
