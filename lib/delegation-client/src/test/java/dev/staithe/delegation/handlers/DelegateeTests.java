package dev.staithe.delegation.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.PlayedDelegations;
import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientCertificateSettings;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DelegateeTests {
  private static final Delegatee.Rules RULES =
      new Delegatee.Rules(KeyKind.EC_P256, Duration.ofHours(1), Duration.ofMinutes(5), 3);

  @TempDir Path folder;
  private final MutableClock clock = MutableClock.at(Clock.systemUTC().instant());
  private ThrowAwayAuthority authority;
  private Credential ada;
  private Credential bob;
  private PlayedDelegations service;
  private PlayedDelegations stranger;
  private ClientTls tls;
  private ClientCertificates callers;
  private Delegatee delegatee;

  @BeforeEach
  void start() throws IOException {
    authority = ThrowAwayAuthority.in(folder, clock);
    ada = PlayedDelegations.person(authority.issuer(), "/C=DE/O=Example/CN=Ada");
    bob = PlayedDelegations.person(authority.issuer(), "/C=DE/O=Example/CN=Bob");
    service = new PlayedDelegations(clock);
    stranger = new PlayedDelegations(clock);
    tls =
        ClientTls.open(
            ClientTlsSettings.of(authority.certificateFile()),
            TlsProvider.choose(TlsProvider.Choice.JDK),
            clock);
    callers =
        ClientCertificates.open(
            new ClientCertificateSettings(
                authority.certificateFile(),
                ClientChainRules.DEFAULT,
                false,
                Duration.ofMinutes(1)),
            clock);
    delegatee =
        new Delegatee(
            List.of(new AllowedService(service.url(), DelegationLanguage.STAITHE)),
            RULES,
            callers,
            () -> authority.localhost().credential(),
            tls,
            clock);
    service.hold("one", PlayedDelegations.proxy(ada, Duration.ofHours(20), clock));
    stranger.hold("one", PlayedDelegations.proxy(ada, Duration.ofHours(20), clock));
  }

  @AfterEach
  void stop() {
    delegatee.close();
    callers.close();
    tls.close();
    service.close();
    stranger.close();
  }

  private record Taken(Optional<Kind> refusal, Optional<ActingFor> acting) {}

  private Taken take(Credential caller, List<String> services, List<String> ids) {
    var call = new Call(caller == null ? List.of() : caller.chain());
    Optional<DelegationRefusal> refusal = delegatee.take(call, services, ids);
    return new Taken(refusal.map(DelegationRefusal::kind), call.acting());
  }

  private Taken take(Credential caller, String id) {
    return take(caller, List.of(service.url().toString()), List.of(id));
  }

  private int acquired() {
    return (int) service.asked().stream().filter(each -> each.endsWith("/acquire")).count();
  }

  @Test
  void callActsForItsCaller() {
    assertThat(take(ada, "one").acting())
        .hasValueSatisfying(
            acting -> assertThat(acting.subject().name()).isEqualTo("CN=Ada,O=Example,C=DE"));
  }

  @Test
  void callByAProxyOfTheDelegatorIsTheDelegators() {
    var proxy = PlayedDelegations.proxy(ada, Duration.ofHours(2), clock);

    assertThat(take(proxy, "one").acting()).isPresent();
  }

  @Test
  void callWithoutADelegationActsForNobodyAndAsksNobody() {
    assertThat(take(ada, List.of(), List.of()))
        .isEqualTo(new Taken(Optional.empty(), Optional.empty()));
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callThatNamesAServiceThatIsNotAllowedSendsNothingAnywhere() {
    var taken = take(ada, List.of(stranger.url().toString()), List.of("one"));

    assertThat(taken).isEqualTo(new Taken(Optional.of(Kind.NOT_ALLOWED), Optional.empty()));
    assertThat(stranger.asked()).isEmpty();
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callWithAnothersIdGetsNothing() {
    assertThat(take(bob, "one"))
        .isEqualTo(new Taken(Optional.of(Kind.BAD_ANSWER), Optional.empty()));
  }

  @Test
  void callWithAnIdThatItsOwnerUsesAlreadyGetsNothingFromWhatIsKept() {
    take(ada, "one");

    assertThat(take(bob, "one").acting()).isEmpty();
  }

  @Test
  void callWithoutACertificateActsForNobody() {
    assertThat(take(null, "one").refusal()).contains(Kind.NOT_ALLOWED);
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callByOneWhomNobodyTrustsActsForNobody() {
    var other = ThrowAwayAuthority.in(folder.resolve("other"), clock);
    var fake = PlayedDelegations.person(other.issuer(), "/C=DE/O=Example/CN=Ada");

    assertThat(take(fake, "one").refusal()).contains(Kind.NOT_ALLOWED);
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callThatTellsTwoDelegationsOrHalfOfOneIsNotUnderstood() {
    String url = service.url().toString();
    String other = stranger.url().toString();

    for (Taken taken :
        List.of(
            take(ada, List.of(url, other), List.of("one")),
            take(ada, List.of(url), List.of("one", "two")),
            take(ada, List.of(url), List.of()),
            take(ada, List.of(), List.of("one")))) {
      assertThat(taken.refusal()).contains(Kind.BAD_REQUEST);
      Trials.held();
    }
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void callThatTellsTheSameInTwoPlacesIsUnderstood() {
    String url = service.url().toString();

    assertThat(take(ada, List.of(url, url), List.of("one", " one ")).acting()).isPresent();
  }

  @Test
  void secondCallOfASessionAcquiresNothing() {
    ActingFor first = take(ada, "one").acting().orElseThrow();
    clock.advance(Duration.ofMinutes(54));

    assertThat(take(ada, "one").acting()).containsSame(first);
    assertThat(acquired()).isEqualTo(1);
  }

  @Test
  void callsAtOnceAcquireOnce() {
    var subjects =
        IntStream.range(0, 20)
            .parallel()
            .mapToObj(i -> take(ada, "one").acting().orElseThrow())
            .distinct()
            .toList();

    assertThat(subjects).hasSize(1);
    assertThat(acquired()).isEqualTo(1);
  }

  @Test
  void proxyIsRenewedBeforeItsEnd() {
    ActingFor first = take(ada, "one").acting().orElseThrow();
    clock.advance(Duration.ofMinutes(56));
    ActingFor second = take(ada, "one").acting().orElseThrow();

    assertThat(second.notAfter()).isAfter(first.notAfter());
    assertThat(second.credential().certificate().getPublicKey())
        .isNotEqualTo(first.credential().certificate().getPublicKey());
  }

  @Test
  void proxyThatCannotBeRenewedServesToItsEndAndNotLonger() {
    ActingFor first = take(ada, "one").acting().orElseThrow();
    service.refuse(503);
    clock.advance(Duration.ofMinutes(56));

    assertThat(take(ada, "one").acting()).containsSame(first);
    clock.advance(Duration.ofMinutes(5));
    assertThat(take(ada, "one"))
        .isEqualTo(new Taken(Optional.of(Kind.UNAVAILABLE), Optional.empty()));
  }

  @Test
  void proxyWhoseDelegationWasEndedServesNoLongerThanUntilItIsRenewed() {
    take(ada, "one");
    service.refuse(404);
    clock.advance(Duration.ofMinutes(56));

    assertThat(take(ada, "one").refusal()).contains(Kind.UNKNOWN);
  }

  @Test
  void delegationThatEndsSoonIsNotAskedForAtEveryCall() {
    service.lifetime(Duration.ofMinutes(4));
    take(ada, "one");
    take(ada, "one");
    assertThat(acquired()).isEqualTo(1);

    clock.advance(Duration.ofSeconds(61));
    take(ada, "one");
    assertThat(acquired()).isEqualTo(2);
  }

  @Test
  void sessionsThatWereNotUsedForTheLongestTimeAreForgotten() {
    for (String id : List.of("one", "two", "three", "four")) {
      service.hold(id, PlayedDelegations.proxy(ada, Duration.ofHours(20), clock));
      take(ada, id);
    }
    take(ada, "one");

    assertThat(acquired()).isEqualTo(5);
  }

  @Test
  void keyIsNotShown() {
    assertThat(take(ada, "one").acting().orElseThrow().toString())
        .startsWith("ActingFor[")
        .contains("Ada")
        .doesNotContain("Key", "Credential");
  }
}
