package dev.staithe.authn.grants;

import dev.staithe.authn.session.SessionToken;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** A user with a session, as Spring Security sees one. Immutable but for what that class allows. */
public final class SignedIn extends AbstractAuthenticationToken {
  private static final long serialVersionUID = 1;

  private final transient SessionToken session;

  /** Of a session that was found good. */
  public SignedIn(SessionToken session) {
    super(AuthorityUtils.NO_AUTHORITIES);
    this.session = session;
    setAuthenticated(true);
  }

  /** The session. */
  public SessionToken session() {
    return session;
  }

  /** Nothing: the cookie is not passed on. */
  @Override
  public Object getCredentials() {
    return "";
  }

  /** The user's name. */
  @Override
  public String getPrincipal() {
    return session.subject();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SignedIn that && session.equals(that.session);
  }

  @Override
  public int hashCode() {
    return session.hashCode();
  }
}
