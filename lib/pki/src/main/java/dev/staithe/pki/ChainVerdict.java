package dev.staithe.pki;

import java.security.cert.X509Certificate;
import java.util.List;

/** Whether a certificate chain is believed. */
public sealed interface ChainVerdict {
  /**
   * It leads to a trust anchor.
   *
   * @param path from the peer's certificate to the one below the anchor
   */
  record Trusted(List<X509Certificate> path) implements ChainVerdict {
    /** Copies the list. */
    public Trusted {
      path = List.copyOf(path);
    }
  }

  /** It is not believed, for this reason. */
  record Refused(Reason reason) implements ChainVerdict {}

  /** Why a chain is not believed; the text completes "the certificate of HOST …". */
  enum Reason {
    /** No trust anchor stands above it, or a signature is wrong. */
    UNKNOWN_ISSUER("is not issued by a trusted authority"),
    /** It, or an authority above it, has ended. */
    EXPIRED("has expired"),
    /** It, or an authority above it, starts later. */
    NOT_YET_VALID("is not valid yet"),
    /** Its authority withdrew it. */
    REVOKED("has been revoked"),
    /** It may not be used by a TLS server. */
    WRONG_PURPOSE("is not meant for a server");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** A predicate in plain words. */
    public String text() {
      return text;
    }
  }
}
