package dev.staithe.pki.grid;

import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import java.security.cert.X509Certificate;
import java.util.List;

/** A chain of certificates as somebody sent it, in PEM (RFC 7468). */
public sealed interface PemChain {
  /** Longer texts are refused unread: twelve certificates with RSA keys of 4096 bits need less. */
  int MOST_CHARACTERS = 64 * 1024;

  /** More certificates than this are no chain of proxies. */
  int MOST_CERTIFICATES = 12;

  /**
   * They can be decoded; nothing more is known of them.
   *
   * @param certificates at least one, in the order in which they were sent
   */
  record Certificates(List<X509Certificate> certificates) implements PemChain {
    /** Copies the list. */
    public Certificates {
      certificates = List.copyOf(certificates);
    }
  }

  /**
   * They are no chain.
   *
   * @param reason {@link Reason#MALFORMED} or {@link Reason#TOO_LONG}
   * @param line why, one line without anything of what was sent
   */
  record Refused(Reason reason, String line) implements PemChain {}

  /** Reads a text; what stands around and between the blocks is passed over. */
  static PemChain parse(String text) {
    if (text.length() > MOST_CHARACTERS) {
      return new Refused(
          Reason.TOO_LONG, "the chain is longer than " + MOST_CHARACTERS + " characters");
    }
    if (text.contains("PRIVATE KEY-----")) {
      return new Refused(
          Reason.MALFORMED,
          "the text holds a private key, which is not to be sent: make a new proxy and send its"
              + " certificates only");
    }
    try {
      List<X509Certificate> certificates = Pem.parseCertificates(text, "the chain");
      return certificates.size() > MOST_CERTIFICATES
          ? new Refused(
              Reason.TOO_LONG, "the chain has more than " + MOST_CERTIFICATES + " certificates")
          : new Certificates(certificates);
    } catch (PemException e) {
      return new Refused(Reason.MALFORMED, String.valueOf(e.getMessage()));
    }
  }
}
