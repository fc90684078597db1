package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PasswordBrakeTests {
  private static final Surroundings.Passwords KNOWN =
      new Surroundings.Passwords() {
        @Override
        public boolean check(String username, char[] password) {
          return new String(password).equals("right");
        }

        @Override
        public byte @Nullable [] of(String username) {
          return "right".getBytes(StandardCharsets.UTF_8);
        }
      };

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));
  private final PasswordBrake brake = new PasswordBrake(clock);
  private final Surroundings.Passwords passwords = brake.before(KNOWN);

  private Refusal guess(String user, String from) {
    Opening opening =
        brake.open(
            InetAddress.ofLiteral(from),
            () -> {
              passwords.check(user, "wrong".toCharArray());
              return new Opening.Refused(Refusal.AUTHENTICATION, "wrong");
            });
    return ((Opening.Refused) opening).reason();
  }

  @Test
  void fiveFailuresHoldTheUserFromEverywhereForATimeThatDoubles() {
    for (int i = 0; i < 5; i++) {
      assertThat(guess("ada", "192.0.2." + i)).isEqualTo(Refusal.AUTHENTICATION);
    }
    for (int seconds : new int[] {30, 60, 120, 240, 480, 900, 900}) {
      assertThat(guess("ada", "192.0.2.9")).isEqualTo(Refusal.HELD);
      assertThat(guess("bob" + seconds, "192.0.2.9")).isEqualTo(Refusal.AUTHENTICATION);
      clock.advance(Duration.ofSeconds(seconds));
      assertThat(guess("ada", "192.0.2.9")).isEqualTo(Refusal.AUTHENTICATION);
    }
  }

  @Test
  void fiftyFailuresHoldTheAddressWithAllItsNames() {
    for (int i = 0; i < 50; i++) {
      assertThat(guess("user" + i, "2001:db8::" + i)).isEqualTo(Refusal.AUTHENTICATION);
    }
    assertThat(guess("another", "2001:db8::ffff")).isEqualTo(Refusal.HELD);
    assertThat(guess("another", "2001:db8:1::1")).isEqualTo(Refusal.AUTHENTICATION);
  }

  @Test
  void derivedKeyOrDigestThatDoesNotFitCountsAndOtherFaultsDoNot() {
    InetAddress from = InetAddress.ofLiteral("192.0.2.1");
    for (int i = 0; i < 9; i++) {
      brake.open(
          from,
          () -> {
            passwords.of("ada");
            return new Opening.Refused(Refusal.REPLAY, "before");
          });
    }
    for (int i = 0; i < 5; i++) {
      Opening opening =
          brake.open(
              from,
              () -> {
                passwords.of("ada");
                return new Opening.Refused(Refusal.SIGNATURE, "does not fit");
              });
      assertThat(((Opening.Refused) opening).reason()).isEqualTo(Refusal.SIGNATURE);
    }
    assertThat(guess("ada", "192.0.2.2")).isEqualTo(Refusal.HELD);
  }
}
