package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.ClientSecrets;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenGenerator;

/** Codes of 256 random bits by the clock of this service, which also says when they are over. */
final class AuthorizationCodes implements OAuth2TokenGenerator<OAuth2AuthorizationCode> {
  private final Clock clock;

  AuthorizationCodes(Clock clock) {
    this.clock = clock;
  }

  @Override
  public @Nullable OAuth2AuthorizationCode generate(OAuth2TokenContext context) {
    if (!OAuth2ParameterNames.CODE.equals(context.getTokenType().getValue())) {
      return null;
    }
    Instant now = clock.instant();
    return new OAuth2AuthorizationCode(
        ClientSecrets.create(),
        now,
        now.plus(
            context.getRegisteredClient().getTokenSettings().getAuthorizationCodeTimeToLive()));
  }
}
