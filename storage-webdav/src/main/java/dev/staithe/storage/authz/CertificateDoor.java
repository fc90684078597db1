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
                groups(attributes)));
      }
      case ClientVerdict.Refused(String reason) ->
          new Identification.NotBelieved(ForeignText.shown(reason));
    };
  }

  private static List<String> groups(List<VomsAttributes> attributes) {
    return attributes.stream()
        .flatMap(each -> each.believed().stream())
        .map(VomsRule::plain)
        .distinct()
        .toList();
  }

  /**
   * When what {@link #identify} found ends: the first certificate that counts, or attribute of VOMS
   * that is believed. Others say nothing, such as those that had ended before.
   *
   * @param chain as the client sent it, not empty
   * @param found who that is
   * @return a time in the past where it is not believed any more
   */
  public Instant end(List<X509Certificate> chain, CertificateCaller found) {
    List<VomsAttributes> believed =
        certificates.attributes(chain).stream().filter(VomsAttributes::verified).toList();
    return certificates.verdict(chain) instanceof ClientVerdict.Accepted accepted
            && groups(believed).containsAll(found.groups())
        ? Stream.concat(
                Stream.of(accepted.notAfter()), believed.stream().map(VomsAttributes::notAfter))
            .min(Comparator.naturalOrder())
            .orElseThrow()
        : Instant.EPOCH;
  }
}
