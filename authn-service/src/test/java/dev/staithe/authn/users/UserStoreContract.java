package dev.staithe.authn.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.staithe.testkit.MutableClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds on every database. */
abstract class UserStoreContract {
  private static final byte[] PASSWORD = "a long enough one".getBytes(UTF_8);

  private TestStore store;
  private JdbcUsers users;
  private SecondFactors factors;
  private UserAdministration administration;

  abstract TestStore newStore();

  @BeforeEach
  void open() {
    store = newStore();
    Database database = store.database();
    users = new JdbcUsers(database);
    factors = new SecondFactors(database);
    administration =
        new UserAdministration(
            database,
            users,
            factors,
            TestStore.MARKED,
            MutableClock.at(Instant.parse("2026-11-21T10:00:00Z")),
            "");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewUser alice() {
    return new NewUser(
        "Alice", "Alice Ä.", "alice@example.org", Set.of("/physics/analysis", "/physics"), true);
  }

  @Test
  void whoIsCreatedIsFoundInAnySpelling() throws UsersUnavailable {
    AdministrationOutcome created = administration.create(alice(), PASSWORD);
    Account account =
        new Account(
            "alice",
            "Alice Ä.",
            "alice@example.org",
            Account.sorted(Set.of("/physics", "/physics/analysis")),
            true,
            false,
            users.find("alice").orElseThrow().subject());
    assertThat(created).isEqualTo(new AdministrationOutcome.Done(account));
    assertThat(users.find("ALICE")).contains(account);
    assertThat(users.findWithHash("alice").orElseThrow().passwordHash())
        .isEqualTo("marked:a long enough one");
    assertThat(users.count()).isEqualTo(1);
    assertThat(users.list("/physics", "", 10)).extracting(Account::name).containsExactly("alice");
  }

  @Test
  void nobodyIsFoundByWhatIsNoName() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    assertThat(users.find("alice' OR '1'='1")).isEmpty();
    assertThat(users.find("alic%")).isEmpty();
    assertThat(users.find("")).isEmpty();
    assertThat(users.find("bob")).isEmpty();
  }

  @Test
  void aSecondOfTheSameNameIsRefusedAndChangesNothing() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    assertThat(administration.create(new NewUser("aLice", "", null, Set.of(), false), null))
        .isEqualTo(new AdministrationOutcome.Exists("alice"));
    assertThat(users.find("alice").orElseThrow().enabled()).isTrue();
  }

  @Test
  void ofManyWhoCreateTheSameNameOneSucceeds() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<AdministrationOutcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        outcomes.add(threads.submit(() -> administration.create(alice(), PASSWORD)));
      }
      int created = 0;
      for (Future<AdministrationOutcome> outcome : outcomes) {
        switch (outcome.get()) {
          case AdministrationOutcome.Done done -> created++;
          case AdministrationOutcome.Exists exists -> {}
          default -> throw new AssertionError(outcome.get());
        }
      }
      assertThat(created).isEqualTo(1);
    }
  }

  @Test
  void badInputIsRefusedWithAReason() {
    assertThat(administration.create(new NewUser("a b", "", null, Set.of(), true), null))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
    assertThat(administration.create(new NewUser("a", "", null, Set.of("physics"), true), null))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
    assertThat(administration.create(new NewUser("a", "x\ny", null, Set.of(), true), null))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
    assertThat(administration.create(new NewUser("a", "x".repeat(201), null, Set.of(), true), null))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
    assertThat(administration.create(alice(), "short".getBytes(UTF_8)))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
    assertThat(administration.importHash("a", "{CLEAR}secret"))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
  }

  @Test
  void aChangeTouchesOnlyWhatItNames() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    administration.change("alice", UserChange.enabled(false));
    Account disabled = users.find("alice").orElseThrow();
    assertThat(disabled.enabled()).isFalse();
    assertThat(disabled.groups()).containsExactly("/physics", "/physics/analysis");

    administration.change("alice", new UserChange("Al", "", null, Set.of("/x")));
    Account changed = users.find("alice").orElseThrow();
    assertThat(changed)
        .isEqualTo(
            new Account(
                "alice",
                "Al",
                null,
                Account.sorted(Set.of("/x")),
                false,
                false,
                disabled.subject()));
    assertThat(administration.change("nobody", UserChange.enabled(true)))
        .isInstanceOf(AdministrationOutcome.Unknown.class);
  }

  /** Or tokens and UserInfo would say that the address is the empty text. */
  @Test
  void whoIsCreatedWithAnEmptyMailAddressHasNone() throws UsersUnavailable {
    administration.create(new NewUser("alice", "Alice", "", Set.of(), true), null);

    assertThat(users.find("alice").orElseThrow().mail()).isNull();
  }

  @Test
  void groupsAreAddedAndRemovedOneByOneAndTwiceIsOnce() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    administration.addToGroup("alice", "/a");
    administration.addToGroup("alice", "/a");
    administration.removeFromGroup("alice", "/physics");
    administration.removeFromGroup("alice", "/physics");
    assertThat(users.find("alice").orElseThrow().groups())
        .containsExactly("/a", "/physics/analysis");
  }

  @Test
  void passwordsAreSetAndHashesImported() throws UsersUnavailable {
    administration.create(alice(), null);
    assertThat(users.findWithHash("alice").orElseThrow().passwordHash()).isNull();
    assertThat(administration.setPassword("Alice", "another long one".getBytes(UTF_8)))
        .isInstanceOf(AdministrationOutcome.Done.class);
    assertThat(users.findWithHash("alice").orElseThrow().passwordHash())
        .isEqualTo("marked:another long one");
    administration.importHash("alice", "marked:x");
    assertThat(users.findWithHash("alice").orElseThrow().passwordHash()).isEqualTo("marked:x");
    assertThat(administration.setPassword("nobody", PASSWORD))
        .isInstanceOf(AdministrationOutcome.Unknown.class);
  }

  @Test
  void anUpgradeDoesNotUndoAPasswordThatWasChangedMeanwhile() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    administration.setPassword("alice", "another long one".getBytes(UTF_8));
    assertThat(users.upgradeHash("alice", "marked:a long enough one", "new")).isFalse();
    assertThat(users.upgradeHash("alice", "marked:another long one", "new")).isTrue();
    assertThat(users.findWithHash("alice").orElseThrow().passwordHash()).isEqualTo("new");
  }

  @Test
  void whoIsDeletedLeavesNothingToANamesake() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    factors.begin("alice", new byte[] {1});
    factors.confirm("alice", new byte[] {1}, 5, List.of("h"));
    assertThat(users.find("alice").orElseThrow().hasSecondFactor()).isTrue();
    assertThat(administration.delete("alice")).isInstanceOf(AdministrationOutcome.Done.class);
    assertThat(administration.delete("alice")).isInstanceOf(AdministrationOutcome.Unknown.class);

    administration.create(new NewUser("alice", "", null, Set.of(), true), null);
    Account namesake = users.find("alice").orElseThrow();
    assertThat(namesake)
        .isEqualTo(
            new Account(
                "alice", "alice", null, Account.sorted(Set.of()), true, false, namesake.subject()));
    administration.delete("alice");
  }

  /** What services keep by a subject is never another's, however often a name is given out. */
  @Test
  void subjectsAreOpaqueAndNeverGivenOutAgain() throws UsersUnavailable {
    Set<String> given = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      administration.create(alice(), PASSWORD);
      String subject = users.find("alice").orElseThrow().subject();
      assertThat(subject).doesNotContain("alice").hasSize(36);
      assertThat(given.add(subject)).as("a new one").isTrue();
      administration.change("alice", UserChange.enabled(false));
      administration.setPassword("alice", "another long one".getBytes(UTF_8));
      assertThat(users.findBySubject(subject)).isEqualTo(users.find("alice"));
      assertThat(users.find("alice").orElseThrow().subject()).isEqualTo(subject);
      administration.delete("alice");
      assertThat(users.findBySubject(subject)).as("nobody any more").isEmpty();
    }
    assertThat(users.findBySubject("alice")).isEmpty();
  }

  /** Who was made when subjects were names keeps that one; a namesake does not get it. */
  @Test
  void whoGoesByTheNameSinceBeforeKeepsItAndNobodyElseGetsIt() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    store.database().ask(client -> client.sql("UPDATE user_end SET sub = NULL").update());
    assertThat(users.find("alice").orElseThrow().subject()).isEqualTo("alice");
    administration.setPassword("alice", "another long one".getBytes(UTF_8));
    assertThat(users.find("alice").orElseThrow().subject()).isEqualTo("alice");
    administration.delete("alice");
    administration.create(alice(), PASSWORD);
    assertThat(users.find("alice").orElseThrow().subject()).isNotEqualTo("alice").hasSize(36);
  }

  @Test
  void whoeverIsRenamedIsTheSameAndWhoeverGetsTheOldNameAnother() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    administration.create(new NewUser("bob", "", null, Set.of(), true), null);
    Account before = users.find("alice").orElseThrow();
    factors.begin("alice", new byte[] {1});
    factors.confirm("alice", new byte[] {1}, 7, List.of("x"));

    assertThat(administration.rename("alice", "Bob"))
        .isEqualTo(new AdministrationOutcome.Exists("bob"));
    assertThat(administration.rename("alice", "a b"))
        .isInstanceOf(AdministrationOutcome.Invalid.class);
    assertThat(administration.rename("nobody", "carol"))
        .isInstanceOf(AdministrationOutcome.Unknown.class);
    assertThat(administration.rename("Alice", "Carol"))
        .isInstanceOf(AdministrationOutcome.Done.class);

    StoredUser carol = users.findWithHash("carol").orElseThrow();
    assertThat(carol.account().subject()).isEqualTo(before.subject());
    assertThat(carol.account().groups()).isEqualTo(before.groups());
    assertThat(carol.account().displayName()).isEqualTo("Alice Ä.");
    assertThat(carol.account().hasSecondFactor()).isTrue();
    assertThat(carol.passwordHash()).isEqualTo("marked:a long enough one");
    assertThat(factors.recoveryCodes("carol")).isEqualTo(1);
    assertThat(factors.find("carol").orElseThrow().sealedFor()).isEqualTo("alice");
    assertThat(users.findBySubject(before.subject())).contains(carol.account());
    assertThat(users.find("alice")).isEmpty();

    administration.create(alice(), PASSWORD);
    Account namesake = users.find("alice").orElseThrow();
    assertThat(namesake.subject()).isNotEqualTo(before.subject());
    assertThat(namesake.hasSecondFactor()).isFalse();
  }

  /** Entries of a directory, whose names pass from one to another and back. */
  @Test
  void subjectsOfADirectoryFollowTheEntryAndSoDoSecondFactors() throws UsersUnavailable {
    List<String> ended = new ArrayList<>();
    DirectorySubjects subjects =
        new DirectorySubjects(
            store.database(), MutableClock.at(Instant.parse("2026-11-21T10:00:00Z")), ended::add);
    String one = subjects.bind(new DirectorySubjects.Entry("1", "ada", null)).subject();
    assertThat(subjects.bind(new DirectorySubjects.Entry("1", "ada", null)))
        .isEqualTo(new DirectorySubjects.Bound(one, false));
    factors.begin("ada", new byte[] {1});
    factors.confirm("ada", new byte[] {1}, 7, List.of("x"));

    // Another gets the name, then the two swap.
    String other = subjects.bind(new DirectorySubjects.Entry("2", "ada", null)).subject();
    assertThat(other).isNotEqualTo(one);
    assertThat(factors.has("ada")).isFalse();
    assertThat(subjects.nameOf(one)).as("until it is seen under another name").isEmpty();
    assertThat(subjects.bind(new DirectorySubjects.Entry("2", "eve", null)).subject())
        .isEqualTo(other);
    assertThat(subjects.bind(new DirectorySubjects.Entry("1", "ada", null)))
        .isEqualTo(new DirectorySubjects.Bound(one, true));
    assertThat(factors.has("ada")).isTrue();
    assertThat(factors.recoveryCodes("ada")).isEqualTo(1);
    assertThat(factors.has("eve")).isFalse();
    assertThat(subjects.nameOf(other)).contains("eve");
    assertThat(ended).containsExactly("ada", "ada", "eve", "ada", "ada");
  }

  @Test
  void entryWithTheNameOfARelationalUserEndsNothingOfThatOne() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    Instant since = users.findWithHash("alice").orElseThrow().since();
    List<String> ended = new ArrayList<>();
    DirectorySubjects subjects =
        new DirectorySubjects(
            store.database(), MutableClock.at(Instant.parse("2126-11-21T10:00:00Z")), ended::add);

    subjects.bind(new DirectorySubjects.Entry("1", "alice", null));

    assertThat(ended).isEmpty();
    assertThat(users.findWithHash("alice").orElseThrow().since()).isEqualTo(since);
  }

  @Test
  void ofManyNodesThatSeeAnEntryFirstAllGiveItOneSubject() throws Exception {
    DirectorySubjects subjects = store.subjects();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<String>> given = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        given.add(
            threads.submit(
                () -> subjects.bind(new DirectorySubjects.Entry("1", "ada", null)).subject()));
      }
      Set<String> all = new HashSet<>();
      for (Future<String> each : given) {
        all.add(each.get());
      }
      assertThat(all).hasSize(1);
    }
  }

  @Test
  void listsArePagesInTheOrderOfNames() throws UsersUnavailable {
    for (String name : List.of("carol", "alice", "bob", "dave", "eve")) {
      Set<String> groups = name.equals("carol") ? Set.of("/g") : Set.of("/g", "/g-" + name);
      administration.create(new NewUser(name, "", null, groups, true), null);
    }
    for (String group : List.of("", "/g")) {
      assertThat(users.list(group, "", 2))
          .extracting(Account::name)
          .containsExactly("alice", "bob");
      List<Account> second = users.list(group, "bob", 2);
      assertThat(second).extracting(Account::name).containsExactly("carol", "dave");
      assertThat(second.getFirst().groups()).containsExactly("/g");
      assertThat(second.getLast().groups()).containsExactlyInAnyOrder("/g", "/g-dave");
      assertThat(users.list(group, "eve", 2)).isEmpty();
    }
    assertThat(users.list("/g-eve", "", 2)).extracting(Account::name).containsExactly("eve");
    assertThat(users.list("/nobody", "", 2)).isEmpty();
  }

  // --- second factors --------------------------------------------------------------------------

  @Test
  void aPendingSecretIsNotInUseAndDoesNotReplaceOne() throws UsersUnavailable {
    factors.begin("bob", new byte[] {1});
    assertThat(factors.has("bob")).isFalse();
    assertThat(factors.useStep("bob", 100)).isFalse();
    assertThat(factors.confirm("bob", new byte[] {1}, 7, List.of("x", "y"))).isTrue();
    factors.begin("bob", new byte[] {2});
    assertThat(factors.find("bob").orElseThrow().secret()).containsExactly(1);
    assertThat(factors.confirm("bob", new byte[] {3}, 8, List.of())).isFalse();
    assertThat(factors.recoveryCodes("bob")).isEqualTo(2);
  }

  @Test
  void aStepIsUsedOnceByAllNodesTogether() throws Exception {
    factors.begin("bob", new byte[] {1});
    factors.confirm("bob", new byte[] {1}, 7, List.of());
    SecondFactors other = new SecondFactors(store.database());
    assertThat(factors.useStep("bob", 7)).as("that confirmed it").isFalse();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> used = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        SecondFactors node = i % 2 == 0 ? factors : other;
        used.add(threads.submit(() -> node.useStep("bob", 8)));
      }
      int successes = 0;
      for (Future<Boolean> each : used) {
        successes += each.get() ? 1 : 0;
      }
      assertThat(successes).isEqualTo(1);
    }
    assertThat(factors.useStep("bob", 6)).as("an older one").isFalse();
  }

  @Test
  void aRecoveryCodeIsUsedOnce() throws UsersUnavailable {
    factors.begin("bob", new byte[] {1});
    factors.confirm("bob", new byte[] {1}, 7, List.of("x", "y"));
    assertThat(factors.useRecoveryCode("bob", "z")).isFalse();
    assertThat(factors.useRecoveryCode("alice", "x")).isFalse();
    assertThat(factors.useRecoveryCode("bob", "x")).isTrue();
    assertThat(factors.useRecoveryCode("bob", "x")).isFalse();
    assertThat(factors.remove("bob")).isTrue();
    assertThat(factors.useRecoveryCode("bob", "y")).isFalse();
  }

  // --- trouble ---------------------------------------------------------------------------------

  @Test
  void aStoreThatIsDownIsToldAsSuchAndWithoutValues() {
    store.close();
    assertThatExceptionOfType(UsersUnavailable.class)
        .isThrownBy(() -> users.find("alice"))
        .withMessageMatching("user store: [A-Za-z]+");
    assertThat(administration.create(alice(), PASSWORD))
        .isInstanceOf(AdministrationOutcome.Unavailable.class);
  }

  @Test
  void whatHoldsSecretsDoesNotShowThem() throws UsersUnavailable {
    administration.create(alice(), PASSWORD);
    assertThat(users.findWithHash("alice").orElseThrow().toString()).doesNotContain("marked");
    Optional<LdapSettings.Reader> reader = Optional.of(new LdapSettings.Reader("cn=x", "secret"));
    assertThat(reader.toString()).doesNotContain("secret");
  }
}
