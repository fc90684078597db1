package dev.staithe.slcs.ca;

import dev.staithe.pki.Pem;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** What came of asking the authority for a certificate. */
public sealed interface Issuance {
  /**
   * It is issued, kept and in the audit log.
   *
   * @param chain those above it, without a self-signed one; often empty
   */
  record Issued(X509Certificate certificate, List<X509Certificate> chain) implements Issuance {
    /** Copies the list. */
    public Issued {
      chain = List.copyOf(chain);
    }

    /** The certificate and its chain as text. */
    public String pem() {
      var all = new ArrayList<X509Certificate>();
      all.add(certificate);
      all.addAll(chain);
      return Pem.encode(all);
    }

    /** The serial number as {@link CertificateAuthority#revoke} takes it. */
    public String serial() {
      return certificate.getSerialNumber().toString(16);
    }
  }

  /**
   * Nothing is issued.
   *
   * @param line for the person who asked
   */
  record Refused(Reason reason, String line) implements Issuance {}

  /** Why nothing is issued. */
  enum Reason {
    /** Somebody else's certificate has that key. */
    KEY_REUSED,
    /** It has a prime in common with another key. */
    WEAK_KEY,
    /** The name is none that this authority gives. */
    OUTSIDE_NAMESPACE,
    /** The authority has ended, or its token does not sign; said in the log. */
    NOT_WORKING
  }
}
