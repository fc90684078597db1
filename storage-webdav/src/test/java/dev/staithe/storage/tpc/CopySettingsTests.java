package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.Networks;
import dev.staithe.storage.remote.CopySettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CopySettingsTests {
  @Test
  void defaultsAreThoseOfTheField() {
    CopySettings settings = CopySettings.defaults(Networks.parse(List.of()));
    assertThat(settings.markerPeriod()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.verifyByDefault()).isTrue();
    assertThat(settings.credentialsOverPlainHttp()).isFalse();
    assertThat(settings.limits().running()).isEqualTo(50);
    assertThat(settings.timeouts().stall()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void valuesOutOfRangeAreNamed() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new CopySettings.Limits(0, 1, 1, 1, second))
        .hasMessage("running must be 1 to 10000");
    assertThatThrownBy(() -> new CopySettings.Limits(2, 3, 1, 1, second))
        .hasMessage("per-host must be 1 to running");
    assertThatThrownBy(() -> new CopySettings.Limits(2, 1, 1, 2, second))
        .hasMessage("queued-per-group must be 0 to queued");
    assertThatThrownBy(() -> new CopySettings.Limits(2, 1, 1, 1, Duration.ZERO))
        .hasMessageContaining("retry-after");
    CopySettings s = Element.settings();
    assertThatThrownBy(
            () ->
                new CopySettings(
                    s.limits(),
                    s.timeouts(),
                    Duration.ofMinutes(1),
                    s.earlyAnswer(),
                    1,
                    1,
                    true,
                    false,
                    s.allowedNetworks(),
                    s.tuning()))
        .hasMessageContaining("marker-period");
  }
}
