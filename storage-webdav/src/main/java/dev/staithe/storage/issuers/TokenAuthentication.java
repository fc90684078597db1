package dev.staithe.storage.issuers;

import dev.staithe.storage.authz.TokenCaller;
import java.util.List;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** What verifying a token comes to: its holder, with what the token says the holder may do. */
final class TokenAuthentication extends AbstractAuthenticationToken {
  private static final long serialVersionUID = 1;

  private final transient TokenCaller caller;

  TokenAuthentication(TokenCaller caller) {
    super(List.of());
    this.caller = caller;
    setAuthenticated(true);
  }

  @Override
  public TokenCaller getPrincipal() {
    return caller;
  }

  /** None: a token is kept by nobody. */
  @Override
  public Object getCredentials() {
    return "";
  }
}
