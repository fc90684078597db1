package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.ca.CertificateRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestedKeyTests {
  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void anAuthorityReadsTheRequestAndFindsTheKey(KeyKind kind) {
    var requested = RequestedKey.make(kind);
    assertThat(
            CertificateRequest.read(
                requested.pem().getBytes(StandardCharsets.US_ASCII), KeyRules.standard()))
        .isInstanceOfSatisfying(
            CertificateRequest.Accepted.class,
            accepted -> {
              assertThat(accepted.key()).isEqualTo(requested.publicKey());
              assertThat(accepted.subject()).isEmpty();
              assertThat(accepted.extensions()).isEmpty();
            });
    assertThat(requested.toString()).doesNotContain("PRIVATE");
  }

  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void theKeyIsWrittenAsItIsRead(KeyKind kind) throws PemException {
    var requested = RequestedKey.make(kind);
    assertThat(Pem.parsePrivateKey(Pem.encode(requested.key()), "key")).isEqualTo(requested.key());
  }

  @Test
  void requestMayHaveASubjectForThoseWhoWantOne() {
    var requested = RequestedKey.make(KeyKind.EC_P256, "proxy");

    assertThat(
            CertificateRequest.read(
                requested.pem().getBytes(StandardCharsets.US_ASCII), KeyRules.standard()))
        .isInstanceOfSatisfying(
            CertificateRequest.Accepted.class,
            accepted -> assertThat(accepted.subject()).isEqualTo("CN=proxy"));
    for (String name : List.of("", " ", "a,O=b", "a+CN=b", "a\nb")) {
      assertThatThrownBy(() -> RequestedKey.make(KeyKind.EC_P256, name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
