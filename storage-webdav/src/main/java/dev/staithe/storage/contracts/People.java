package dev.staithe.storage.contracts;

import dev.staithe.contracts.BadSignature;
import dev.staithe.contracts.PersonProperties;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.tls.ClientCertificateSettings;
import dev.staithe.tls.ClientCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The people who may be parties of an area's contracts: whoever has a certificate of an authority
 * that the area trusts for that, or a proxy of one (RFC 3820). Authorities and revocation lists are
 * read again when their files change. Thread-safe.
 */
final class People implements AutoCloseable {
  private static final Duration CHECK = Duration.ofMinutes(1);

  private final ClientCertificates certificates;

  private People(ClientCertificates certificates) {
    this.certificates = certificates;
  }

  /**
   * Reads the authorities.
   *
   * @param trust PEM bundle, or folder as {@code /etc/grid-security/certificates}
   * @throws IOException with one line where none can be read
   */
  static People open(Path trust, Clock clock) throws IOException {
    return new People(
        ClientCertificates.open(
            new ClientCertificateSettings(trust, ClientChainRules.DEFAULT, false, CHECK), clock));
  }

  /**
   * Who signed a property list.
   *
   * @throws BadSignature with one line where it is not good, or the certificate is not believed
   */
  PersonProperties judge(String text, Instant now) throws BadSignature {
    PersonProperties person = PersonProperties.verify(text, now);
    return switch (certificates.verdict(person.chain())) {
      case ClientVerdict.Accepted accepted when accepted.subject().equals(person.subject()) ->
          person;
      case ClientVerdict.Accepted accepted ->
          throw new BadSignature("the certificates are of " + accepted.subject().name());
      case ClientVerdict.Refused(String reason) -> throw new BadSignature(reason);
    };
  }

  @Override
  public void close() {
    certificates.close();
  }
}
