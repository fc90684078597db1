package dev.staithe.authn.grants;

import java.util.Optional;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2DeviceCode;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.OAuth2UserCode;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;

/** What a grant can be found by. */
enum TokenKind {
  CODE("code", OAuth2AuthorizationCode.class),
  ACCESS("access_token", OAuth2AccessToken.class),
  REFRESH("refresh_token", OAuth2RefreshToken.class),
  ID("id_token", OidcIdToken.class),
  DEVICE("device_code", OAuth2DeviceCode.class),
  USER("user_code", OAuth2UserCode.class);

  /** Of the page where a user agrees: not a token, but a secret that a grant is found by. */
  static final String STATE = "state";

  /** An access token that another was issued after. */
  static final String FORMER_ACCESS = "former_access";

  /** A refresh token whose successor was issued. */
  static final String USED_REFRESH = "used_refresh";

  private final String text;
  private final Class<? extends OAuth2Token> type;

  TokenKind(String text, Class<? extends OAuth2Token> type) {
    this.text = text;
    this.type = type;
  }

  String text() {
    return text;
  }

  Class<? extends OAuth2Token> type() {
    return type;
  }

  static Optional<TokenKind> of(String text) {
    for (TokenKind kind : values()) {
      if (kind.text.equals(text)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
