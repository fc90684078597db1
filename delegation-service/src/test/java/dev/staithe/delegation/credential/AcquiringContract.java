package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.HOUR;
import static dev.staithe.delegation.credential.Site.allowing;
import static dev.staithe.delegation.credential.Site.fault;
import static dev.staithe.delegation.credential.Site.kind;
import static dev.staithe.delegation.credential.Site.named;
import static dev.staithe.delegation.credential.Site.owner;
import static dev.staithe.delegation.credential.Site.request;
import static dev.staithe.delegation.credential.Site.stored;
import static dev.staithe.delegation.credential.Site.subject;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Who has a say in a delegation, and who gets proxies by it, on every database. */
abstract class AcquiringContract extends DelegationsContract {
  // --- the owner's other wishes ----------------------------------------------------------------

  @Test
  void unknownIdAndAnotherUsersGetTheSameAnswer() throws Exception {
    site.delegate(node, bob, "job", allowing("service"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    for (DelegationId id : List.of(JOB, new DelegationId("never"))) {
      refused(Kind.UNKNOWN, () -> node.look(owner(ada), id));
      refused(Kind.UNKNOWN, () -> node.destroy(owner(ada), id));
      refused(Kind.UNKNOWN, () -> node.allow(owner(ada), id, allowing("Ada")));
      refused(
          Kind.UNKNOWN,
          () ->
              node.acquire(
                  owner(ada), new WantedDelegation(id, null), key.pem(), ProxyWish.NOTHING));
      Trials.held();
    }
    assertThat(
            List.of(
                fault(node.look(owner(ada), JOB)),
                fault(node.destroy(owner(ada), JOB)),
                fault(node.acquire(owner(ada), named("job"), key.pem(), ProxyWish.NOTHING)),
                fault(node.acquire(owner(ada), named("never"), key.pem(), ProxyWish.NOTHING))))
        .containsOnly(new DelegationFault(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE));
  }

  @Test
  void destroyedDelegationIsNoMoreAndNeitherAreItsRequests() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String request = request(node.renew(owner(ada), JOB));

    assertThat(node.destroy(owner(ada), JOB)).isEqualTo(new Outcome.Done<>(JOB));

    refused(Kind.UNKNOWN, () -> node.look(owner(ada), JOB));
    refused(Kind.NO_REQUEST, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNKNOWN,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
  }

  @Test
  void rulesHoldFromTheNextAcquiringOn() throws Exception {
    site.delegate(node, ada, "job", allowing("Bob"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNKNOWN,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));

    node.allow(owner(ada), JOB, allowing("service"));

    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    refused(
        Kind.UNKNOWN, () -> node.acquire(owner(bob), named("job"), key.pem(), ProxyWish.NOTHING));
  }

  // --- acquiring -------------------------------------------------------------------------------

  @Test
  void acquiredProxyIsTheOwnersAndForTheAcquirersKey() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));

    Credential proxy = site.acquired(node, service, named("job"), ProxyWish.NOTHING);

    ClientVerdict.Accepted accepted = assertBelieved(proxy.chain());
    assertThat(accepted.subject()).isEqualTo(subject("Ada"));
    assertThat(accepted.limited()).isFalse();
    assertThat(site.audited())
        .contains(proxy.certificate().getSerialNumber().toString(16), subject("service").name());
  }

  @Test
  void lifetimesShrinkAlongTheChain() throws Exception {
    AcquireRules rules = new AcquireRules(allowing("service").acquirers(), null, 0, false, HOUR);
    site.delegate(node, ada, "job", rules);
    Instant now = site.clock.instant();

    assertThat(end(ProxyWish.NOTHING)).isEqualTo(now.plus(HOUR));
    assertThat(end(new ProxyWish(Duration.ofMinutes(5), null, false)))
        .isEqualTo(now.plus(Duration.ofMinutes(5)));
    assertThat(end(new ProxyWish(Duration.ofDays(300), null, false))).isEqualTo(now.plus(HOUR));
    site.clock.advance(Duration.ofMinutes(330));
    // Half an hour before the delegation's own end.
    assertThat(end(ProxyWish.NOTHING)).isEqualTo(now.plus(Duration.ofHours(6)));
  }

  private Instant end(ProxyWish wish) throws Exception {
    return site.acquired(node, service, named("job"), wish).certificate().getNotAfter().toInstant();
  }

  @Test
  void proxyThatCannotBeWrittenDownIsNotHandedOutAndTakesNoUse() throws Exception {
    site.delegate(
        node, ada, "job", new AcquireRules(allowing("service").acquirers(), 1, 0, false, HOUR));
    Delegations silent = site.nodeWithoutAudit();
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    assertThat(kind(silent.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING)))
        .isEqualTo(Kind.UNAVAILABLE);

    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    refused(
        Kind.NOT_ALLOWED,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
  }

  @Test
  void delegationThatHasEndedGivesNothing() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.clock.advance(Duration.ofHours(6));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    refused(
        Kind.EXPIRED,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
    refused(Kind.UNKNOWN, () -> node.look(owner(ada), JOB));
    assertThat(node.list(owner(ada))).isEmpty();
  }

  @Test
  void limitedRuleMakesLimitedProxies() throws Exception {
    AcquireRules rules = new AcquireRules(allowing("service").acquirers(), null, 0, true, HOUR);
    site.delegate(node, ada, "job", rules);
    site.delegate(node, ada, "full", allowing("service"));

    assertThat(
            assertBelieved(site.acquired(node, service, named("job"), ProxyWish.NOTHING).chain()))
        .matches(ClientVerdict.Accepted::limited);
    assertThat(
            assertBelieved(
                site.acquired(node, service, named("full"), new ProxyWish(null, null, true))
                    .chain()))
        .matches(ClientVerdict.Accepted::limited);
  }

  @Test
  void proxyThatMayHaveNoneBelowGivesNothing() throws Exception {
    String request = request(node.begin(owner(ada), JOB, allowing("service"), null));
    node.put(owner(ada), JOB, site.sign(ada, request, ProxyTerms.of(HOUR).withPathLength(0)));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    refused(
        Kind.EXPIRED,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
  }

  @Test
  void requestWithoutProofOfItsKeyIsRefused() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));

    for (String request : List.of("", "x", "-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END")) {
      refused(
          Kind.BAD_REQUEST,
          () -> node.acquire(owner(service), named("job"), request, ProxyWish.NOTHING));
    }
  }

  @Test
  void oneIdOfTwoPeopleNeedsTheDelegatorsName() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.delegate(node, bob, "job", allowing("service"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    refused(
        Kind.CONFLICT,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
    Credential proxy =
        site.acquired(node, service, new WantedDelegation(JOB, subject("Bob")), ProxyWish.NOTHING);
    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Bob"));
    proxy =
        site.acquired(node, service, new WantedDelegation(null, subject("Ada")), ProxyWish.NOTHING);
    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Ada"));
  }

  @Test
  void oneThatHasEndedIsNotInTheWayOfTheOneThatLives() throws Exception {
    site.delegate(node, ada, "early", allowing("service"));
    site.clock.advance(Duration.ofHours(6));
    site.delegate(node, ada, "late", allowing("service"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    Credential proxy =
        site.acquired(node, service, new WantedDelegation(null, subject("Ada")), ProxyWish.NOTHING);
    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Ada"));
    site.delegate(node, ada, "later", allowing("service"));
    refused(
        Kind.CONFLICT,
        () ->
            node.acquire(
                owner(service),
                new WantedDelegation(null, subject("Ada")),
                key.pem(),
                ProxyWish.NOTHING));
  }

  @Test
  void anothersOfTheSameIdThatHasEndedIsNotInTheWay() throws Exception {
    site.delegate(node, bob, "job", allowing("service"));
    site.clock.advance(Duration.ofHours(6));
    site.delegate(node, ada, "job", allowing("service"));

    Credential proxy = site.acquired(node, service, named("job"), ProxyWish.NOTHING);

    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Ada"));
  }

  @Test
  void usesAreCountedExactlyWhereTwoNodesAcquireAtOnce() throws Exception {
    Delegations other = site.node();
    AcquireRules rules = new AcquireRules(allowing("service").acquirers(), 5, 0, false, HOUR);
    site.delegate(node, ada, "job", rules);
    List<Callable<Outcome<AcquiredProxy>>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Delegations each = i % 2 == 0 ? node : other;
      String request = RequestedKey.make(KeyKind.EC_P256).pem();
      all.add(() -> each.acquire(owner(service), named("job"), request, ProxyWish.NOTHING));
      Trials.held();
    }

    List<Outcome<AcquiredProxy>> outcomes = together(all);

    assertThat(outcomes.stream().filter(Outcome.Done.class::isInstance)).hasSize(5);
    assertThat(outcomes.stream().filter(Outcome.Refused.class::isInstance))
        .extracting(Site::kind)
        .containsOnly(Kind.NOT_ALLOWED);
    assertThat(Site.done(node.look(owner(ada), JOB)).used()).isEqualTo(5);
    String request = RequestedKey.make(KeyKind.EC_P256).pem();
    refused(
        Kind.NOT_ALLOWED,
        () -> node.acquire(owner(service), named("job"), request, ProxyWish.NOTHING));
  }

  // --- services that act for somebody --------------------------------------------------------

  @Test
  void serviceThatActsForSomebodyCannotReachForMore() throws Exception {
    AcquireRules once = new AcquireRules(allowing("service").acquirers(), 1, 1, false, HOUR);
    site.delegate(node, ada, "job", once);
    Credential acting = site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    assertThat(owner(acting).subject()).isEqualTo(subject("Ada"));

    refused(Kind.UNKNOWN, () -> node.allow(owner(acting), JOB, allowing("service")));
    refused(Kind.UNKNOWN, () -> node.destroy(owner(acting), JOB));
    refused(Kind.UNKNOWN, () -> node.look(owner(acting), JOB));
    refused(Kind.UNKNOWN, () -> node.renew(owner(acting), JOB));
    refused(Kind.CONFLICT, () -> node.begin(owner(acting), JOB, allowing("service"), null));
    assertThat(node.list(owner(acting))).isEmpty();
  }

  @Test
  void rulesOfWhoActsForSomebodyDoNotHoldForTheOwnersOwnProxy() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    Credential acting = site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    site.delegate(node, acting, "day", allowing("Bob"));
    site.acquired(node, bob, named("day"), ProxyWish.NOTHING);

    DelegationId day = new DelegationId("day");
    String request = request(node.begin(owner(ada), day, null, null));
    Delegation taken = stored(node.put(owner(ada), day, site.sign(ada, request)));

    assertThat(taken.rules()).isEqualTo(Site.settings().usual());
    assertThat(taken.used()).isZero();
    refused(
        Kind.UNKNOWN,
        () ->
            node.acquire(
                owner(bob),
                named("day"),
                RequestedKey.make(KeyKind.EC_P256).pem(),
                ProxyWish.NOTHING));
  }

  @Test
  void keyOfAFormerProxyIsRememberedAsLongAsTheProxyLives() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    Credential acting = site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    site.delegate(node, ada, "job", allowing());
    refused(Kind.UNKNOWN, () -> node.allow(owner(acting), JOB, allowing("service")));

    node.destroy(owner(ada), JOB);
    site.delegate(node, ada, "other", allowing());

    refused(
        Kind.UNKNOWN,
        () -> node.allow(owner(acting), new DelegationId("other"), allowing("service")));
  }

  @Test
  void servicesChainAsFarAsTheHopsGo() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    Credential first = site.acquired(node, service, named("job"), ProxyWish.NOTHING);

    // The service lets another one act for the same person.
    assertThat(node.standardId(owner(first))).isNotEqualTo(node.standardId(owner(ada)));
    site.delegate(node, first, "next", allowing("Bob"));
    Credential second = site.acquired(node, bob, named("next"), ProxyWish.NOTHING);

    assertThat(assertBelieved(second.chain()).subject()).isEqualTo(subject("Ada"));
    assertThat(second.chain()).hasSize(5);
    // One hop was allowed: nobody may follow.
    assertThat(second.certificate().getExtensionValue("1.3.6.1.5.5.7.1.14"))
        .containsSequence(2, 1, 0);
    assertThat(node.list(owner(ada))).extracting(each -> each.id().text()).contains("next");
    assertThat(node.list(owner(first))).extracting(each -> each.id().text()).containsOnly("next");

    assertThat(node.destroy(owner(ada), JOB)).isInstanceOf(Outcome.Done.class);
    assertThat(node.list(owner(ada))).isEmpty();
  }
}
