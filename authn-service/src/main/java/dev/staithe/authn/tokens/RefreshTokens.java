package dev.staithe.authn.tokens;

import dev.staithe.authn.clients.ClientSecrets;
import dev.staithe.authn.grants.Grants;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenGenerator;

/**
 * Refresh tokens of 256 random bits, for clients without a secret too: they are used once, and one
 * that is used again ends its family ({@link Grants}).
 */
final class RefreshTokens implements OAuth2TokenGenerator<OAuth2RefreshToken> {
  private final Clock clock;

  RefreshTokens(Clock clock) {
    this.clock = clock;
  }

  @Override
  public @Nullable OAuth2RefreshToken generate(OAuth2TokenContext context) {
    if (!OAuth2TokenType.REFRESH_TOKEN.equals(context.getTokenType())) {
      return null;
    }
    Instant now = clock.instant();
    return new OAuth2RefreshToken(
        ClientSecrets.create(),
        now,
        now.plus(context.getRegisteredClient().getTokenSettings().getRefreshTokenTimeToLive()));
  }
}
