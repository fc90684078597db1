package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.HOUR;
import static dev.staithe.delegation.credential.Site.allowing;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody gains who can write to the database, on every database. */
abstract class TamperingContract extends DelegationsContract {
  private void nothingIsAcquired() throws Exception {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNKNOWN,
        () -> node.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
    assertThat(site.audited()).contains("the stored rules are not what was put");
  }

  private void insertAcquirer() {
    site.tamper(
        "insert into delegation_acquirer (acquirer, id, owner) values (?, 'job', ?)",
        subject("service").name(),
        subject("Ada").name());
  }

  @Test
  void whoNamesHimselfInTheDatabaseGetsNothing() throws Exception {
    site.delegate(node, ada, "job", allowing("Bob"));
    insertAcquirer();
    nothingIsAcquired();

    site.tamper("update delegation set acquirers = ?", subject("service").name());
    nothingIsAcquired();
    site.tamper(
        "update delegation set acquirers = ?",
        subject("Bob").name() + "\n" + subject("service").name());
    nothingIsAcquired();
    site.tamper("update delegation set bound = false");
    nothingIsAcquired();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uses = null",
        "uses = 1000",
        "hops = 5",
        "limited = false",
        "longest = 36000",
        "through = 'null'",
        "proxy_legacy = true",
        "not_after = not_after + 60000",
        "fqans = '/vo'",
        "bound = false"
      })
  void rowThatSomebodyElseChangedGivesNothingAndIsNotRenewed(String change) throws Exception {
    AcquireRules rules = new AcquireRules(allowing("service").acquirers(), 3, 1, true, HOUR);
    site.delegate(node, ada, "job", rules);
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    String request = request(node.renew(owner(ada), JOB));

    assertThat(site.tamper("update delegation set " + change)).isEqualTo(1);

    nothingIsAcquired();
    // Nor are these rules made good by the owner's next step.
    refused(Kind.CONFLICT, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
    refused(Kind.CONFLICT, () -> node.allow(owner(ada), JOB, allowing("Bob")));
    node.destroy(owner(ada), JOB);
    site.delegate(node, ada, "job", rules);
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
  }

  @Test
  void serviceThatClaimsADelegationInTheDatabaseCannotReplaceIt() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    DelegationId other = new DelegationId("other");
    site.delegate(node, ada, "other", allowing());
    Credential acting = site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    site.tamper("update delegation set through = 'job' where id = 'other'");

    String request = request(node.begin(owner(acting), other, allowing("service"), null));

    refused(Kind.CONFLICT, () -> node.put(owner(acting), other, site.sign(acting, request)));
    refused(Kind.CONFLICT, () -> node.allow(owner(acting), other, allowing("service")));
  }

  @Test
  void requestWhoseRulesSomebodyElseChangedIsNotTaken() throws Exception {
    String request = request(node.begin(owner(ada), JOB, allowing("Bob"), null));

    site.tamper("update delegation_request set acquirers = ?", subject("service").name());

    refused(Kind.CONFLICT, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
    site.tamper("update delegation_request set bound = false");
    refused(Kind.CONFLICT, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
  }

  @Test
  void requestWithoutRulesThatIsGivenSomeIsNotTaken() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));

    site.tamper(
        "update delegation_request set acquirers = ?, hops = 1, limited = false, longest = 3600",
        subject("service").name());

    refused(Kind.CONFLICT, () -> node.put(owner(ada), JOB, site.sign(ada, request)));
  }

  @Test
  void rulesThatTheirOwnerChangesHoldAndFormerOnesPutBackDoNot() throws Exception {
    site.delegate(node, ada, "job", allowing("service", "Bob"));
    node.allow(owner(ada), JOB, allowing("Bob"));

    site.tamper(
        "update delegation set acquirers = ?",
        subject("service").name() + "\n" + subject("Bob").name());
    insertAcquirer();

    nothingIsAcquired();
  }

  @Test
  void rowFromBeforeIsTakenAndSealedForItsRulesByTheNextSweep() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.unbind("Ada", "job");
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    try (Sweeper sweeper = site.sweeper()) {
      sweeper.sweep();
    }
    assertThat(site.audited()).contains("\"event\":\"delegation.reseal\"", "\"keys\":1");
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);

    site.tamper("update delegation set hops = 3, bound = false");
    nothingIsAcquired();
    try (Sweeper sweeper = site.sweeper()) {
      sweeper.sweep();
    }
    nothingIsAcquired();
  }

  @Test
  void rowFromBeforeIsRenewedAndChangedByItsOwner() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    site.unbind("Ada", "job");
    stored(node.put(owner(ada), JOB, site.sign(ada, request(node.renew(owner(ada), JOB)))));
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);

    site.unbind("Ada", "job");
    assertThat(node.allow(owner(ada), JOB, allowing("service", "Bob")))
        .isInstanceOf(Outcome.Done.class);
    site.acquired(node, bob, named("job"), ProxyWish.NOTHING);
    assertThat(site.rows().toString()).doesNotContain("bound=false", "BOUND=false");
  }
}
