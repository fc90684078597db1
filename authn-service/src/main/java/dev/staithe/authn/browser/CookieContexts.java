package dev.staithe.authn.browser;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.grants.SignedIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;

/** Who is signed in, by the session's cookie: nothing is kept on a node. */
public final class CookieContexts implements SecurityContextRepository {
  private final SessionCookie cookie;
  private final SessionLink sessions;

  /** With these. */
  public CookieContexts(SessionCookie cookie, SessionLink sessions) {
    this.cookie = cookie;
    this.sessions = sessions;
  }

  @Override
  @SuppressWarnings("deprecation") // the other method is built on it, and only this one is public
  public SecurityContext loadContext(HttpRequestResponseHolder holder) {
    return cookie
        .read(holder.getRequest())
        .flatMap(sessions::valid)
        .<SecurityContext>map(session -> new SecurityContextImpl(new SignedIn(session)))
        .orElseGet(SecurityContextImpl::new);
  }

  /** Does nothing: the pages that open and end sessions write the cookie. */
  @Override
  public void saveContext(
      SecurityContext context, HttpServletRequest request, HttpServletResponse response) {}

  @Override
  public boolean containsContext(HttpServletRequest request) {
    return cookie.read(request).isPresent();
  }
}
