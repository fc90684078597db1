package dev.staithe.slcs.session;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds the session of a request, once, and tells the rest of the service: by the attribute {@link
 * CampusSession#ATTRIBUTE} and as the request's principal.
 */
public final class SessionFilter extends OncePerRequestFilter {
  private final CampusSessions sessions;

  /**
   * @param sessions asked once for each request
   */
  public SessionFilter(CampusSessions sessions) {
    this.sessions = sessions;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    sessions
        .of(request)
        .ifPresent(
            session -> {
              request.setAttribute(CampusSession.ATTRIBUTE, session);
              // A bearer of a token was asked before, and is who the request is from.
              if (SecurityContextHolder.getContext().getAuthentication() == null) {
                var context = SecurityContextHolder.createEmptyContext();
                context.setAuthentication(new LoggedIn(session));
                SecurityContextHolder.setContext(context);
              }
            });
    chain.doFilter(request, response);
  }

  /** Somebody with a session; the name is eduPersonPrincipalName. */
  private static final class LoggedIn extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1;
    private final transient CampusSession session;

    LoggedIn(CampusSession session) {
      super(AuthorityUtils.NO_AUTHORITIES);
      this.session = session;
      setAuthenticated(true);
    }

    @Override
    public Object getCredentials() {
      return "";
    }

    @Override
    public Object getPrincipal() {
      return session.identity().principalName();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof LoggedIn one && one.session.id().equals(session.id());
    }

    @Override
    public int hashCode() {
      return session.id().hashCode();
    }
  }
}
