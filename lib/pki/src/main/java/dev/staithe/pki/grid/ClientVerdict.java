package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import java.time.Instant;

/** Whether, and as whom, the certificates of a client are believed. */
public sealed interface ClientVerdict {
  /**
   * They lead to a trusted authority.
   *
   * @param subject whom the authority named; never a proxy's own name, which its maker chose
   * @param proxy whether the client showed a proxy of that person's certificate
   * @param limited whether a proxy in between is limited in the sense of Globus: then so are all
   *     below it
   * @param chainLength from the client's own certificate to that of the trust anchor, both counted
   * @param notAfter when the first of them ends
   */
  record Accepted(
      GridSubject subject, boolean proxy, boolean limited, int chainLength, Instant notAfter)
      implements ClientVerdict {}

  /**
   * They are not believed.
   *
   * @param reason one printable line, such as {@code the proxy certificate expired at …}
   */
  record Refused(String reason) implements ClientVerdict {}
}
