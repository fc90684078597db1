package dev.staithe.delegation.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.PlayedDelegations;
import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.Acquired;
import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DelegatorTests {
  private static final URI CALLED = URI.create("https://se.example.org/services/");
  private static final URI ELSEWHERE = URI.create("https://evil.example/services/");

  @TempDir Path folder;
  private final MutableClock clock = MutableClock.at(Clock.systemUTC().instant());
  private Credential ada;
  private Credential bob;
  private PlayedDelegations service;
  private ClientTls tls;
  private Delegator delegator;

  @BeforeEach
  void start() throws IOException {
    var authority = ThrowAwayAuthority.in(folder, clock);
    ada = PlayedDelegations.person(authority.issuer(), "/C=DE/O=Example/CN=Ada");
    bob = PlayedDelegations.person(authority.issuer(), "/C=DE/O=Example/CN=Bob");
    service = new PlayedDelegations(clock);
    tls =
        ClientTls.open(
            ClientTlsSettings.of(authority.certificateFile()),
            TlsProvider.choose(TlsProvider.Choice.JDK),
            clock);
    delegator = delegator(ada);
  }

  private Delegator delegator(Credential own) {
    return new Delegator(
        new Delegator.Rules(
            service.url(),
            AcquireRules.of(List.of(GridSubject.parse("CN=se.example.org,O=Example,C=DE"))),
            Duration.ofHours(12),
            Duration.ofMinutes(30),
            10,
            new Destinations(List.of(URI.create("https://se.example.org")))),
        () -> Optional.ofNullable(own),
        tls,
        clock);
  }

  @AfterEach
  void stop() {
    delegator.close();
    tls.close();
    service.close();
  }

  private String told() {
    return ((Outcome.Done<Notice>) delegator.notice(CALLED).orElseThrow()).value().id();
  }

  private int puts() {
    return (int) service.asked().stream().filter(each -> each.startsWith("PUT")).count();
  }

  @Test
  void allCallsOfASessionAreToldOneDelegation() {
    String first = told();
    clock.advance(Duration.ofHours(11));

    assertThat(told()).isEqualTo(first);
    assertThat(puts()).isEqualTo(1);
  }

  @Test
  void delegationIsRenewedBeforeItsEndUnderItsId() {
    String first = told();
    clock.advance(Duration.ofHours(12).minusMinutes(29));

    assertThat(told()).isEqualTo(first);
    assertThat(puts()).isEqualTo(2);
  }

  @Test
  void renewalThatFailsLeavesWhatIsThereToItsEnd() {
    String first = told();
    int before = service.asked().size();
    service.refuse(503);
    clock.advance(Duration.ofHours(12).minusMinutes(29));

    assertThat(told()).isEqualTo(first);
    assertThat(service.asked()).as("one that is away is asked once").hasSize(before + 1);
    clock.advance(Duration.ofMinutes(30));
    assertThat(delegator.notice(CALLED).orElseThrow())
        .isEqualTo(new Outcome.Refused<Notice>(new DelegationRefusal(Kind.UNAVAILABLE, "not now")));
  }

  @Test
  void callElsewhereIsToldNothingAndNothingIsDelegated() {
    assertThat(delegator.notice(ELSEWHERE)).isEmpty();
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callThatActsForNobodyIsToldNothing() {
    assertThat(delegator(null).notice(CALLED)).isEmpty();
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callThatActsForSomebodyDelegatesThatOnesProxyAndNotItsOwn() {
    String own = told();
    var proxy = PlayedDelegations.proxy(bob, Duration.ofHours(2), clock);
    var acting =
        new ActingFor(
            new Acquired(
                proxy,
                GridSubject.of(bob.certificate().getSubjectX500Principal()),
                clock.instant().plus(Duration.ofHours(2))));

    String id = acting.call(this::told);

    assertThat(id).isNotEqualTo(own);
    assertThat(service.held(id).chain()).endsWith(bob.certificate()).hasSize(3);
    assertThat(service.held(own).chain()).endsWith(ada.certificate()).hasSize(2);
    assertThat(told()).isEqualTo(own);
  }

  @Test
  void idIsNoOneElsesToGuess() {
    assertThat(told()).matches("[0-9a-f]{32}");
  }
}
