package dev.staithe.delegation.credential;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** Tells who a request comes from. Thread-safe. */
public final class Callers {
  /** Where the servlet request has the certificates: its attribute of this name. */
  public static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  /**
   * Judges the certificates of a connection.
   *
   * @param shown the request's attribute {@link #CERTIFICATES}, the client's own first
   */
  public Caller of(X509Certificate @Nullable [] shown) {
    throw new UnsupportedOperationException();
  }
}
