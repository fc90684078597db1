package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.allowing;
import static dev.staithe.delegation.credential.Site.named;
import static dev.staithe.delegation.credential.Site.owner;
import static dev.staithe.delegation.credential.Site.request;
import static dev.staithe.delegation.credential.Site.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ProxyTerms;
import dev.staithe.pki.RequestedKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of delegations by themselves, on every database, on one node and on two. */
abstract class UpkeepContract extends DelegationsContract {
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
}
