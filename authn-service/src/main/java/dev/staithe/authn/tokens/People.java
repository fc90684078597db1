package dev.staithe.authn.tokens;

import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.users.Account;
import dev.staithe.authn.users.Users;
import dev.staithe.authn.users.UsersUnavailable;
import java.util.Optional;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;

/** Users as tokens speak of them: asked anew for each token, so that none outlives its user. */
public final class People {
  private final Users users;

  People(Users users) {
    this.users = users;
  }

  /** The account behind a grant, where it still may have tokens. */
  public Account of(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new OAuth2AuthenticationException(
                    new OAuth2Error(
                        OAuth2ErrorCodes.INVALID_GRANT, "the user has no tokens any more", null)));
  }

  /**
   * The same; empty where it may have none.
   *
   * @throws Unavailable where nobody can say
   */
  public Optional<Account> find(String name) {
    try {
      return users.find(name).filter(Account::enabled);
    } catch (UsersUnavailable e) {
      throw new Unavailable(String.valueOf(e.getMessage()));
    }
  }
}
