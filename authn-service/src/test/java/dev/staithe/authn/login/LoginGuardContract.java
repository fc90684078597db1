package dev.staithe.authn.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.staithe.authn.users.TestStore;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds on every database. */
abstract class LoginGuardContract {
  private static final GuardSettings NO_LIMIT =
      new GuardSettings(
          GuardSettings.DEFAULT.user(),
          GuardSettings.DEFAULT.strangers(),
          GuardSettings.DEFAULT.address(),
          0,
          1);
  private static final InetAddress THERE = address("198.51.100.4");
  private static final InetAddress HOME = address("192.0.2.44");

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
  void theFifthFailureLocksTheUserAtThatAddressOnAllNodesForHalfAMinute() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      assertThat(fail(i % 2 == 0 ? node : other, "alice", THERE)).isTrue();
      Trials.held();
    }
    for (LoginGuard each : new LoginGuard[] {node, other, guard(NO_LIMIT)}) {
      assertThat(each.admit("ALICE", THERE))
          .isEqualTo(new LoginGuard.Gate.Closed(Duration.ofSeconds(30), LoginReason.USER_LOCKED));
    }
    clock.advance(Duration.ofSeconds(31));
    assertThat(locked(node, "alice", THERE)).isZero();
    assertThat(locked(other, "alice", THERE)).isZero();
  }

  @Test
  void eachFurtherFailureDoublesTheLockToAQuarterOfAnHour() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      fail(node, "alice", THERE);
    }
    for (int seconds : new int[] {30, 60, 120, 240, 480, 900, 900}) {
      assertThat(locked(other, "alice", THERE)).isEqualTo(Duration.ofSeconds(seconds));
      clock.advance(Duration.ofSeconds(seconds));
      assertThat(fail(node, "alice", THERE)).isTrue();
    }
  }

  @Test
  void aNameThatNobodyHasIsLockedInTheSameWay() throws UsersUnavailable {
    for (String name : new String[] {"nobody", "' OR 1=1 --", "x".repeat(5000), "ünïcode", ""}) {
      for (int i = 0; i < 5; i++) {
        assertThat(fail(node, name, THERE)).as(name).isTrue();
      }
      assertThat(locked(other, name, THERE)).as(name).isEqualTo(Duration.ofSeconds(30));
      Trials.held();
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
      Trials.held();
    }
    assertThat(locked(other, "x", address("2001:db8:1:2:ffff::1"))).isPositive();
    assertThat(locked(other, "x", address("2001:db8:1:3::1"))).isZero();
    assertThat(AddressPrefix.of(address("::ffff:192.0.2.1")))
        .isEqualTo(AddressPrefix.of(address("192.0.2.1")));
  }

  @Test
  void failuresAreForgottenAfterTheirWindow() throws UsersUnavailable {
    for (int i = 0; i < 4; i++) {
      fail(node, "alice", THERE);
    }
    clock.advance(Duration.ofHours(12).plusSeconds(1));
    for (int i = 0; i < 4; i++) {
      fail(node, "alice", THERE);
    }
    assertThat(locked(node, "alice", THERE)).isZero();
    assertThat(node.deleteOld()).isZero();
    clock.advance(Duration.ofHours(13));
    assertThat(node.deleteOld()).isPositive();
  }

  @Test
  void guessesThatWereLetInTogetherStopAtTheLock() throws UsersUnavailable {
    LoginGuard.Pass[] passes = new LoginGuard.Pass[20];
    for (int i = 0; i < 20; i++) {
      passes[i] = ((LoginGuard.Gate.Open) node.admit("alice", THERE)).pass();
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
  void ofThoseWhoWaitTogetherForTheEndOfALockOneIsJudged() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      fail(node, "alice", THERE);
    }
    clock.advance(Duration.ofSeconds(30));
    LoginGuard.Pass first = ((LoginGuard.Gate.Open) node.admit("alice", THERE)).pass();
    LoginGuard.Pass next = ((LoginGuard.Gate.Open) node.admit("alice", THERE)).pass();
    LoginGuard.Pass last = ((LoginGuard.Gate.Open) node.admit("alice", THERE)).pass();

    assertThat(node.begin(first)).isZero();
    assertThat(node.begin(next)).isEqualTo(Duration.ofSeconds(1));
    // It was right, or nobody could say.
    node.over(first);
    assertThat(node.begin(next)).isZero();
    node.failing(next);
    node.over(next);
    assertThat(node.begin(last)).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void logInsAtOnceDoNotWaitForEachOtherWhereThereWasNoLock() throws UsersUnavailable {
    for (int i = 0; i < 4; i++) {
      fail(node, "alice", THERE);
    }
    for (int i = 0; i < 20; i++) {
      LoginGuard.Pass pass = ((LoginGuard.Gate.Open) node.admit("alice", THERE)).pass();
      assertThat(node.begin(pass)).isZero();
      Trials.held();
    }
  }

  @Test
  void ofGuessesAtCodesFromManyAddressesAtOnceNoMoreAreJudgedThanMayFail() throws UsersUnavailable {
    List<LoginGuard.Pass> judging = codesAtOnce(20);
    assertThat(judging).hasSize(5);
    // One was right, or nobody could say: another may try in its place.
    node.judged(judging.removeFirst());
    List<LoginGuard.Pass> more = codesAtOnce(20);
    assertThat(more).hasSize(1);
    judging.addAll(more);

    for (LoginGuard.Pass pass : judging) {
      node.failing(pass);
      node.judged(pass);
      assertThat(codesAtOnce(20)).as("let in while failures are not written down").isEmpty();
      Trials.held(20);
    }
    for (LoginGuard.Pass pass : judging) {
      node.failed(pass);
    }
    clock.advance(Duration.ofSeconds(31));
    assertThat(codesAtOnce(20)).as("one after the lock").hasSize(1);
  }

  /** Those that are let in, of so many that ask before any is judged. */
  private List<LoginGuard.Pass> codesAtOnce(int many) throws UsersUnavailable {
    List<LoginGuard.Pass> judging = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      LoginGuard.Pass password = ((LoginGuard.Gate.Open) node.admit("alice", elsewhere())).pass();
      if (node.admitCode(password) instanceof LoginGuard.Gate.Open(LoginGuard.Pass pass)) {
        judging.add(pass);
      }
    }
    return judging;
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
    assertThat(stores[0].find(List.of("a:1", "u:2"), "p:3").of("a:1").failures()).isEqualTo(40);
  }

  @Test
  void aLockThatIsKnownCostsNoLookAtTheStore() throws UsersUnavailable {
    for (int i = 0; i < 5; i++) {
      fail(node, "alice", THERE);
    }
    store.close();
    assertThat(locked(node, "alice", THERE)).isPositive();
    assertThatExceptionOfType(UsersUnavailable.class)
        .isThrownBy(() -> node.admit("bob", elsewhere()));
  }

  @Test
  void aClockThatWasAheadLocksNobodyForDays() throws UsersUnavailable {
    clock.advance(Duration.ofDays(300));
    for (int i = 0; i < 7; i++) {
      fail(node, "alice", THERE);
      clock.advance(Duration.ofMinutes(2));
    }
    clock.advance(Duration.ofDays(-300));
    assertThat(locked(other, "alice", THERE)).isZero();
    assertThat(fail(other, "alice", THERE)).isTrue();
    assertThat(locked(other, "alice", THERE)).as("counted from the start").isZero();
  }

  @Test
  void attemptsOfAnAddressAreLimitedByRateWhateverTheirOutcome() throws UsersUnavailable {
    LoginGuard limited =
        guard(new GuardSettings(NO_LIMIT.user(), NO_LIMIT.strangers(), NO_LIMIT.address(), 2, 10));
    InetAddress from = address("192.0.2.7");
    for (int i = 0; i < 10; i++) {
      assertThat(limited.admit("u" + i, from)).isInstanceOf(LoginGuard.Gate.Open.class);
      Trials.held();
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

  // --- others' guesses -------------------------------------------------------------------------

  private static void logIn(LoginGuard guard, String user, InetAddress from)
      throws UsersUnavailable {
    if (guard.admit(user, from) instanceof LoginGuard.Gate.Open(LoginGuard.Pass pass)) {
      guard.succeeded(pass);
    } else {
      throw new AssertionError(user + " is locked");
    }
  }

  @Test
  void guessesFromOneAddressKeepNobodyOutElsewhereHoweverLong() throws UsersUnavailable {
    int guesses = 0;
    for (int minute = 0; minute < 24 * 60; minute++) {
      guesses += fail(minute % 2 == 0 ? node : other, "admin", THERE) ? 1 : 0;
      assertThat(locked(node, "admin", HOME)).as("minute " + minute).isZero();
      clock.advance(Duration.ofMinutes(1));
    }
    assertThat(guesses).as("passwords tried in a day").isBetween(10, 130);
  }

  /** Whatever an attacker has in addresses, and however often the user logs in meanwhile. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 30, 100_000})
  void guessesFromManyAddressesAreBoundedByTheHourAndTheDay(int addresses) throws UsersUnavailable {
    logIn(node, "admin", HOME);
    int guesses = 0;
    int firstHour = 0;
    for (int i = 0; i < 24 * 60 * 4; i++) {
      InetAddress from = address("10.1." + i % addresses / 250 % 250 + "." + i % addresses % 250);
      // As if each address were the attacker's whole speed, until it is refused.
      while (fail(i % 2 == 0 ? node : other, "admin", from)) {
        guesses++;
      }
      if (i == 60 * 4) {
        firstHour = guesses;
      }
      if (i % 40 == 0) {
        logIn(other, "admin", HOME);
      }
      clock.advance(Duration.ofSeconds(15));
    }
    int most = NO_LIMIT.strangers().failures();
    // Of the locks 30 s, 1, 2, 4, 8 and 15 minutes long an hour has room for eight, half a day for
    // 51.
    assertThat(firstHour).isBetween(5, most + 8);
    assertThat(guesses).isBetween(10, 2 * (most + 51));
  }

  @Test
  void addressFromWhichTheUserLoggedInIsNotAskedAboutOthersGuesses() throws UsersUnavailable {
    logIn(node, "alice", HOME);
    for (int i = 0; i < 100; i++) {
      assertThat(fail(node, "alice", elsewhere())).isTrue();
    }
    for (LoginGuard each : List.of(node, other, guard(NO_LIMIT))) {
      assertThat(each.admit("alice", elsewhere()))
          .isEqualTo(new LoginGuard.Gate.Closed(Duration.ofSeconds(30), LoginReason.USER_LOCKED));
      assertThat(locked(each, "alice", HOME)).isZero();
      assertThat(locked(each, "bob", elsewhere())).as("nobody else waits").isZero();
    }
    logIn(other, "alice", HOME);
    assertThat(locked(node, "alice", elsewhere())).as("nothing is forgiven to others").isPositive();
    for (int i = 0; i < 5; i++) {
      assertThat(fail(other, "alice", HOME)).isTrue();
    }
    assertThat(locked(node, "alice", HOME)).as("who guesses there").isPositive();
  }

  @Test
  void addressIsForgottenAfterNinetyDaysWithoutALogin() throws UsersUnavailable {
    logIn(node, "alice", HOME);
    clock.advance(Duration.ofDays(80));
    logIn(other, "alice", HOME);
    clock.advance(Duration.ofDays(80));
    node.deleteOld();
    for (int i = 0; i < 100; i++) {
      fail(node, "alice", elsewhere());
    }
    assertThat(locked(guard(NO_LIMIT), "alice", HOME)).isZero();
    clock.advance(Duration.ofDays(11));
    for (int i = 0; i < 100; i++) {
      fail(node, "alice", elsewhere());
    }
    assertThat(locked(guard(NO_LIMIT), "alice", HOME)).isPositive();
    assertThat(node.deleteOld()).isPositive();
  }

  @Test
  void ofGuessesFromManyAddressesAtOnceNoMoreGoOnThanMayFail() throws UsersUnavailable {
    List<LoginGuard.Pass> passes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      passes.add(((LoginGuard.Gate.Open) node.admit("alice", elsewhere())).pass());
    }
    int guessed = 0;
    for (LoginGuard.Pass pass : passes) {
      if (node.lockedMeanwhile(pass).isZero()) {
        guessed++;
        node.failing(pass);
      }
    }
    assertThat(guessed).isEqualTo(100);
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
