package dev.staithe.slcs.door;

import dev.staithe.slcs.session.CampusSession;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Who sends a request, as the filters in front have found out. */
public final class Caller {
  private Caller() {}

  /** The session that came with the request, by cookie or as a bearer. */
  public static Optional<CampusSession> session(HttpServletRequest request) {
    return Optional.ofNullable((CampusSession) request.getAttribute(CampusSession.ATTRIBUTE));
  }

  /** Notes a session that was proven; for filters. */
  public static void note(HttpServletRequest request, CampusSession session) {
    request.setAttribute(CampusSession.ATTRIBUTE, session);
  }
}
