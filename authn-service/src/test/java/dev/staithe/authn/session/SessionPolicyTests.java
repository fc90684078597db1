package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionPolicyTests {
  private static SessionPolicy policy(
      String idle, String absolute, int perUser, String freshness, String poll, String deadline) {
    return new SessionPolicy(
        Duration.parse(idle),
        Duration.parse(absolute),
        perUser,
        SessionPolicy.OnLimit.REFUSE,
        Duration.parse(freshness),
        Duration.parse(poll),
        Duration.parse(deadline));
  }

  @Test
  void limitsThemselvesAreAccepted() {
    assertThat(policy("PT10S", "PT10S", 1, "PT0.01S", "PT0.01S", "PT0.1S").perUser()).isOne();
    assertThat(policy("P366D", "P366D", 10_000, "PT1H", "PT1H", "PT60S").idle().toDays())
        .isEqualTo(366);
    assertThat(SessionPolicy.DEFAULT.idle()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void whatLiesBeyondIsRefusedByName() {
    refused("idle", "PT9S", "PT2H", 1, "PT1S", "PT0.2S", "PT3S");
    refused("absolute", "PT30M", "PT29M", 1, "PT1S", "PT0.2S", "PT3S");
    refused("absolute", "PT30M", "P367D", 1, "PT1S", "PT0.2S", "PT3S");
    refused("whole seconds", "PT30.5S", "PT2H", 1, "PT1S", "PT0.2S", "PT3S");
    refused("whole seconds", "PT30S", "PT60.5S", 1, "PT1S", "PT0.2S", "PT3S");
    refused("per-user", "PT30M", "PT2H", 0, "PT1S", "PT0.2S", "PT3S");
    refused("per-user", "PT30M", "PT2H", 10_001, "PT1S", "PT0.2S", "PT3S");
    refused("freshness", "PT30M", "PT2H", 1, "PT0.1S", "PT0.2S", "PT3S");
    refused("freshness", "PT30M", "PT2H", 1, "PT2H", "PT0.2S", "PT3S");
    refused("poll", "PT30M", "PT2H", 1, "PT1S", "PT0.001S", "PT3S");
    refused("deadline", "PT30M", "PT2H", 1, "PT1S", "PT0.2S", "PT0.05S");
    refused("deadline", "PT30M", "PT2H", 1, "PT1S", "PT0.2S", "PT61S");
  }

  private static void refused(
      String name,
      String idle,
      String absolute,
      int perUser,
      String freshness,
      String poll,
      String deadline) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy(idle, absolute, perUser, freshness, poll, deadline))
        .withMessageContaining(name);
  }
}
