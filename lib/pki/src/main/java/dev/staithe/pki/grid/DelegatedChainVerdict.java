package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a chain that somebody delegates is taken, and what it is worth. */
public sealed interface DelegatedChainVerdict {
  /** What is wrong with a chain. */
  enum Reason {
    /** The proxy is for another key than the one that was given out. */
    KEY,
    /** A proxy is not signed by the certificate that it names as its maker's. */
    SIGNATURE,
    /** The name of a proxy is not that of its maker and one common name more. */
    SUBJECT,
    /** It leads to another person than the one who sent it. */
    OWNER,
    /** A proxy claims more rights than its maker has, or in a language that is not known. */
    POLICY,
    /** A proxy has more proxies below it than it allows. */
    PATH_LENGTH,
    /** A proxy ends after the certificate that it is made of. */
    LIFETIME,
    /** A certificate is not valid any more, or not yet. */
    EXPIRED,
    /** A certificate has been revoked. */
    REVOKED,
    /** It does not lead to a trusted authority by the rules of such paths. */
    UNTRUSTED,
    /** The first certificate is no proxy. */
    NOT_A_PROXY,
    /** It carries attributes of VOMS that have ended, are another's, or were changed. */
    VOMS,
    /** It is made as it was done before RFC 3820, over SHA-1, or with short keys. */
    OUTDATED,
    /** It cannot be decoded. */
    MALFORMED,
    /** It has more certificates or bytes than any real one. */
    TOO_LONG
  }

  /**
   * It is good.
   *
   * @param subject whom the authority named
   * @param limited whether one of the proxies is limited in the sense of Globus
   * @param independent whether one of them has none of its maker's rights
   * @param pathLeft how many proxies may still follow below the first; null for any number
   * @param notAfter when the first of its certificates ends, or its attributes of VOMS
   * @param voms those in force; see {@link VomsAttributes#read}
   * @param legacy whether the proxies are from before RFC 3820
   * @param chain the proxy first, each before the one that issued it, without the trust anchor and
   *     whatever else was sent
   */
  record Accepted(
      GridSubject subject,
      boolean limited,
      boolean independent,
      @Nullable Integer pathLeft,
      Instant notAfter,
      List<VomsAttributes> voms,
      boolean legacy,
      List<X509Certificate> chain)
      implements DelegatedChainVerdict {
    /** Copies the lists. */
    public Accepted {
      voms = List.copyOf(voms);
      chain = List.copyOf(chain);
    }
  }

  /**
   * It is not taken.
   *
   * @param line one printable line, such as {@code the proxy certificate is not for the key …}
   */
  record Refused(Reason reason, String line) implements DelegatedChainVerdict {}
}
