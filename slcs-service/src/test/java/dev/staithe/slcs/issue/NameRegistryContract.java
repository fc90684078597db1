package dev.staithe.slcs.issue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.slcs.issue.NameRegistry.Quota;
import dev.staithe.slcs.issue.NameRegistry.Registration;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.Identifier;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the tables promise, whichever database they are in. */
abstract class NameRegistryContract {
  private static final String EPPN = Identifier.Kind.PRINCIPAL_NAME.attribute();
  private static final String SUBJECT = Identifier.Kind.SUBJECT_ID.attribute();
  private static final String PAIRWISE = Identifier.Kind.PAIRWISE_ID.attribute();
  private static final Person ADA = new Person("urn:idp", "ada@example.org");
  private static final Person EVE = new Person("urn:idp", "eve@example.org");
  private static final DistinguishedName FIRST = DistinguishedName.parse("/DC=org/CN=Ada");
  private static final DistinguishedName SECOND = DistinguishedName.parse("/DC=org/CN=Ada Byron");

  final MutableClock clock = MutableClock.at(Instant.parse("2026-01-01T00:00:00Z"));

  abstract DataSource source();

  @BeforeEach
  void empty() {
    TestDatabase.empty(source());
  }

  private NameRegistry node() {
    return new NameRegistry(source(), 3, Duration.ofHours(1), clock);
  }

  @Test
  void personKeepsTheFirstNameWhateverTheRuleSaysLater() {
    assertThat(node().hold(ADA, FIRST, "ada")).isEqualTo(new Registration.Registered(FIRST));

    assertThat(node().hold(ADA, SECOND, "ada")).isEqualTo(new Registration.Registered(FIRST));
  }

  @Test
  void nameIsNeverGivenToAnotherPerson() {
    node().hold(ADA, FIRST, "ada");

    assertThat(node().hold(EVE, FIRST, "eve")).isEqualTo(new Registration.Taken());
    assertThat(node().hold(new Person("urn:other", ADA.id()), FIRST, "ada"))
        .as("the same person's name at another provider")
        .isEqualTo(new Registration.Taken());
  }

  @Test
  void nameThatDiffersOnlyInCaseOrSpacesIsTheSameName() {
    node().hold(ADA, FIRST, "ada");

    assertThat(node().hold(EVE, DistinguishedName.parse("/DC=org/CN=ADA"), "eve"))
        .isEqualTo(new Registration.Taken());
  }

  @Test
  void whoWasRefusedANameHoldsNone() {
    node().hold(ADA, FIRST, "ada");
    node().hold(EVE, FIRST, "eve");

    assertThat(node().hold(EVE, SECOND, "eve")).isEqualTo(new Registration.Registered(SECOND));
  }

  @Test
  void ofManyPeopleAtManyNodesWhoAskForOneNameAtOnceOneGetsIt() throws Exception {
    List<Callable<Registration>> asked = new ArrayList<>();
    var start = new CyclicBarrier(8);
    for (int i = 0; i < 8; i++) {
      var person = new Person("urn:idp", "p" + i + "@example.org");
      NameRegistry node = node();
      asked.add(
          () -> {
            start.await();
            return node.hold(person, FIRST, "p");
          });
      Trials.held();
    }

    assertThat(all(asked)).filteredOn(Registration.Registered.class::isInstance).hasSize(1);
  }

  @Test
  void ofManyNamesForOnePersonAtOnceOneIsKept() throws Exception {
    List<Callable<Registration>> asked = new ArrayList<>();
    var start = new CyclicBarrier(8);
    for (int i = 0; i < 8; i++) {
      DistinguishedName name = DistinguishedName.parse("/DC=org/CN=Ada " + i);
      NameRegistry node = node();
      asked.add(
          () -> {
            start.await();
            return node.hold(ADA, name, "ada");
          });
    }

    List<Registration> held = all(asked);
    assertThat(held)
        .hasOnlyElementsOfType(Registration.Registered.class)
        .containsOnly(held.getFirst());
  }

  private static <T> List<T> all(List<Callable<T>> asked) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> holdings = new ArrayList<>();
      for (Future<T> each : threads.invokeAll(asked)) {
        holdings.add(each.get());
      }
      return holdings;
    }
  }

  @Test
  void countOfAPersonHoldsForAllNodesAndEnds() {
    assertThat(node().take(EVE, SECOND, "eve")).isEqualTo(new Quota.Allowed(SECOND));
    for (int i = 0; i < 3; i++) {
      assertThat(node().take(ADA, FIRST, "ada")).isEqualTo(new Quota.Allowed(FIRST));
    }

    clock.advance(Duration.ofMinutes(20));
    assertThat(node().take(ADA, FIRST, "ada"))
        .isEqualTo(new Quota.Exceeded(Duration.ofMinutes(40)));
    assertThat(node().take(EVE, SECOND, "eve"))
        .as("another person")
        .isEqualTo(new Quota.Allowed(SECOND));

    clock.advance(Duration.ofMinutes(40));
    assertThat(node().take(ADA, FIRST, "ada")).isEqualTo(new Quota.Allowed(FIRST));
  }

  @Test
  void certificateIsCountedUnderTheNameThatIsKept() {
    node().hold(ADA, FIRST, "ada");

    assertThat(node().take(ADA, SECOND, "ada")).isEqualTo(new Quota.Allowed(FIRST));
    assertThat(node().take(EVE, FIRST, "eve")).isEqualTo(new Quota.Taken());
    assertThat(node().take(EVE, SECOND, "eve")).isEqualTo(new Quota.Allowed(SECOND));
  }

  @Test
  void ofManyRequestsOfAPersonAtOnceNoMoreThanAllowedAreCounted() throws Exception {
    List<Callable<Quota>> asked = new ArrayList<>();
    var start = new CyclicBarrier(8);
    for (int i = 0; i < 8; i++) {
      NameRegistry node = node();
      asked.add(
          () -> {
            start.await();
            return node.take(ADA, FIRST, "ada");
          });
    }

    List<Quota> turns = all(asked);
    assertThat(turns).filteredOn(Quota.Allowed.class::isInstance).hasSize(3);
    assertThat(turns).filteredOn(Quota.Exceeded.class::isInstance).hasSize(5);
  }

  // --- who people are --------------------------------------------------------------------------

  private static CampusIdentity told(Person at, String... kindsAndValues) {
    var all = new HashMap<String, List<String>>();
    for (int i = 0; i < kindsAndValues.length; i += 2) {
      all.put(kindsAndValues[i], List.of(kindsAndValues[i + 1]));
    }
    String principal = all.getOrDefault(EPPN, List.of("")).getFirst();
    return new CampusIdentity(at.provider(), "idp", principal, all, Instant.EPOCH, "");
  }

  private People people() {
    return new People(source());
  }

  /** As the second migration finds those who held a name before identifiers were kept. */
  private void heldBeforeIdentifiersWereKept(Person person, DistinguishedName name) {
    node().hold(person, name, person.id());
    JdbcClient.create(source())
        .sql(
            "INSERT INTO slcs_identifier (provider, id, kind, person)"
                + " SELECT provider, person, 'any', person FROM slcs_name WHERE person = ?")
        .param(person.id())
        .update();
  }

  @Test
  void whoHeldANameBeforeIdentifiersWereKeptKeepsItWhenTheCampusModernises() {
    heldBeforeIdentifiersWereKept(ADA, FIRST);

    // The first login since is one that tells more than before.
    assertThat(people().of(told(ADA, EPPN, ADA.id(), SUBJECT, "a-1@example.org")))
        .isEqualTo(new People.Lookup.Known(ADA));
    assertThat(people().of(told(ADA, SUBJECT, "a-1@example.org")))
        .isEqualTo(new People.Lookup.Known(ADA));
    // What it was is known by now: the principal name is no longer enough for another.
    assertThat(people().of(told(ADA, EPPN, ADA.id(), SUBJECT, "a-2@example.org")))
        .isInstanceOf(People.Lookup.New.class);
    assertThat(people().of(told(ADA, SUBJECT, ADA.id()))).isInstanceOf(People.Lookup.New.class);
    assertThat(people().find("ada", 9))
        .singleElement()
        .satisfies(
            shown ->
                assertThat(shown.identifiers())
                    .extracting(Identifier::value)
                    .containsExactlyInAnyOrder(ADA.id(), "a-1@example.org"));
  }

  @Test
  void whoHeldANameBeforeIdentifiersWereKeptKeepsItWithoutAnythingNew() {
    heldBeforeIdentifiersWereKept(ADA, FIRST);

    for (int i = 0; i < 2; i++) {
      assertThat(people().of(told(ADA, EPPN, ADA.id()))).isEqualTo(new People.Lookup.Known(ADA));
    }
    assertThat(people().of(told(ADA, EPPN, ADA.id(), PAIRWISE, "p-1@example.org")))
        .isEqualTo(new People.Lookup.Known(ADA));
    assertThat(people().of(told(ADA, PAIRWISE, "p-1@example.org")))
        .isEqualTo(new People.Lookup.Known(ADA));
  }

  /** As accounts of authn-service were, until it told their subjects. */
  @Test
  void whoWasKnownByAPrincipalNameAloneKeepsTheNameAndANamesakeOfLaterGetsNothingOfIt() {
    for (String subject : List.of("7f1c0b9e-2d1b-4c53-9d52-0a4ddcb7f1aa@example.org", ADA.id())) {
      TestDatabase.empty(source());
      node().hold(ADA, FIRST, "ada");
      people().keep(ADA, told(ADA, EPPN, ADA.id()).identifiers());

      assertThat(people().of(told(ADA, EPPN, ADA.id(), SUBJECT, subject)))
          .isEqualTo(new People.Lookup.Known(ADA));

      assertThat(people().of(told(ADA, EPPN, "ada.king@example.org", SUBJECT, subject)))
          .as("renamed")
          .isEqualTo(new People.Lookup.Known(ADA));
      CampusIdentity namesake = told(ADA, EPPN, ADA.id(), SUBJECT, "a-2@example.org");
      assertThat(people().of(namesake))
          .isEqualTo(new People.Lookup.New(new Person("urn:idp", "a-2@example.org")));
      assertThat(node().hold(Person.of(namesake), FIRST, "ada"))
          .isEqualTo(new Registration.Taken());
    }
  }

  @Test
  void principalNameThatCameToAThirdPersonGetsNothingOfTheSecond() {
    node().hold(ADA, FIRST, "ada");
    people().keep(ADA, told(ADA, EPPN, ADA.id(), PAIRWISE, "p-1@example.org").identifiers());
    CampusIdentity second = told(ADA, EPPN, ADA.id(), PAIRWISE, "p-2@example.org");
    Person held = ((People.Lookup.New) people().of(second)).person();
    node().hold(held, SECOND, "ada");
    people().keep(held, second.identifiers());

    assertThat(people().of(told(ADA, EPPN, ADA.id(), PAIRWISE, "p-3@example.org")))
        .isInstanceOfSatisfying(
            People.Lookup.New.class, found -> assertThat(found.person()).isNotIn(ADA, held));
    assertThat(people().of(second)).isEqualTo(new People.Lookup.Known(held));
  }

  @Test
  void peopleOfAProviderThatIsCalledOtherwiseKeepTheirNames() {
    Person moved = new Person("urn:becomes", ADA.id());
    node().hold(ADA, FIRST, "ada");
    people().keep(ADA, List.of(new Identifier(Identifier.Kind.SUBJECT_ID, "a-1@example.org")));
    node().hold(new Person("urn:other", "bob@example.org"), SECOND, "bob");

    assertThat(people().rename("urn:idp", "urn:becomes")).isEqualTo(1);

    assertThat(people().of(told(moved, SUBJECT, "a-1@example.org")))
        .isEqualTo(new People.Lookup.Known(moved));
    assertThat(people().of(told(ADA, SUBJECT, "a-1@example.org")))
        .isInstanceOf(People.Lookup.New.class);
    assertThat(node().hold(moved, SECOND, "ada")).isEqualTo(new Registration.Registered(FIRST));
    assertThat(people().rename("urn:idp", "urn:again")).as("nobody is left").isZero();
  }

  @Test
  void providersThatBothKnowAnIdentifierDoNotBecomeOne() {
    Person other = new Person("urn:other", EVE.id());
    node().hold(ADA, FIRST, "ada");
    node().hold(other, SECOND, "eve");
    var same = List.of(new Identifier(Identifier.Kind.SUBJECT_ID, "x-1@example.org"));
    people().keep(ADA, same);
    people().keep(other, same);

    assertThatThrownBy(() -> people().rename("urn:idp", "urn:other"))
        .isInstanceOf(DuplicateKeyException.class);

    assertThat(people().of(told(ADA, SUBJECT, "x-1@example.org")))
        .isEqualTo(new People.Lookup.Known(ADA));
    assertThat(people().of(told(other, SUBJECT, "x-1@example.org")))
        .isEqualTo(new People.Lookup.Known(other));
  }

  @Test
  void operatorsWordMovesAnIdentifierAndNothingElse() {
    node().hold(ADA, FIRST, "ada");
    node().hold(EVE, SECOND, "eve");
    var moved = new Identifier(Identifier.Kind.SUBJECT_ID, "x-1@example.org");
    people().keep(EVE, List.of(moved));

    assertThat(people().link(ADA, moved)).isTrue();

    assertThat(people().of(told(ADA, SUBJECT, "x-1@example.org")))
        .isEqualTo(new People.Lookup.Known(ADA));
    assertThat(people().link(new Person("urn:idp", "nobody@example.org"), moved)).isFalse();
    assertThat(people().find("100%", 9)).as("a text, not a pattern").isEmpty();
    assertThat(people().find("X-1@", 9)).extracting(People.Shown::person).containsExactly(ADA.id());
  }

  @Test
  void operatorsWordCountsAlsoForWhatWasHeldBeforeIdentifiersWereKept() {
    heldBeforeIdentifiersWereKept(ADA, FIRST);
    node().hold(EVE, SECOND, "eve");

    assertThat(people().link(EVE, new Identifier(Identifier.Kind.SUBJECT_ID, ADA.id()))).isTrue();

    assertThat(people().of(told(ADA, SUBJECT, ADA.id()))).isEqualTo(new People.Lookup.Known(EVE));
    assertThat(people().of(told(ADA, EPPN, ADA.id())))
        .as("who finds the name that is kept")
        .isEqualTo(new People.Lookup.New(ADA));
  }

  @Test
  void tokenIsGoodOnceOnAnyNode() throws Exception {
    CampusIdentity ada = Somebody.with("ada@example.org", Map.of("mail", List.of("a@example.org")));
    String token = tokens().make(ada).orElseThrow();
    List<Callable<Optional<CampusIdentity>>> takers = new ArrayList<>();
    var start = new CyclicBarrier(4);
    for (int i = 0; i < 4; i++) {
      OneTimeTokens node = tokens();
      takers.add(
          () -> {
            start.await();
            return node.take(token);
          });
      Trials.held();
    }

    List<CampusIdentity> got = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Optional<CampusIdentity>> each : threads.invokeAll(takers)) {
        each.get().ifPresent(got::add);
      }
    }

    assertThat(got).containsExactly(ada);
  }

  @Test
  void tokenEnds() {
    String token = tokens().make(Somebody.named("ada@example.org", "Ada")).orElseThrow();

    clock.advance(Duration.ofSeconds(61));

    assertThat(tokens().take(token)).isEmpty();
  }

  @Test
  void tokenThatIsTooOldByAClockThatIsAheadIsGoodAtOtherNodes() {
    CampusIdentity ada = Somebody.named("ada@example.org", "Ada");
    String token = tokens().make(ada).orElseThrow();
    clock.advance(Duration.ofDays(1));
    assertThat(tokens().take(token)).isEmpty();

    clock.advance(Duration.ofDays(-1));

    assertThat(tokens().take(token)).contains(ada);
  }

  @Test
  void tokenThatWasNeverMadeIsGoodForNothing() {
    assertThat(tokens().take("0".repeat(64))).isEmpty();
    assertThat(tokens().take("' OR '1'='1")).isEmpty();
    assertThat(tokens().take("")).isEmpty();
  }

  private OneTimeTokens tokens() {
    return new OneTimeTokens(source(), Duration.ofSeconds(60), clock);
  }
}
