package dev.staithe.slcs.protect;

import dev.staithe.slcs.door.Caller;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Lets sessions of authn-service ask for certificates. Thread-safe. */
final class BearerFilter implements Filter {
  private final @Nullable BearerSessions sessions;
  private final Refusals refusals;

  /**
   * @param sessions null where there is no authn-service
   */
  BearerFilter(@Nullable BearerSessions sessions, Refusals refusals) {
    this.sessions = sessions;
    this.refusals = refusals;
  }

  @Override
  public void doFilter(ServletRequest asked, ServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    var request = (HttpServletRequest) asked;
    var response = (HttpServletResponse) answer;
    String token = BearerSessions.token(request);
    if (sessions != null && token != null) {
      switch (sessions.judge(token)) {
        case Bearer.Valid valid -> Caller.note(request, valid.session());
        case Bearer.Invalid invalid -> {
          refusals.badBearer(request, response);
          return;
        }
        case Bearer.Unknown unknown -> {
          refusals.later(request, response);
          return;
        }
      }
    }
    chain.doFilter(request, response);
  }
}
