package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.HOUR;
import static dev.staithe.delegation.credential.Site.allowing;
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
import dev.staithe.pki.grid.ProxyPolicy;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** How delegations come here and are renewed, on every database, on one node and on two. */
abstract class TakingContract extends DelegationsContract {
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
    assertThat(node.look(owner(ada), id)).isEqualTo(new Outcome.Done<>(kept));
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
  void independentProxyIsRefusedWhenItIsPutAndNotWhenItIsOfNoUse() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = site.sign(ada, request, ProxyTerms.of(HOUR).withPolicy(ProxyPolicy.INDEPENDENT));

    refused(Kind.BAD_PROXY, () -> node.put(owner(ada), JOB, chain));
    assertThat(site.audited()).contains("INDEPENDENT");
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
  void requestsThatWaitCountAsTheDelegationsThatTheyMayBecome() throws Exception {
    int most = Site.settings().mostPerOwner();
    for (int i = 0; i < most - 2; i++) {
      site.delegate(node, ada, "job-" + i, allowing());
    }
    String one = request(node.begin(owner(ada), new DelegationId("one"), null, null));
    String two = request(node.begin(owner(ada), new DelegationId("two"), null, null));
    request(node.begin(owner(ada), new DelegationId("two"), null, null));
    request(node.renew(owner(ada), new DelegationId("job-1")));

    refused(Kind.TOO_MANY, () -> node.begin(owner(ada), new DelegationId("three"), null, null));
    request(node.renew(owner(ada), new DelegationId("job-0")));
    stored(node.put(owner(ada), new DelegationId("one"), site.sign(ada, one)));
    stored(node.put(owner(ada), new DelegationId("two"), site.sign(ada, two)));
    assertThat(node.list(owner(ada))).hasSize(most);
  }

  @Test
  void requestsForWhatHasEndedCountAsTheDelegationsThatTheyMayBecome() throws Exception {
    int anew = Site.settings().mostRequestsPerOwner() - 1;
    for (int i = 0; i < anew; i++) {
      site.delegate(node, ada, "job-" + i, allowing());
    }
    site.clock.advance(Duration.ofHours(7));
    for (int i = 0; i < anew; i++) {
      request(node.begin(owner(ada), new DelegationId("job-" + i), null, null));
    }
    for (int i = anew; i < Site.settings().mostPerOwner(); i++) {
      site.delegate(node, ada, "job-" + i, allowing());
    }

    refused(Kind.TOO_MANY, () -> node.begin(owner(ada), JOB, null, null));
  }

  @Test
  void moreOpenRequestsThanOneMayHaveAreRefused() throws Exception {
    for (int i = 0; i < Site.settings().mostRequestsPerOwner(); i++) {
      request(node.begin(owner(ada), JOB, null, null));
      Trials.held();
    }

    refused(Kind.TOO_MANY, () -> node.begin(owner(ada), JOB, null, null));
  }

  @Test
  void requestsAtOnceDoNotPassTheMostTogether() throws Exception {
    Delegations other = site.node();
    for (int i = 1; i < Site.settings().mostRequestsPerOwner(); i++) {
      request(node.begin(owner(ada), JOB, null, null));
    }
    List<Callable<Outcome<ProxyRequest>>> atOnce = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Delegations by = i % 2 == 0 ? node : other;
      atOnce.add(() -> by.begin(owner(ada), JOB, null, null));
    }

    List<Outcome<ProxyRequest>> outcomes = together(atOnce);

    assertThat(outcomes.stream().filter(Outcome.Done.class::isInstance).count())
        .isLessThanOrEqualTo(1);
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
    assertThat(node.look(owner(ada), JOB)).isEqualTo(new Outcome.Done<>(first));
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
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
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
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
      List<Outcome<Delegation>> puts =
          together(
              List.of(
                  () -> node.put(owner(ada), JOB, site.sign(ada, one)),
                  () -> other.put(owner(ada), JOB, site.sign(ada, two))));

      puts.forEach(Site::stored);
      // A key beside another one's chain would sign what nobody believes.
      Credential proxy = site.acquired(node, service, named("job"), ProxyWish.NOTHING);
      assertBelieved(proxy.chain());
    }
    assertThat(site.rows()).noneMatch(row -> row.startsWith("delegation_request"));
  }

  @Test
  void onePutOfTwoForOneRequestWins() throws Exception {
    Delegations other = site.node();
    String request = request(node.begin(owner(ada), JOB, allowing("service"), null));
    String chain = site.sign(ada, request);

    List<Outcome<Delegation>> puts =
        together(
            List.of(
                () -> node.put(owner(ada), JOB, chain), () -> other.put(owner(ada), JOB, chain)));

    assertThat(puts.stream().filter(Outcome.Done.class::isInstance)).hasSize(1);
    assertThat(puts.stream().filter(Outcome.Refused.class::isInstance))
        .singleElement()
        .satisfies(put -> assertThat(kind(put)).isEqualTo(Kind.NO_REQUEST));
  }
}
