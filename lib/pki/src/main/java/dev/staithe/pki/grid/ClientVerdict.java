package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** Whether, and as whom, the certificates of a client are believed. */
public sealed interface ClientVerdict {
  /**
   * They lead to a trusted authority.
   *
   * @param subject whom the authority named; never a proxy's own name, which its maker chose
   * @param limited whether a proxy in between is limited in the sense of Globus: then so are all
   *     below it
   * @param path from the client's own certificate to the last below the trust anchor, each signed
   *     with the next. Whoever asks by whom somebody came looks here and not at what was sent,
   *     which may stand in any order and have strangers in between
   * @param proxies how many of the path are proxies, the first ones; behind them stands the
   *     certificate that the authority gave to the person
   * @param notAfter when the first of them ends, or the trust anchor
   */
  record Accepted(
      GridSubject subject,
      boolean limited,
      List<X509Certificate> path,
      int proxies,
      Instant notAfter)
      implements ClientVerdict {
    /** Copies the path. */
    public Accepted {
      path = List.copyOf(path);
    }

    /** Whether the client showed a proxy of that person's certificate. */
    public boolean proxy() {
      return proxies > 0;
    }
  }

  /**
   * They are not believed.
   *
   * @param reason one printable line, such as {@code the proxy certificate expired at …}
   */
  record Refused(String reason) implements ClientVerdict {}
}
