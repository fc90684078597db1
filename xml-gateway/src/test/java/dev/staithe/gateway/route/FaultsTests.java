package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.backend.BackEndAnswer;
import dev.staithe.xml.SoapVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers are told of trying again. */
final class FaultsTests {
  /** 503 goes with {@code Retry-After}: it is for what the service has not seen. */
  @ParameterizedTest
  @EnumSource(BackEndAnswer.Kind.class)
  void nobodyIsToldToComeAgainWhomTheServiceMayHaveServed(BackEndAnswer.Kind kind) {
    for (SoapVersion version : SoapVersion.values()) {
      assertThat(Faults.behind(version, kind).status() == 503)
          .isEqualTo(kind == BackEndAnswer.Kind.DOWN);
    }
  }
}
