package dev.staithe.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CannedRunTests {
  @Test
  void settingsAreThoseThatTheSimulationHasFromTheEnvironmentToo() {
    Map<String, String> environment =
        Map.of("PERF_SECOND_URL", "https://localhost/b/", "PERF_USERS", "16", "PERF_CA", " ");

    assertThat(CannedRun.told("second-url", Map.of(), environment))
        .contains("https://localhost/b/");
    assertThat(CannedRun.told("users", Map.of("perf.users", "8"), environment)).contains("8");
    assertThat(CannedRun.told("users", Map.of(), environment)).contains("16");
    assertThat(CannedRun.told("ca", Map.of(), environment)).isEmpty();
    assertThat(CannedRun.told("rate", Map.of(), environment)).isEmpty();
  }

  @Test
  void theLeanClientIsLikeALoadThatIsTheSameAllTheTime() {
    assertThat(CannedRun.isEven(Map.of(), Map.of())).isTrue();
    assertThat(CannedRun.isEven(Map.of("perf.profile", "soak"), Map.of())).isTrue();
    assertThat(CannedRun.isEven(Map.of("perf.profile", "ramp"), Map.of())).isFalse();
    assertThat(CannedRun.isEven(Map.of("perf.profile", "spike"), Map.of())).isFalse();
    assertThat(CannedRun.isEven(Map.of(), Map.of("PERF_PAUSE_MILLIS", "250"))).isFalse();
  }
}
