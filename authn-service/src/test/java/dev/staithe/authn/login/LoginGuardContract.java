package dev.staithe.authn.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.staithe.authn.users.TestStore;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.testkit.MutableClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds on every database. */
abstract class LoginGuardContract {
  private static final GuardSettings NO_LIMIT =
      new GuardSettings(GuardSettings.DEFAULT.user(), GuardSettings.DEFAULT.address(), 0, 1);

  private TestStore store;
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private LoginGuard node;
  private LoginGuard other;
  private int lastAddress;

  private LoginGuard guard(GuardSettings settings) {
    return new LoginGuard(settings, store.database(), clock);
  }

  abstract TestStore newStore();

  @BeforeEach
  void open() {
    store = newStore();
    node = guard(NO_LIMIT);
    other = guard(NO_LIMIT);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private InetAddress elsewhere() {
    lastAddress++;
    return address("10.0." + lastAddress / 250 + "." + (lastAddress % 250 + 1));
  }

  private static boolean fail(LoginGuard guard, String user, InetAddress from)
      throws UsersUnavailable {
    if (guard.admit(user, from) instanceof LoginGuard.Gate.Open(LoginGuard.Pass pass)) {
      guard.failing(pass);
      guard.failed(pass);
      return true;
    }
    return false;
  }

  private Duration locked(LoginGuard guard, String user, InetAddress from) throws UsersUnavailable {
    return guard.admit(user, from) instanceof LoginGuard.Gate.Closed closed
        ? closed.retryAfter()
        : Duration.ZERO;
  }

  @Test
  void theFifthFailureLocksTheUserOnAllNodesForHalfAMinute() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      assertThat(fail(i % 2 == 0 ? node : other, "alice", elsewhere())).isTrue();
    }
    for (LoginGuard each : new LoginGuard[] {node, other, guard(NO_LIMIT)}) {
      assertThat(each.admit("ALICE", elsewhere()))
          .isEqualTo(new LoginGuard.Gate.Closed(Duration.ofSeconds(30), LoginReason.USER_LOCKED));
    }
    clock.advance(Duration.ofSeconds(31));
    assertThat(locked(node, "alice", elsewhere())).isZero();
    assertThat(locked(other, "alice", elsewhere())).isZero();
  }

  @Test
  void eachFurtherFailureDoublesTheLockToAQuarterOfAnHour() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      fail(node, "alice", elsewhere());
    }
    for (int seconds : new int[] {30, 60, 120, 240, 480, 900, 900}) {
      assertThat(locked(other, "alice", elsewhere())).isEqualTo(Duration.ofSeconds(seconds));
      clock.advance(Duration.ofSeconds(seconds));
      assertThat(fail(node, "alice", elsewhere())).isTrue();
    }
  }

  @Test
  void aNameThatNobodyHasIsLockedInTheSameWay() throws UsersUnavailable {
    for (String name : new String[] {"nobody", "' OR 1=1 --", "x".repeat(5000), "ünïcode", ""}) {
      for (int i = 0; i < 5; i++) {
        assertThat(fail(node, name, elsewhere())).as(name).isTrue();
      }
      assertThat(locked(other, name, elsewhere())).as(name).isEqualTo(Duration.ofSeconds(30));
    }
  }

  @Test
  void successForgivesTheUserButNotTheAddress() throws UsersUnavailable {
    InetAddress from = address("192.0.2.1");
    for (int i = 0; i < 49; i++) {
      if (i % 4 == 3
          && node.admit("alice", from) instanceof LoginGuard.Gate.Open(LoginGuard.Pass pass)) {
        node.succeeded(pass);
      }
      assertThat(fail(node, "alice", from)).isTrue();
    }
    assertThat(fail(node, "mallory", from)).isTrue();
    assertThat(other.admit("bob", from))
        .isEqualTo(new LoginGuard.Gate.Closed(Duration.ofSeconds(30), LoginReason.ADDRESS_LOCKED));
    assertThat(locked(other, "bob", elsewhere())).isZero();
  }

  @Test
  void anIpv6HostCannotUseItsManyAddresses() throws UsersUnavailable {
    for (int i = 0; i < 50; i++) {
      fail(node, "user" + i, address("2001:db8:1:2::" + Integer.toHexString(i + 1)));
    }
    assertThat(locked(other, "x", address("2001:db8:1:2:ffff::1"))).isPositive();
    assertThat(locked(other, "x", address("2001:db8:1:3::1"))).isZero();
    assertThat(AddressPrefix.of(address("::ffff:192.0.2.1")))
        .isEqualTo(AddressPrefix.of(address("192.0.2.1")));
  }

  @Test
  void failuresAreForgottenAfterTheirWindow() throws UsersUnavailable {
    for (int i = 0; i < 4; i++) {
      fail(node, "alice", elsewhere());
    }
    clock.advance(Duration.ofHours(12).plusSeconds(1));
    for (int i = 0; i < 4; i++) {
      fail(node, "alice", elsewhere());
    }
    assertThat(locked(node, "alice", elsewhere())).isZero();
    assertThat(node.deleteOld()).isZero();
    clock.advance(Duration.ofHours(13));
    assertThat(node.deleteOld()).isPositive();
  }

  @Test
  void guessesThatWereLetInTogetherStopAtTheLock() throws UsersUnavailable {
    LoginGuard.Pass[] passes = new LoginGuard.Pass[20];
    for (int i = 0; i < 20; i++) {
      passes[i] = ((LoginGuard.Gate.Open) node.admit("alice", elsewhere())).pass();
    }
    int guessed = 0;
    for (LoginGuard.Pass pass : passes) {
      if (node.lockedMeanwhile(pass).isZero()) {
        guessed++;
        node.failing(pass);
      }
    }
    assertThat(guessed).isEqualTo(5);
  }

  @Test
  void failuresOnSeveralNodesAtOnceAreAllCounted() throws Exception {
    GuardSettings.Rule rule = NO_LIMIT.address();
    FailureStore[] stores = {
      new FailureStore(store.database()), new FailureStore(store.database())
    };
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> counts = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        FailureStore one = stores[i % 2];
        counts.add(threads.submit(() -> one.count("a:1", rule, clock.millis())));
      }
      for (Future<?> count : counts) {
        count.get();
      }
    }
    assertThat(stores[0].find("a:1", "u:2").get("a:1").failures()).isEqualTo(40);
  }

  @Test
  void aLockThatIsKnownCostsNoLookAtTheStore() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      fail(node, "alice", elsewhere());
    }
    store.close();
    assertThat(locked(node, "alice", elsewhere())).isPositive();
    assertThatExceptionOfType(UsersUnavailable.class)
        .isThrownBy(() -> node.admit("bob", elsewhere()));
  }

  @Test
  void anAdministratorLiftsALockAndOtherNodesFollow() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      fail(node, "alice", elsewhere());
    }
    other.unlock("Alice");
    assertThat(locked(other, "alice", elsewhere())).isZero();
    assertThat(locked(node, "alice", elsewhere())).as("believed for a moment").isPositive();
    clock.advance(Duration.ofSeconds(6));
    assertThat(locked(node, "alice", elsewhere())).isZero();
  }

  @Test
  void aClockThatWasAheadLocksNobodyForDays() throws UsersUnavailable {
    clock.advance(Duration.ofDays(300));
    for (int i = 0; i < 7; i++) {
      fail(node, "alice", elsewhere());
      clock.advance(Duration.ofMinutes(2));
    }
    clock.advance(Duration.ofDays(-300));
    assertThat(locked(other, "alice", elsewhere())).isZero();
    assertThat(fail(other, "alice", elsewhere())).isTrue();
    assertThat(locked(other, "alice", elsewhere())).as("counted from the start").isZero();
  }

  @Test
  void attemptsOfAnAddressAreLimitedByRateWhateverTheirOutcome() throws UsersUnavailable {
    LoginGuard limited = guard(new GuardSettings(NO_LIMIT.user(), NO_LIMIT.address(), 2, 10));
    InetAddress from = address("192.0.2.7");
    for (int i = 0; i < 10; i++) {
      assertThat(limited.admit("u" + i, from)).isInstanceOf(LoginGuard.Gate.Open.class);
    }
    assertThat(limited.admit("u", from))
        .isEqualTo(new LoginGuard.Gate.Closed(Duration.ofMillis(500), LoginReason.ADDRESS_LIMITED));
    assertThat(limited.admit("u", elsewhere())).isInstanceOf(LoginGuard.Gate.Open.class);
    clock.advance(Duration.ofMillis(500));
    assertThat(limited.admit("u", from)).isInstanceOf(LoginGuard.Gate.Open.class);
    assertThat(limited.admit("u", from)).isInstanceOf(LoginGuard.Gate.Closed.class);
    clock.advance(Duration.ofHours(-2));
    assertThat(limited.admit("u", from)).isInstanceOf(LoginGuard.Gate.Closed.class);
    clock.advance(Duration.ofSeconds(1));
    assertThat(limited.admit("u", from)).isInstanceOf(LoginGuard.Gate.Open.class);
  }

  @Test
  void whatIsRememberedIsBounded() {
    RecentMap<Integer> map = new RecentMap<>(100);
    for (int i = 0; i < 10_000; i++) {
      map.with("key" + i, () -> 1, value -> value);
    }
    assertThat(map.size()).isEqualTo(100);
  }
}
