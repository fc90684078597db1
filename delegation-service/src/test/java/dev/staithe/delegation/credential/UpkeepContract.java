package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.HOUR;
import static dev.staithe.delegation.credential.Site.allowing;
import static dev.staithe.delegation.credential.Site.named;
import static dev.staithe.delegation.credential.Site.owner;
import static dev.staithe.delegation.credential.Site.request;
import static dev.staithe.delegation.credential.Site.stored;
import static dev.staithe.delegation.credential.Site.subject;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ProxyTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What becomes of delegations by themselves, on every database, on one node and on two. */
abstract class UpkeepContract extends DelegationsContract {
  private static final Duration HOURS_AGO = Duration.ofHours(12);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    logger().addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger().detachAppender(log);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Sweeper.class);
  }

  /** Hours ago, as the database has a clock of its own, by which what is to end has ended. */
  @Override
  Instant begin() {
    return Instant.now().minus(HOURS_AGO);
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
  void nodeWhoseClockIsAheadForgetsNothingThatIsGoodElsewhere() throws Exception {
    site.clock.advance(HOURS_AGO);
    site.delegate(node, ada, "job", allowing("service"));
    node.begin(owner(ada), new DelegationId("open"), null, null);
    List<String> before = site.rows();

    site.clock.advance(Duration.ofDays(1));
    try (Sweeper ahead = site.sweeper()) {
      ahead.sweep();
    }

    assertThat(site.rows()).isEqualTo(before);
    assertThat(site.audited()).doesNotContain("\"event\":\"delegation.end\"");
  }

  @Test
  void keyIsKnownForAsLongAsALateNodeMayTakeItsProxyForGood() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    try (Sweeper sweeper = site.sweeper()) {
      site.clock.advance(Duration.ofHours(6).plusMinutes(4));
      sweeper.sweep();
      assertThat(site.rows()).singleElement().asString().startsWith("delegation_key ");

      site.clock.advance(Duration.ofMinutes(1));
      sweeper.sweep();
    }
    assertThat(site.rows()).isEmpty();
  }

  private List<String> told(Level level) {
    return log.list.stream()
        .filter(each -> each.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.startsWith("delegation "))
        .toList();
  }

  @Test
  void endOfADelegationInUseIsToldOnceByOneNodeAndItsForgettingToo() throws Exception {
    site.delegate(node, ada, "used", allowing("service"));
    site.delegate(node, ada, "unused", allowing("service"));
    site.acquired(node, service, named("used"), ProxyWish.NOTHING);
    try (Sweeper one = site.sweeper();
        Sweeper two = site.sweeper()) {
      site.clock.advance(Duration.ofMinutes(299));
      one.sweep();
      assertThat(told(Level.WARN)).isEmpty();

      site.clock.advance(Duration.ofMinutes(1));
      one.sweep();
      two.sweep();
      site.clock.advance(Duration.ofMinutes(10));
      one.sweep();

      assertThat(told(Level.WARN))
          .singleElement()
          .asString()
          .contains("delegation used of " + subject("Ada").name(), subject("service").name());
      site.clock.advance(HOUR);
      two.sweep();
      one.sweep();
    }
    assertThat(told(Level.WARN)).hasSize(1);
    assertThat(told(Level.INFO)).hasSize(2).allMatch(line -> line.contains("is forgotten"));
  }

  @Test
  void endIsToldOfARenewedDelegationAnewAndOfAShortOneNever() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String request =
        request(node.begin(owner(ada), new DelegationId("short"), allowing("service"), null));
    node.put(owner(ada), new DelegationId("short"), site.sign(ada, request, ProxyTerms.of(HOUR)));
    site.acquired(node, service, named("job"), ProxyWish.NOTHING);
    site.acquired(node, service, named("short"), ProxyWish.NOTHING);
    try (Sweeper sweeper = site.sweeper()) {
      sweeper.sweep();
      assertThat(told(Level.WARN)).isEmpty();
      site.clock.advance(Duration.ofHours(5));
      sweeper.sweep();
      assertThat(told(Level.WARN)).hasSize(1);

      node.put(owner(ada), JOB, site.sign(ada, request(node.renew(owner(ada), JOB))));
      node.allow(owner(ada), JOB, allowing("service", "Bob"));
      sweeper.sweep();
      assertThat(told(Level.WARN)).hasSize(1);
      site.clock.advance(Duration.ofHours(5));
      sweeper.sweep();
      sweeper.sweep();
    }
    assertThat(told(Level.WARN)).hasSize(2).allMatch(line -> line.startsWith("delegation job of "));
  }

  @Test
  void masterKeyThatWasReplacedStillOpens() throws Exception {
    site.delegate(node, ada, "job", allowing("service"));
    String open = request(node.begin(owner(ada), new DelegationId("open"), null, null));
    site.rotate(site.masterKey("second"));
    Delegations rotated = site.node();

    site.acquired(rotated, service, named("job"), ProxyWish.NOTHING);
    stored(rotated.put(owner(ada), new DelegationId("open"), site.sign(ada, open)));
    site.delegate(rotated, ada, "new", allowing("service"));
    site.forgetOldestMaster();
    Delegations late = site.node();

    site.acquired(late, service, named("new"), ProxyWish.NOTHING);
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    refused(
        Kind.UNAVAILABLE,
        () -> late.acquire(owner(service), named("job"), key.pem(), ProxyWish.NOTHING));
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

    site.acquired(late, service, named("job"), ProxyWish.NOTHING);
    assertThat(site.audited()).contains("\"event\":\"delegation.reseal\"", "\"keys\":2");
    site.rotate(site.masterKey("third"));
    site.forgetOldestMaster();
    try (Sweeper sweeper = site.sweeper()) {
      sweeper.sweep();
    }
    assertThat(site.meters.find("staithe.delegations.unreadable").gauges()).hasSize(1);
  }
}
