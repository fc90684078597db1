package dev.staithe.slcs.door;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * That a request may reach a protected service. What serves one asks for it, so that a path by
 * which the filter in front was passed by leads nowhere.
 *
 * @param largest bytes of a message
 */
public record Admission(int largest) {
  private static final String ATTRIBUTE = Admission.class.getName();

  /** That of a request. */
  public static Optional<Admission> of(HttpServletRequest request) {
    return Optional.ofNullable((Admission) request.getAttribute(ATTRIBUTE));
  }

  /** Notes it; for the filter. */
  public void note(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }
}
