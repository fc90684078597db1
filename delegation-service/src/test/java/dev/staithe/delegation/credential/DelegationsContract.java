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
import dev.staithe.pki.ClientVerdict;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ProxyTerms;
import dev.staithe.pki.RequestedKey;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What delegations promise on every database, on one node and on two. */
abstract class DelegationsContract {
  private static final DelegationId JOB = new DelegationId("job");

  @TempDir Path folder;
  Site site;
  Delegations node;
  Credential ada;
  Credential bob;
  Credential service;

  /** An empty database. */
  abstract DataSource database() throws Exception;

  @BeforeEach
  void open() throws Exception {
    site = new Site(folder, database());
    node = site.node();
    ada = site.person("Ada");
    bob = site.person("Bob");
    service = site.person("service");
  }

  @AfterEach
  void closeSite() {
    site.close();
  }

  /** The outcome is that refusal, it is in the audit log, and no row is another. */
  private void refused(Kind expected, Callable<?> attempt) throws Exception {
    List<String> before = site.rows();
    List<String> said = site.audited().lines().toList();

    assertThat(kind(attempt.call())).isEqualTo(expected);

    assertThat(site.rows()).isEqualTo(before);
    assertThat(site.audited().lines().filter(line -> !said.contains(line)))
        .singleElement()
        .asString()
        .contains("\"outcome\":\"" + DelegationMetrics.word(expected) + "\"", "\"reason\":");
  }

  // --- taking --------------------------------------------------------------------------------

  @Test
  void delegationIsKeptAsTheChainIs() {
    String request = request(node.begin(owner(ada), null, allowing("service"), null));
    DelegationId id = node.standardId(owner(ada));
    Delegation kept =
        stored(node.put(owner(ada), id, site.sign(ada, request, ProxyTerms.of(HOUR))));

    assertThat(id.text()).matches("[0-9a-f]{16}");
    assertThat(kept.owner()).isEqualTo(subject("Ada"));
    assertThat(kept.notAfter()).isEqualTo(site.clock.instant().plus(HOUR));
    assertThat(kept.rules()).isEqualTo(allowing("service"));
    assertThat(kept.pathLeft()).isNull();
    assertThat(node.look(owner(ada), id)).isEqualTo(new Looked.Found(kept));
    assertThat(node.list(owner(ada))).containsExactly(kept);
    assertThat(node.list(owner(bob))).isEmpty();
  }

  @Test
  void privateKeyIsNowhereInTheClear() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    node.begin(owner(ada), JOB, null, KeyKind.EC_P256);

    // Algorithm and beginning of the key in PKCS#8 (RFC 5208, RFC 5480); a public key goes on in
    // another way. In Base64 the whole begins in one of two ways.
    String clear = "301306072a8648ce3d020106082a8648ce3d03010704";
    assertThat(HexFormat.of().formatHex(RequestedKey.make(KeyKind.EC_P256).key().getEncoded()))
        .contains(clear);
    assertThat(site.rows().toString() + site.audited())
        .doesNotContain(clear)
        .doesNotContain("PRIVATE KEY", "MEECAQAwEwYHKoZIzj0", "MIGHAgEAMBMGByqGSM49");
  }

  @Test
  void putThatIsReplayedIsRefused() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = site.sign(ada, request);
    stored(node.put(owner(ada), JOB, chain));

    refused(Kind.NO_REQUEST, () -> node.put(owner(ada), JOB, chain));
  }

  @Test
  void putBeforeARequestIsRefused() throws Exception {
    String chain = site.sign(ada, RequestedKey.make(KeyKind.EC_P256).pem());

    refused(Kind.NO_REQUEST, () -> node.put(owner(ada), JOB, chain));
  }

  @Test
  void proxyForAnotherKeyIsRefused() throws Exception {
    node.begin(owner(ada), JOB, null, null);
    String chain = site.sign(ada, RequestedKey.make(KeyKind.EC_P256).pem());

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, chain));
  }

  @Test
  void proxyForTheKeyOfAnotherIdIsRefused() throws Exception {
    node.begin(owner(ada), JOB, null, null);
    String other = request(node.begin(owner(ada), new DelegationId("other"), null, null));

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, site.sign(ada, other)));
  }

  @Test
  void proxyForTheRequestOfAnotherUserIsRefused() throws Exception {
    String adas = request(node.begin(owner(ada), JOB, null, null));

    refused(Kind.NO_REQUEST, () -> node.put(owner(bob), JOB, site.sign(bob, adas)));
    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, site.sign(bob, adas)));
  }

  @Test
  void requestThatWaitedForTooLongIsNoneAnyMore() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    site.clock.advance(HOUR);

    refused(Kind.NO_REQUEST, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
  }

  @Test
  void chainOfOneMebibyteIsRefused() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = site.sign(ada, request);

    refused(Kind.TOO_LARGE, () -> node.put(owner(ada), JOB, chain + " ".repeat(1 << 20)));
  }

  @Test
  void brokenDerIsRefused() throws Exception {
    node.begin(owner(ada), JOB, null, null);

    for (String chain :
        List.of(
            "",
            "x",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
            "-----BEGIN CERTIFICATE-----\n\u00e9\n-----END CERTIFICATE-----\n")) {
      refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, chain));
    }
  }

  @Test
  void proxyThatLivesForTooLongIsRefused() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = site.sign(ada, request, ProxyTerms.of(Duration.ofDays(8)));

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, chain));
  }

  @Test
  void expiredChainIsRefused() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = site.sign(ada, request, ProxyTerms.of(Duration.ofMinutes(10)));
    site.clock.advance(Duration.ofMinutes(30));

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, chain));
  }

  @Test
  void proxyOfARevokedCertificateIsRefused() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = site.sign(ada, request);
    site.revoke(ada);

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, chain));
  }

  @Test
  void moreDelegationsThanOneMayHaveAreRefused() throws Exception {
    for (int i = 0; i < Site.settings().mostPerOwner(); i++) {
      site.delegate(node, ada, "job-" + i, allowing());
    }

    refused(Kind.TOO_MANY, () -> node.begin(owner(ada), JOB, null, null));
    site.delegate(node, ada, "job-0", allowing());
    site.delegate(node, bob, "job", allowing());
  }

  @Test
  void moreOpenRequestsThanOneMayHaveAreRefused() throws Exception {
    for (int i = 0; i < Site.settings().mostRequestsPerOwner(); i++) {
      request(node.begin(owner(ada), JOB, null, null));
    }

    refused(Kind.TOO_MANY, () -> node.begin(owner(ada), JOB, null, null));
  }

  @Test
  void rulesBeyondWhatTheSiteAllowsAreRefused() throws Exception {
    AcquireRules forever = new AcquireRules(List.of(), null, 0, false, Duration.ofHours(13));

    refused(Kind.BAD_REQUEST, () -> node.begin(owner(ada), JOB, forever, null));
    site.delegate(node, ada, "job", allowing());
    refused(Kind.BAD_REQUEST, () -> node.allow(owner(ada), JOB, forever));
  }

  // --- renewing ------------------------------------------------------------------------------

  @Test
  void renewalLeavesTheOldUsableUntilThePut() throws Exception {
    Delegation first = site.delegate(node, ada, "job", allowing("service"));
    site.clock.advance(HOUR);

    String request = request(node.renew(owner(ada), JOB));
    assertThat(node.look(owner(ada), JOB)).isEqualTo(new Looked.Found(first));
    site.acquired(node, service, named("job"), Wish.NOTHING);
    Delegation second = stored(node.put(owner(ada), JOB, site.sign(ada, request)));

    assertThat(second.notAfter()).isEqualTo(first.notAfter().plus(HOUR));
    assertThat(second.created()).isEqualTo(first.created());
    assertThat(second.renewed()).isEqualTo(site.clock.instant());
    assertThat(second.rules()).isEqualTo(first.rules());
    assertThat(second.used()).isEqualTo(1);
  }

  @Test
  void renewalThatIsRefusedLeavesTheOldAsItIs() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String request = request(node.renew(owner(ada), JOB));

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, site.sign(bob, request)));
    site.acquired(node, service, named("job"), Wish.NOTHING);
  }

  @Test
  void nothingIsRenewedThatIsNotThere() throws Exception {
    refused(Kind.UNKNOWN, () -> node.renew(owner(ada), JOB));
    site.delegate(node, bob, "job", allowing());
    refused(Kind.UNKNOWN, () -> node.renew(owner(ada), JOB));
  }

  @Test
  void twoNodesThatRenewAtOnceLeaveOneWholeDelegation() throws Exception {
    Delegations other = site.node();
    site.delegate(node, ada, "job", allowing("service"));
    for (int round = 0; round < 5; round++) {
      String one = request(node.renew(owner(ada), JOB));
      String two = request(other.renew(owner(ada), JOB));
      List<Put> puts =
          together(
              List.of(
                  () -> node.put(owner(ada), JOB, site.sign(ada, one)),
                  () -> other.put(owner(ada), JOB, site.sign(ada, two))));

      puts.forEach(Site::stored);
      // A key beside another one's chain would sign what nobody believes.
      Credential proxy = site.acquired(node, service, named("job"), Wish.NOTHING);
      assertBelieved(proxy.chain());
    }
    assertThat(site.rows()).noneMatch(row -> row.startsWith("delegation_request"));
  }

  @Test
  void onePutOfTwoForOneRequestWins() throws Exception {
    Delegations other = site.node();
    String request = request(node.begin(owner(ada), JOB, allowing("service"), null));
    String chain = site.sign(ada, request);

    List<Put> puts =
        together(
            List.of(
                () -> node.put(owner(ada), JOB, chain), () -> other.put(owner(ada), JOB, chain)));

    assertThat(puts.stream().filter(Put.Stored.class::isInstance)).hasSize(1);
    assertThat(puts.stream().filter(Put.Refused.class::isInstance))
        .singleElement()
        .satisfies(put -> assertThat(kind(put)).isEqualTo(Kind.NO_REQUEST));
  }

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
          () -> node.acquire(owner(ada), new Wanted(id, null), key.pem(), Wish.NOTHING));
    }
    assertThat(
            List.of(
                fault(node.look(owner(ada), JOB)),
                fault(node.destroy(owner(ada), JOB)),
                fault(node.acquire(owner(ada), named("job"), key.pem(), Wish.NOTHING)),
                fault(node.acquire(owner(ada), named("never"), key.pem(), Wish.NOTHING))))
        .containsOnly(new DelegationFault(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE));
  }

  @Test
  void destroyedDelegationIsNoMoreAndNeitherAreItsRequests() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String request = request(node.renew(owner(ada), JOB));

    assertThat(node.destroy(owner(ada), JOB)).isEqualTo(new Ended.Destroyed(JOB));

    refused(Kind.UNKNOWN, () -> node.look(owner(ada), JOB));
    refused(Kind.NO_REQUEST, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNKNOWN, () -> node.acquire(owner(service), named("job"), key.pem(), Wish.NOTHING));
  }

  @Test
  void rulesHoldFromTheNextAcquiringOn() throws Exception {
    site.delegate(node, ada, "job", allowing("Bob"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNKNOWN, () -> node.acquire(owner(service), named("job"), key.pem(), Wish.NOTHING));

    node.allow(owner(ada), JOB, allowing("service"));

    site.acquired(node, service, named("job"), Wish.NOTHING);
    refused(Kind.UNKNOWN, () -> node.acquire(owner(bob), named("job"), key.pem(), Wish.NOTHING));
  }

  // --- acquiring -------------------------------------------------------------------------------

  @Test
  void acquiredProxyIsTheOwnersAndForTheAcquirersKey() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));

    Credential proxy = site.acquired(node, service, named("job"), Wish.NOTHING);

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

    assertThat(end(Wish.NOTHING)).isEqualTo(now.plus(HOUR));
    assertThat(end(new Wish(Duration.ofMinutes(5), null, false)))
        .isEqualTo(now.plus(Duration.ofMinutes(5)));
    assertThat(end(new Wish(Duration.ofDays(300), null, false))).isEqualTo(now.plus(HOUR));
    site.clock.advance(Duration.ofMinutes(330));
    // Half an hour before the delegation's own end.
    assertThat(end(Wish.NOTHING)).isEqualTo(now.plus(Duration.ofHours(6)));
  }

  private Instant end(Wish wish) throws Exception {
    return site.acquired(node, service, named("job"), wish).certificate().getNotAfter().toInstant();
  }

  @Test
  void delegationThatHasEndedGivesNothing() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.clock.advance(Duration.ofHours(6));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    refused(
        Kind.EXPIRED, () -> node.acquire(owner(service), named("job"), key.pem(), Wish.NOTHING));
    refused(Kind.UNKNOWN, () -> node.look(owner(ada), JOB));
    assertThat(node.list(owner(ada))).isEmpty();
  }

  @Test
  void limitedRuleMakesLimitedProxies() throws Exception {
    AcquireRules rules = new AcquireRules(allowing("service").acquirers(), null, 0, true, HOUR);
    site.delegate(node, ada, "job", rules);
    site.delegate(node, ada, "full", allowing("service"));

    assertThat(assertBelieved(site.acquired(node, service, named("job"), Wish.NOTHING).chain()))
        .matches(ClientVerdict.Accepted::limited);
    assertThat(
            assertBelieved(
                site.acquired(node, service, named("full"), new Wish(null, null, true)).chain()))
        .matches(ClientVerdict.Accepted::limited);
  }

  @Test
  void proxyThatMayHaveNoneBelowGivesNothing() throws Exception {
    String request = request(node.begin(owner(ada), JOB, allowing("service"), null));
    node.put(owner(ada), JOB, site.sign(ada, request, ProxyTerms.of(HOUR).withPathLength(0)));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    refused(
        Kind.NOT_ALLOWED,
        () -> node.acquire(owner(service), named("job"), key.pem(), Wish.NOTHING));
  }

  @Test
  void requestWithoutProofOfItsKeyIsRefused() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));

    for (String request : List.of("", "x", "-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END")) {
      refused(
          Kind.BAD_REQUEST,
          () -> node.acquire(owner(service), named("job"), request, Wish.NOTHING));
    }
  }

  @Test
  void oneIdOfTwoPeopleNeedsTheDelegatorsName() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.delegate(node, bob, "job", allowing("service"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    refused(
        Kind.CONFLICT, () -> node.acquire(owner(service), named("job"), key.pem(), Wish.NOTHING));
    Credential proxy = site.acquired(node, service, new Wanted(JOB, subject("Bob")), Wish.NOTHING);
    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Bob"));
    proxy = site.acquired(node, service, new Wanted(null, subject("Ada")), Wish.NOTHING);
    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Ada"));
  }

  @Test
  void oneThatHasEndedIsNotInTheWayOfTheOneThatLives() throws Exception {
    site.delegate(node, ada, "early", allowing("service"));
    site.clock.advance(Duration.ofHours(6));
    site.delegate(node, ada, "late", allowing("service"));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    Credential proxy = site.acquired(node, service, new Wanted(null, subject("Ada")), Wish.NOTHING);
    assertThat(assertBelieved(proxy.chain()).subject()).isEqualTo(subject("Ada"));
    site.delegate(node, ada, "later", allowing("service"));
    refused(
        Kind.CONFLICT,
        () ->
            node.acquire(
                owner(service), new Wanted(null, subject("Ada")), key.pem(), Wish.NOTHING));
  }

  @Test
  void usesAreCountedExactlyWhereTwoNodesAcquireAtOnce() throws Exception {
    Delegations other = site.node();
    AcquireRules rules = new AcquireRules(allowing("service").acquirers(), 5, 0, false, HOUR);
    site.delegate(node, ada, "job", rules);
    List<Callable<Acquired>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Delegations each = i % 2 == 0 ? node : other;
      String request = RequestedKey.make(KeyKind.EC_P256).pem();
      all.add(() -> each.acquire(owner(service), named("job"), request, Wish.NOTHING));
    }

    List<Acquired> outcomes = together(all);

    assertThat(outcomes.stream().filter(Acquired.Issued.class::isInstance)).hasSize(5);
    assertThat(outcomes.stream().filter(Acquired.Refused.class::isInstance))
        .extracting(Site::kind)
        .containsOnly(Kind.NOT_ALLOWED);
    assertThat(((Looked.Found) node.look(owner(ada), JOB)).delegation().used()).isEqualTo(5);
    String request = RequestedKey.make(KeyKind.EC_P256).pem();
    refused(
        Kind.NOT_ALLOWED, () -> node.acquire(owner(service), named("job"), request, Wish.NOTHING));
  }

  // --- services that act for somebody --------------------------------------------------------

  @Test
  void serviceThatActsForSomebodyCannotReachForMore() throws Exception {
    AcquireRules once = new AcquireRules(allowing("service").acquirers(), 1, 1, false, HOUR);
    site.delegate(node, ada, "job", once);
    Credential acting = site.acquired(node, service, named("job"), Wish.NOTHING);
    assertThat(owner(acting).subject()).isEqualTo(subject("Ada"));

    refused(Kind.UNKNOWN, () -> node.allow(owner(acting), JOB, allowing("service")));
    refused(Kind.UNKNOWN, () -> node.destroy(owner(acting), JOB));
    refused(Kind.UNKNOWN, () -> node.look(owner(acting), JOB));
    refused(Kind.UNKNOWN, () -> node.renew(owner(acting), JOB));
    refused(Kind.CONFLICT, () -> node.begin(owner(acting), JOB, allowing("service"), null));
    assertThat(node.list(owner(acting))).isEmpty();
  }

  @Test
  void keyOfAFormerProxyIsRememberedAsLongAsTheProxyLives() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    Credential acting = site.acquired(node, service, named("job"), Wish.NOTHING);
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
    Credential first = site.acquired(node, service, named("job"), Wish.NOTHING);

    // The service lets another one act for the same person.
    assertThat(node.standardId(owner(first))).isNotEqualTo(node.standardId(owner(ada)));
    site.delegate(node, first, "next", allowing("Bob"));
    Credential second = site.acquired(node, bob, named("next"), Wish.NOTHING);

    assertThat(assertBelieved(second.chain()).subject()).isEqualTo(subject("Ada"));
    assertThat(second.chain()).hasSize(5);
    // One hop was allowed: nobody may follow.
    assertThat(second.certificate().getExtensionValue("1.3.6.1.5.5.7.1.14"))
        .containsSequence(2, 1, 0);
    assertThat(node.list(owner(ada))).extracting(each -> each.id().text()).contains("next");
    assertThat(node.list(owner(first))).extracting(each -> each.id().text()).containsOnly("next");

    assertThat(node.destroy(owner(ada), JOB)).isInstanceOf(Ended.Destroyed.class);
    assertThat(node.list(owner(ada))).isEmpty();
  }

  // --- upkeep ----------------------------------------------------------------------------------

  @Test
  void whatHasEndedIsForgotten() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String request = request(node.begin(owner(ada), new DelegationId("day"), null, null));
    node.put(
        owner(ada),
        new DelegationId("day"),
        site.sign(ada, request, ProxyTerms.of(Duration.ofDays(1))));
    node.begin(owner(ada), JOB, null, null);
    site.clock.advance(Duration.ofHours(7));
    try (Sweeper one = site.sweeper();
        Sweeper two = site.sweeper()) {
      one.sweep();
      two.sweep();
    }

    assertThat(site.rows())
        .hasSize(2)
        .anyMatch(row -> row.startsWith("delegation ") && row.contains("=day "))
        .anyMatch(row -> row.startsWith("delegation_key") && row.contains("=day "));
    assertThat(site.audited()).containsOnlyOnce("\"event\":\"delegation.end\"");
    assertThat(site.meters.get("staithe.delegations.kept").gauges()).isNotEmpty();
  }

  @Test
  void masterKeyThatWasReplacedStillOpens() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String open = request(node.begin(owner(ada), new DelegationId("open"), null, null));
    site.rotate(site.masterKey("second"));
    Delegations rotated = site.node();

    site.acquired(rotated, service, named("job"), Wish.NOTHING);
    stored(rotated.put(owner(ada), new DelegationId("open"), site.sign(ada, open)));
    site.delegate(rotated, ada, "new", allowing("service"));
    site.forgetOldestMaster();
    Delegations late = site.node();

    site.acquired(late, service, named("new"), Wish.NOTHING);
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNAVAILABLE,
        () -> late.acquire(owner(service), named("job"), key.pem(), Wish.NOTHING));
  }

  @Test
  void keysAreSealedAnewSoThatAFormerMasterKeyCanBeLeftAway() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.delegate(node, bob, "job", allowing());
    site.rotate(site.masterKey("second"));
    try (Sweeper sweeper = site.sweeper()) {
      sweeper.sweep();
    }
    site.forgetOldestMaster();
    Delegations late = site.node();

    site.acquired(late, service, named("job"), Wish.NOTHING);
    assertThat(site.audited()).contains("\"event\":\"delegation.reseal\"", "\"keys\":2");
    site.rotate(site.masterKey("third"));
    site.forgetOldestMaster();
    try (Sweeper sweeper = site.sweeper()) {
      sweeper.sweep();
    }
    assertThat(site.meters.find("staithe.delegations.unreadable").gauges()).hasSize(1);
  }

  // --- steps -----------------------------------------------------------------------------------

  private ClientVerdict.Accepted assertBelieved(List<X509Certificate> chain) {
    ClientVerdict verdict = site.verdict(chain);
    assertThat(verdict).isInstanceOf(ClientVerdict.Accepted.class);
    return (ClientVerdict.Accepted) verdict;
  }

  private static <T> List<T> together(List<Callable<T>> all) throws Exception {
    CyclicBarrier start = new CyclicBarrier(all.size());
    List<T> outcomes = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(all.size())) {
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> each : all) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return each.call();
                }));
      }
      for (Future<T> each : running) {
        outcomes.add(each.get());
      }
    }
    return outcomes;
  }
}
