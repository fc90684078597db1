package dev.staithe.authn.clients;

import java.util.Optional;
import org.springframework.security.oauth2.core.AuthorizationGrantType;

/** The ways to a token. */
public enum Grant {
  /** RFC 6749 section 4.1, always with PKCE (RFC 7636). */
  AUTHORIZATION_CODE(AuthorizationGrantType.AUTHORIZATION_CODE),
  /** RFC 6749 section 4.4. */
  CLIENT_CREDENTIALS(AuthorizationGrantType.CLIENT_CREDENTIALS),
  /** RFC 6749 section 6, with a new refresh token each time. */
  REFRESH_TOKEN(AuthorizationGrantType.REFRESH_TOKEN),
  /** RFC 8693. */
  TOKEN_EXCHANGE(AuthorizationGrantType.TOKEN_EXCHANGE),
  /** RFC 8628. */
  DEVICE_CODE(AuthorizationGrantType.DEVICE_CODE);

  private final AuthorizationGrantType type;

  Grant(AuthorizationGrantType type) {
    this.type = type;
  }

  public AuthorizationGrantType type() {
    return type;
  }

  /** As in the parameter {@code grant_type}. */
  public String parameter() {
    return type.getValue();
  }

  /** The one of that parameter. */
  public static Optional<Grant> of(String parameter) {
    for (Grant grant : values()) {
      if (grant.parameter().equals(parameter)) {
        return Optional.of(grant);
      }
    }
    return Optional.empty();
  }
}
