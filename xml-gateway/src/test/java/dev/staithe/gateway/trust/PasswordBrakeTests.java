package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Surroundings;
import dev.staithe.xml.SoapVersion;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
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

  private static final Supplier<Opening> WRONG =
      () -> new Opening.Refused(Refusal.SIGNATURE, "does not fit");
  private static final Supplier<Opening> RIGHT =
      () ->
          new Opening.Opened(
              new PlainMessage(
                  SoapVersion.SOAP_1_1,
                  List.of(),
                  new byte[0],
                  Map.of(),
                  null,
                  PlainMessage.Addressing.NONE),
              new Caller.Anonymous(),
              new Reply(SoapVersion.SOAP_1_1, new Reply.Keys.None(), List.of(), null),
              Findings.NOTHING);

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
  void clockThatIsSetBackHoldsNobodyUntilItHasCaughtUp() {
    for (int i = 0; i < 5; i++) {
      assertThat(guess("ada", "192.0.2." + i)).isEqualTo(Refusal.AUTHENTICATION);
    }
    assertThat(guess("ada", "192.0.2.9")).isEqualTo(Refusal.HELD);

    clock.advance(Duration.ofHours(-1));

    assertThat(guess("ada", "192.0.2.9")).isEqualTo(Refusal.AUTHENTICATION);
    assertThat(guess("ada", "192.0.2.9")).isEqualTo(Refusal.HELD);
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

  @Test
  void ofManyGuessesAtOnceOnlyAsManyAreToldAsMayFail() throws InterruptedException {
    assertThat(told(25, i -> "ada", i -> "192.0.2." + i, WRONG)).isEqualTo(5);
    assertThat(told(60, i -> "user" + i, i -> "192.0.3.1", WRONG)).isEqualTo(50);
    Trials.held(85);

    // After the hold one guess is left, and at once too.
    clock.advance(Duration.ofSeconds(30));
    assertThat(told(9, i -> "ada", i -> "192.0.2." + i, WRONG)).isEqualTo(1);
    Trials.held(9);
  }

  @Test
  void manyAtOnceWithTheRightPasswordAreAllLetIn() throws InterruptedException {
    assertThat(told(60, i -> "ada", i -> "192.0.2.1", RIGHT)).isEqualTo(60);
    assertThat(told(60, i -> "user" + i, i -> "192.0.2.1", RIGHT)).isEqualTo(60);
  }

  @Test
  void attemptThatEndsInAFaultLeavesItsPlaceToOthers() {
    InetAddress from = InetAddress.ofLiteral("192.0.2.1");
    for (int i = 0; i < 60; i++) {
      assertThatThrownBy(
              () ->
                  brake.open(
                      from,
                      () -> {
                        passwords.of("ada");
                        throw new Surroundings.Unavailable("no thread is free", null);
                      }))
          .isInstanceOf(Surroundings.Unavailable.class);
    }
    assertThat(guess("ada", "192.0.2.1")).isEqualTo(Refusal.AUTHENTICATION);
  }

  /** How many were told a password; none ends before all have one, or wait for those that do. */
  private int told(
      int many, IntFunction<String> user, IntFunction<String> from, Supplier<Opening> verdict)
      throws InterruptedException {
    var told = new AtomicInteger();
    var go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      String name = user.apply(i);
      InetAddress address = InetAddress.ofLiteral(from.apply(i));
      threads.add(
          Thread.ofPlatform()
              .start(
                  () ->
                      brake.open(
                          address,
                          () -> {
                            passwords.of(name);
                            told.incrementAndGet();
                            await(go);
                            return verdict.get();
                          })));
    }
    Eventually.holds("all wait", () -> threads.stream().allMatch(PasswordBrakeTests::isWaiting));
    go.countDown();
    for (Thread each : threads) {
      each.join();
    }
    return told.get();
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static void await(CountDownLatch go) {
    try {
      go.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
