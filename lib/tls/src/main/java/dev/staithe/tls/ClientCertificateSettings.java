package dev.staithe.tls;

import dev.staithe.pki.grid.ClientChainRules;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a server needs to ask clients for certificates.
 *
 * @param trust a folder such as {@code /etc/grid-security/certificates}, or a PEM bundle
 * @param rules how strictly they are judged
 * @param inHandshake whether a certificate that is not believed ends the handshake, which tells the
 *     client hardly why; else the connection comes about and its requests are answered with the
 *     reason
 * @param checkInterval between two looks at the files, zero for none
 */
public record ClientCertificateSettings(
    Path trust, ClientChainRules rules, boolean inHandshake, Duration checkInterval) {
  /** Checks the interval. */
  public ClientCertificateSettings {
    if (checkInterval.isNegative()) {
      throw new IllegalArgumentException("the check interval is not negative");
    }
  }
}
