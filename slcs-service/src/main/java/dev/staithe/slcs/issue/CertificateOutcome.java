package dev.staithe.slcs.issue;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What came of a request for a certificate. */
sealed interface CertificateOutcome {
  /**
   * A certificate.
   *
   * @param chain it, then those above it, without a self-signed one
   * @param authority who issued it
   * @param subject its name in the form {@code /DC=org/CN=…}
   * @param serial in hexadecimal digits
   */
  record Issued(
      List<X509Certificate> chain,
      X509Certificate authority,
      String subject,
      Instant notAfter,
      String serial)
      implements CertificateOutcome {
    /** Copies the chain. */
    public Issued {
      chain = List.copyOf(chain);
    }

    /** The certificate itself. */
    public X509Certificate certificate() {
      return chain.getFirst();
    }

    /** All above it that a relying party may want, the authority's own among them. */
    public List<X509Certificate> above() {
      var above = new ArrayList<>(chain.subList(1, chain.size()));
      if (!above.contains(authority)) {
        above.addFirst(authority);
      }
      return above;
    }
  }

  /**
   * None.
   *
   * @param line why, one line that can be shown to whoever asked
   * @param retryAfter when it may be worth another try; zero where it is not
   */
  record Refused(String line, Kind kind, Duration retryAfter) implements CertificateOutcome {}

  /** Why none, for a choice of status. */
  enum Kind {
    /** The request itself is wrong. */
    BAD_REQUEST(400),
    /** This person does not get one, or not so. */
    NOT_ALLOWED(403),
    /** The name is another person's. */
    NAME_TAKEN(403),
    /** Too many of this person's. */
    TOO_MANY(429),
    /** We cannot at present. */
    UNAVAILABLE(503);

    private final int status;

    Kind(int status) {
      this.status = status;
    }

    /** That of HTTP. */
    public int status() {
      return status;
    }
  }
}
