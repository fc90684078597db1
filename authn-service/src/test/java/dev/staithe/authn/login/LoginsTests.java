package dev.staithe.authn.login;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.HashProfile;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.password.PooledHashing;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.TestStore;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LoginsTests {
  /** So that a failed assertion is not waited for by those who are held. */
  private interface Releasing extends AutoCloseable {
    @Override
    void close();
  }

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String PASSWORD = "alice's own password";
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final byte[] KEY = new byte[32];

  private final TestStore store = TestStore.h2();
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private final List<LoginEvent> events = Collections.synchronizedList(new ArrayList<>());
  private final List<Node> nodes = new ArrayList<>();
  private Node node;

  /** One of those that share the store. */
  private final class Node {
    final PasswordHash passwords;
    final HashPool pool;
    final JdbcUsers users;
    final UserAdministration administration;
    final OneTimeCodes codes;
    final LoginGuard guard;
    final Logins logins;

    Node(HashProfile profile, int queue, LoginSettings settings) {
      this(profile, queue, settings, clock);
    }

    Node(HashProfile profile, int queue, LoginSettings settings, Clock ofCodes) {
      Database database = store.database();
      SecondFactors factors = new SecondFactors(database);
      passwords = new PasswordHash(profile, RANDOM);
      pool = new HashPool(1, queue);
      users = new JdbcUsers(database);
      administration =
          new UserAdministration(
              database, users, factors, new PooledHashing(pool, passwords), clock, "");
      codes =
          new OneTimeCodes(
              factors,
              new SecretBox(List.of(new SecretKeySpec(KEY, "AES")), RANDOM),
              "tests",
              ofCodes,
              RANDOM);
      GuardSettings defaults = GuardSettings.DEFAULT;
      guard =
          new LoginGuard(
              new GuardSettings(defaults.user(), defaults.strangers(), defaults.address(), 0, 1),
              database,
              clock);
      logins =
          new Logins(
              new UserDirectory(users, null, "", List.of()),
              passwords,
              pool,
              guard,
              codes,
              settings,
              events::add);
      nodes.add(this);
    }

    LoginResult login(String user, String password) {
      return login(user, password, null, false);
    }

    LoginResult login(String user, String password, @Nullable String code, boolean secondFactor) {
      try (Secret secret = Secret.of(password)) {
        return logins.login(new Attempt(user, secret, code, HERE, secondFactor));
      }
    }
  }

  @BeforeEach
  void start() {
    node = new Node(HashProfile.OWASP, 30, LoginSettings.DEFAULT);
    assertThat(
            node.administration.create(
                new NewUser("alice", "Alice", null, Set.of("/physics"), true),
                PASSWORD.getBytes(UTF_8)))
        .isInstanceOf(AdministrationOutcome.Done.class);
  }

  @AfterEach
  void stop() {
    nodes.forEach(each -> each.pool.close());
    store.close();
  }

  private LoginReason lastReason() {
    return events.getLast().reason();
  }

  // --- passwords -------------------------------------------------------------------------------

  @Test
  void theRightPasswordIsAccepted() {
    assertThat(node.login("Alice", PASSWORD))
        .isInstanceOfSatisfying(
            LoginResult.Accepted.class,
            accepted -> {
              assertThat(accepted.account().name()).isEqualTo("alice");
              assertThat(accepted.account().groups()).containsExactly("/physics");
              assertThat(accepted.assurance()).isEqualTo(Assurance.PASSWORD);
            });
    assertThat(node.logins.count(LoginEvent.Outcome.ACCEPTED)).isEqualTo(1);
    assertThat(events.getLast().user()).isEqualTo("alice");
    assertThat(events.getLast().address()).isEqualTo(HERE);
    assertThat(events.getLast().reason()).isEqualTo(LoginReason.PASSWORD);
  }

  @Test
  void unknownWrongAndDisabledGetOneAnswerForTheSameWork() {
    node.administration.create(
        new NewUser("bob", "", null, Set.of(), false), PASSWORD.getBytes(UTF_8));
    node.administration.create(new NewUser("carol", "", null, Set.of(), true), null);
    String[][] attempts = {
      {"alice", "wrong password", "WRONG_PASSWORD"},
      {"nobody", PASSWORD, "UNKNOWN_USER"},
      {"no name", PASSWORD, "UNKNOWN_USER"},
      {"alice\0", PASSWORD, "UNKNOWN_USER"},
      {"bob", PASSWORD, "DISABLED"},
      {"carol", PASSWORD, "WRONG_PASSWORD"},
    };
    for (String[] attempt : attempts) {
      long before = node.passwords.derivations();
      assertThat(node.login(attempt[0], attempt[1])).isEqualTo(new LoginResult.Refused());
      assertThat(node.passwords.derivations() - before).as(attempt[0]).isEqualTo(1);
      assertThat(lastReason()).isEqualTo(LoginReason.valueOf(attempt[2]));
      Trials.held();
    }
  }

  @Test
  void whatCannotBeANameIsNotWrittenToTheAudit() {
    node.login("my password, in the wrong field", "x");
    assertThat(events.getLast().user()).isEqualTo("?");
  }

  @Test
  void anEmptyOrEndlessPasswordIsRefusedWithoutAHash() {
    long before = node.passwords.derivations();
    assertThat(node.login("alice", "")).isEqualTo(new LoginResult.Refused());
    assertThat(node.login("alice", "x".repeat(513))).isEqualTo(new LoginResult.Refused());
    assertThat(node.login("nobody", "x".repeat(1_000_000))).isEqualTo(new LoginResult.Refused());
    assertThat(node.passwords.derivations()).isEqualTo(before);
  }

  @Test
  void aHashOfAnotherSystemIsRenewedAtTheFirstGoodLoginOnly() throws UsersUnavailable {
    String legacy = new PasswordHash(HashProfile.PAPER, RANDOM).make(PASSWORD.getBytes(UTF_8));
    node.administration.importHash("alice", legacy);
    node.login("alice", "wrong password");
    assertThat(node.users.findWithHash("alice").orElseThrow().passwordHash()).isEqualTo(legacy);
    assertThat(node.login("alice", PASSWORD)).isInstanceOf(LoginResult.Accepted.class);
    String renewed = node.users.findWithHash("alice").orElseThrow().passwordHash();
    assertThat(renewed).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
    assertThat(node.login("alice", PASSWORD)).isInstanceOf(LoginResult.Accepted.class);
    assertThat(node.users.findWithHash("alice").orElseThrow().passwordHash()).isEqualTo(renewed);
    assertThat(node.logins.upgrades()).isEqualTo(1);
  }

  @Test
  void aRowThatAsksForMuchMemoryIsRefusedLikeAWrongPassword() throws Exception {
    try (var connection = store.source().getConnection();
        var update = connection.createStatement()) {
      update.executeUpdate(
          "UPDATE users SET password_hash = '$argon2id$v=19$m=4194304,t=1,p=1"
              + "$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw'");
    }
    assertThat(node.login("alice", PASSWORD)).isEqualTo(new LoginResult.Refused());
    assertThat(lastReason()).isEqualTo(LoginReason.UNUSABLE_HASH);
  }

  @Test
  void secretsAreWipedAndNotShown() {
    Secret secret = Secret.of("visible");
    byte[] bytes = secret.bytes();
    Attempt attempt = new Attempt("name-or-password", secret, "123456", HERE, false);
    assertThat(secret.toString() + attempt).doesNotContain("visible", "123456", "name-or-password");
    secret.close();
    assertThat(bytes).containsOnly(0);
  }

  // --- guesses ---------------------------------------------------------------------------------

  @Test
  void aLockedUserIsRefusedOnAllNodesWithoutAHashEvenWithTheRightPassword() {
    Node other = new Node(HashProfile.OWASP, 30, LoginSettings.DEFAULT);
    for (int i = 0; i < 5; i++) {
      assertThat(node.login("alice", "guess " + i)).isEqualTo(new LoginResult.Refused());
    }
    long before = other.passwords.derivations();
    assertThat(other.login("ALICE", PASSWORD))
        .isEqualTo(new LoginResult.Locked(Duration.ofSeconds(30)));
    assertThat(other.passwords.derivations()).isEqualTo(before);
    clock.advance(Duration.ofSeconds(31));
    assertThat(other.login("alice", PASSWORD)).isInstanceOf(LoginResult.Accepted.class);
    assertThat(node.login("alice", "one typo")).isEqualTo(new LoginResult.Refused());
    assertThat(node.login("alice", PASSWORD)).isInstanceOf(LoginResult.Accepted.class);
  }

  @Test
  void aNameThatNobodyHasLooksLockedLikeOneThatSomebodyHas() {
    for (int i = 0; i < 5; i++) {
      node.login("alice", "guess");
      node.login("nobody", "guess");
    }
    assertThat(node.login("nobody", "guess"))
        .isEqualTo(node.login("alice", "guess"))
        .isInstanceOf(LoginResult.Locked.class);
  }

  @Test
  void ofManyGuessesAtOnceOnlyFiveAreHashed() throws Exception {
    long before = node.passwords.derivations();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LoginResult>> results = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        String guess = "guess " + i;
        results.add(threads.submit(() -> node.login("alice", guess)));
        Trials.held();
      }
      int refused = 0;
      for (Future<LoginResult> result : results) {
        refused += result.get() instanceof LoginResult.Refused ? 1 : 0;
      }
      assertThat(refused).isEqualTo(5);
    }
    assertThat(node.passwords.derivations() - before).isEqualTo(5);
  }

  // --- floods ----------------------------------------------------------------------------------

  @Test
  void whenTheQueueIsFullThenLoginsAreBusyWithoutAHash() throws Exception {
    Node small = new Node(HashProfile.PAPER, 2, LoginSettings.DEFAULT);
    CountDownLatch held = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      for (int i = 0; i < 3; i++) {
        threads.submit(
            () ->
                small.pool.run(
                    () -> {
                      try {
                        held.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      return "";
                    },
                    Duration.ofSeconds(30)));
        int submitted = i + 1;
        Eventually.holds(
            "it is there", () -> small.pool.running() + small.pool.queued() == submitted);
      }
      long before = small.passwords.derivations();
      for (int i = 0; i < 50; i++) {
        assertThat(small.login("alice", PASSWORD)).isInstanceOf(LoginResult.Busy.class);
        assertThat(lastReason()).isEqualTo(LoginReason.QUEUE_FULL);
      }
      assertThat(small.passwords.derivations()).isEqualTo(before);
      assertThat(small.pool.refused()).isEqualTo(50);
      Trials.held(small.pool.refused());
      // Not even the store is asked: that it is gone is not noticed.
      store.close();
      assertThat(small.login("alice", PASSWORD)).isInstanceOf(LoginResult.Busy.class);
      held.countDown();
    }
  }

  @Test
  void whoWaitsPastTheDeadlineIsTooLateAndNotHashed() throws Exception {
    Node hasty = new Node(HashProfile.PAPER, 5, new LoginSettings(Duration.ofMillis(10), true));
    CountDownLatch held = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      threads.submit(
          () ->
              hasty.pool.run(
                  () -> {
                    try {
                      held.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                    return "";
                  },
                  Duration.ofSeconds(30)));
      Eventually.holds("it runs", () -> hasty.pool.running() == 1);
      long before = hasty.passwords.derivations();
      assertThat(hasty.login("alice", PASSWORD)).isInstanceOf(LoginResult.Busy.class);
      assertThat(lastReason()).isEqualTo(LoginReason.TOO_LATE);
      held.countDown();
      assertThat(hasty.passwords.derivations()).isEqualTo(before);
    }
  }

  @Test
  void aStoreThatIsDownIsTold() {
    store.close();
    assertThat(node.login("alice", PASSWORD)).isInstanceOf(LoginResult.Unavailable.class);
    assertThat(lastReason()).isEqualTo(LoginReason.STORE_DOWN);
  }

  // --- second factors --------------------------------------------------------------------------

  private byte[] enrol() throws UsersUnavailable {
    node.codes.begin("alice");
    byte[] pending = new SecondFactors(store.database()).find("alice").orElseThrow().pending();
    byte[] secret =
        new SecretBox(List.of(new SecretKeySpec(KEY, "AES")), RANDOM)
            .open("alice", pending)
            .orElseThrow();
    node.codes.confirm("alice", code(secret));
    clock.advance(Duration.ofMinutes(5));
    return secret;
  }

  private String code(byte[] secret) {
    return Totp.code(secret, Totp.step(clock.instant().getEpochSecond()), Totp.DIGITS);
  }

  @Test
  void whoHasASecondFactorIsAskedForIt() throws UsersUnavailable {
    byte[] secret = enrol();
    assertThat(node.login("alice", PASSWORD)).isInstanceOf(LoginResult.SecondFactorNeeded.class);
    assertThat(node.login("alice", PASSWORD, code(secret), false))
        .isInstanceOfSatisfying(
            LoginResult.Accepted.class,
            accepted -> assertThat(accepted.assurance()).isEqualTo(Assurance.SECOND_FACTOR));
    Node relaxed = new Node(HashProfile.OWASP, 30, new LoginSettings(Duration.ofSeconds(5), false));
    assertThat(relaxed.login("alice", PASSWORD)).isInstanceOf(LoginResult.Accepted.class);
    assertThat(relaxed.login("alice", PASSWORD, null, true))
        .isInstanceOf(LoginResult.SecondFactorNeeded.class);
  }

  @Test
  void aCodeIsNotGoodOnASecondNode() throws UsersUnavailable {
    byte[] secret = enrol();
    Node other = new Node(HashProfile.OWASP, 30, LoginSettings.DEFAULT);
    assertThat(node.login("alice", PASSWORD, code(secret), true))
        .isInstanceOf(LoginResult.Accepted.class);
    assertThat(other.login("alice", PASSWORD, code(secret), true))
        .isEqualTo(new LoginResult.Refused());
    assertThat(lastReason()).isEqualTo(LoginReason.REPLAYED_CODE);
  }

  @Test
  void aRightCodeDoesNotHelpAWrongPasswordNorIsItUsedUp() throws UsersUnavailable {
    byte[] secret = enrol();
    assertThat(node.login("alice", "wrong password", code(secret), true))
        .isEqualTo(new LoginResult.Refused());
    assertThat(node.login("alice", PASSWORD, code(secret), true))
        .isInstanceOf(LoginResult.Accepted.class);
  }

  @Test
  void whoKnowsThePasswordCannotGuessCodesByBeingForgivenInBetween() throws UsersUnavailable {
    enrol();
    for (int i = 0; i < 5; i++) {
      assertThat(node.login("alice", PASSWORD, "00000" + i, true))
          .isEqualTo(new LoginResult.Refused());
      if (i < 4) {
        assertThat(node.login("alice", PASSWORD))
            .isInstanceOf(LoginResult.SecondFactorNeeded.class);
      }
      Trials.held();
    }
    assertThat(node.login("alice", PASSWORD, "999999", true))
        .isInstanceOf(LoginResult.Locked.class);
  }

  @Test
  void whoKnowsThePasswordCannotGuessCodesFromManyAddresses() throws Exception {
    enrol();
    int looked = 0;
    for (int i = 0; i < 30; i++) {
      InetAddress from = InetAddress.getByName("10.0.0." + (i + 1));
      looked +=
          node.logins.secondFactor("alice", null, "00000" + i % 10, from)
                  instanceof LoginResult.Refused
              ? 1
              : 0;
    }
    assertThat(looked).isEqualTo(5);
    assertThat(lastReason()).isEqualTo(LoginReason.USER_LOCKED);
  }

  /** Shows the time to nobody before the test lets it. */
  private final class HeldClock extends Clock {
    final AtomicInteger asked = new AtomicInteger();
    final CountDownLatch held = new CountDownLatch(1);

    @Override
    public Instant instant() {
      asked.incrementAndGet();
      try {
        held.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return clock.instant();
    }

    @Override
    public ZoneId getZone() {
      return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void ofManyCodesFromManyAddressesAtOnceFiveAreLookedAt() throws Exception {
    enrol();
    HeldClock held = new HeldClock();
    Node judging = new Node(HashProfile.OWASP, 30, LoginSettings.DEFAULT, held);
    List<Future<LoginResult>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held.held::countDown) {
      for (int i = 0; i < 30; i++) {
        String code = "00000" + i % 10;
        InetAddress from = InetAddress.getByName("10.0.0." + (i + 1));
        results.add(threads.submit(() -> judging.logins.secondFactor("alice", null, code, from)));
      }
      Eventually.holds(
          "all are refused or looked at",
          () -> held.asked.get() + results.stream().filter(Future::isDone).count() == 30);
      assertThat(held.asked).hasValue(5);
    }
    int refused = 0;
    for (Future<LoginResult> result : results) {
      refused += result.get() instanceof LoginResult.Refused ? 1 : 0;
      Trials.held();
    }
    assertThat(refused).isEqualTo(5);
    assertThat(judging.logins.count(LoginReason.WRONG_CODE)).isEqualTo(5);
  }

  @Test
  void codeThatNobodyCanJudgeIsNotCounted() throws UsersUnavailable {
    byte[] secret = enrol();
    OneTimeCodes otherKey =
        new OneTimeCodes(
            new SecondFactors(store.database()),
            new SecretBox(List.of(new SecretKeySpec(new byte[16], "AES")), RANDOM),
            "tests",
            clock,
            RANDOM);
    Logins broken =
        new Logins(
            new UserDirectory(node.users, null, "", List.of()),
            node.passwords,
            node.pool,
            node.guard,
            otherKey,
            LoginSettings.DEFAULT,
            events::add);
    for (int i = 0; i < 10; i++) {
      assertThat(broken.secondFactor("alice", null, code(secret), HERE))
          .isInstanceOf(LoginResult.Unavailable.class);
    }
    assertThat(node.logins.secondFactor("alice", null, code(secret), HERE))
        .isInstanceOf(LoginResult.Accepted.class);
  }

  @Test
  void whoHasNoSecondFactorIsToldWhereOneIsRequired() {
    assertThat(node.login("alice", PASSWORD, "123456", true))
        .isInstanceOf(LoginResult.SecondFactorNeeded.class);
    assertThat(lastReason()).isEqualTo(LoginReason.NOT_ENROLLED);
  }

  @Test
  void aDisabledUserIsRefusedWithAnyCode() throws UsersUnavailable {
    byte[] secret = enrol();
    node.administration.change("alice", UserChange.enabled(false));
    assertThat(node.login("alice", PASSWORD, code(secret), true))
        .isEqualTo(new LoginResult.Refused());
    assertThat(lastReason()).isEqualTo(LoginReason.DISABLED);
  }
}
