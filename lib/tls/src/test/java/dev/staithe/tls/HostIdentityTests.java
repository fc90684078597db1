package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostIdentityTests {
  private static final CertificateIssuer CA =
      CertificateIssuer.create("Test", KeyKind.EC_P256, Duration.ofDays(1), Clock.systemUTC());

  @ParameterizedTest
  @CsvSource({
    "se.example.org, se.example.org, true",
    "SE.Example.ORG, se.example.org, true",
    "se.example.org, se.example.org., true",
    "se.example.org, example.org, false",
    "se.example.org, a.se.example.org, false",
    "*.example.org, se.example.org, true",
    "*.example.org, a.se.example.org, false",
    "*.example.org, example.org, false",
    "*.example.org, .example.org, false",
    "s*.example.org, se.example.org, false",
    "*.org, example.org, false",
    "*, example, false",
    "*.0.0.1, 127.0.0.1, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "::1, ::1, true",
    "::1, [::1], true",
    "::1, 0:0:0:0:0:0:0:1, true",
    "se.example.org, 127.0.0.1, false",
    "xn--bcher-kva.example.org, bücher.example.org, true",
  })
  void nameOfTheCertificateIsComparedByTheRules(String named, String called, boolean matches) {
    X509Certificate certificate = CA.issueHost(HostCertificateRequest.of(named)).certificate();

    assertThat(HostIdentity.of(called).matches(certificate)).isEqualTo(matches);
  }

  @Test
  void commonNameAloneIsNoName() {
    // The authority's own certificate has a common name and no alternative names.
    assertThat(HostIdentity.of("Test").matches(CA.certificate())).isFalse();
  }

  @Test
  void serverNameIsSentForNamesOnly() {
    assertThat(HostIdentity.of("Se.Example.org.").serverName()).isEqualTo("se.example.org");
    assertThat(HostIdentity.of("127.0.0.1").serverName()).isNull();
    assertThat(HostIdentity.of("[::1]").serverName()).isNull();
    assertThat(HostIdentity.of("storage_a").serverName()).as("no host name by RFC 1123").isNull();
  }
}
