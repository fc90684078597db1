package dev.staithe.storage.authz;

import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.VomsAttributes;
import dev.staithe.tls.ClientCertificates;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds out who asks from the certificate that the client showed in the TLS handshake, which proved
 * that the client has its key. Thread-safe; never blocks.
 */
public final class CertificateDoor {
  private final ClientCertificates certificates;

  /** Takes who judges certificates. */
  public CertificateDoor(ClientCertificates certificates) {
    this.certificates = certificates;
  }

  /**
   * Who asks.
   *
   * @param chain as the client sent it, not empty
   */
  public Identification identify(List<X509Certificate> chain) {
    return switch (certificates.verdict(chain)) {
      case ClientVerdict.Accepted accepted -> {
        List<VomsAttributes> attributes = certificates.attributes(chain);
        yield new Identification.Identified(
            new CertificateCaller(
                accepted.subject(),
                accepted.limited(),
                attributes.stream().flatMap(each -> each.fqans().stream()).distinct().toList(),
                attributes.stream()
                    .flatMap(each -> each.believed().stream())
                    .map(VomsRule::plain)
                    .distinct()
                    .toList()));
      }
      case ClientVerdict.Refused(String reason) ->
          new Identification.NotBelieved(ForeignText.shown(reason));
    };
  }

  /**
   * When what {@link #identify} finds ends: the first certificate that counts, or attribute of
   * VOMS. Others that were sent beside them say nothing.
   *
   * @param chain as the client sent it, not empty
   * @return a time in the past where it is not believed any more
   */
  public Instant end(List<X509Certificate> chain) {
    return switch (certificates.verdict(chain)) {
      case ClientVerdict.Accepted accepted ->
          Stream.concat(
                  Stream.of(accepted.notAfter()),
                  certificates.attributes(chain).stream().map(VomsAttributes::notAfter))
              .min(Comparator.naturalOrder())
              .orElseThrow();
      case ClientVerdict.Refused refused -> Instant.EPOCH;
    };
  }
}
