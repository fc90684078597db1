package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.crypto.KnownCertificate;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of certificates that were read. */
class CertificatesTests {
  @TempDir Path folder;

  private static SecurityScan.Binary token(byte[] content) {
    return new SecurityScan.Binary(null, SecurityElements.X509_V3, content);
  }

  /** A caller makes as many proxies as it likes, each with an extension of any length. */
  @Test
  void keepWhenTokensAreLongThenNoMoreIsKeptThanFits() throws Exception {
    var parties = new Parties(folder, Clock.systemUTC(), KeyKind.RSA_2048);
    var certificates = new Certificates(parties.surroundings(parties.service));
    SecurityScan.Binary first = token(parties.client.certificate().getEncoded());
    KnownCertificate known = certificates.of(first);
    certificates.keep(first, known);
    for (int i = 0; i < 20_000; i++) {
      certificates.keep(first, known);
    }
    assertThat(certificates.of(first)).isSameAs(known);

    int each = 128 << 10;
    for (int i = 0; i < Certificates.MOST_OCTETS / each; i++) {
      byte[] content = new byte[each];
      content[0] = (byte) i;
      certificates.keep(token(content), known);
    }

    assertThat(certificates.of(first)).isNotSameAs(known);
  }
}
