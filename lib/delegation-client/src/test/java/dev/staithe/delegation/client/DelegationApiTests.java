package dev.staithe.delegation.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.delegation.PlayedDelegations;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DelegationApiTests {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;
  private Credential ada;
  private Credential bob;
  private PlayedDelegations service;
  private HttpClient http;
  private DelegationApi api;

  @BeforeEach
  void start() {
    var issuer = ThrowAwayAuthority.in(folder, CLOCK).issuer();
    ada = PlayedDelegations.person(issuer, "/C=DE/O=Example/CN=Ada");
    bob = PlayedDelegations.person(issuer, "/C=DE/O=Example/CN=Bob");
    service = new PlayedDelegations(CLOCK);
    http = HttpClient.newHttpClient();
    api = new DelegationApi(http, service.url(), CLOCK);
  }

  @AfterEach
  void stop() {
    http.close();
    service.close();
  }

  private static Kind kind(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?>(DelegationRefusal refusal) ? refusal.kind() : null;
  }

  private Outcome<Acquired> acquire(GridSubject delegator) {
    return api.acquire("one", AcquireWish.of(delegator));
  }

  private static GridSubject named(Credential person) {
    return GridSubject.of(person.certificate().getSubjectX500Principal());
  }

  @Test
  void whatIsDelegatedCanBeAcquired() {
    var rules = AcquireRules.of(List.of(named(bob)));
    var wish = new DelegationWish("one", null, rules, ProxyTerms.of(Duration.ofHours(12)));

    assertThat(api.delegate(ada, wish)).isInstanceOf(Outcome.Done.class);
    assertThat(acquire(named(ada)))
        .isInstanceOfSatisfying(
            Outcome.Done.class,
            done -> {
              var acquired = (Acquired) done.value();
              assertThat(acquired.subject()).isEqualTo(named(ada));
              assertThat(acquired.credential().chain()).hasSize(3);
            });
  }

  @Test
  void acquireWhenServiceGivesAProxyForAnotherKeyThenItIsNotTaken() {
    service.hold("one", PlayedDelegations.proxy(ada, Duration.ofHours(2), CLOCK));
    service.signKey(RequestedKey.make(KeyKind.EC_P256).publicKey());

    assertThat(kind(acquire(named(ada)))).isEqualTo(Kind.BAD_ANSWER);
  }

  @Test
  void acquireWhenServiceGivesAnothersProxyThenItIsNotTaken() {
    service.hold("one", PlayedDelegations.proxy(ada, Duration.ofHours(2), CLOCK));
    service.signWith(bob);

    assertThat(kind(acquire(named(ada)))).isEqualTo(Kind.BAD_ANSWER);
    assertThat(acquire(null)).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void refusalSaysWhatTheServiceSays() {
    assertThat(acquire(named(ada)))
        .isEqualTo(
            new Outcome.Refused<Acquired>(
                new DelegationRefusal(Kind.UNKNOWN, "there is no such delegation")));
  }

  @Test
  void refusalWhenServiceIsBusyThenItIsOneThatPasses() {
    service.refuse(503);

    assertThat(kind(acquire(named(ada)))).isEqualTo(Kind.UNAVAILABLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"uses\":9999999999", "\"longest\":1e30", "\"acquirers\":[{}]"})
  void lookWhenServiceTellsRulesInAnotherFormThenTheAnswerIsBad(String rule) {
    String rest = ",\"owner\":\"/C=DE/CN=Ada\",\"notAfter\":\"2030-01-01T00:00:00Z\"}";
    service.tell("{\"id\":\"one\",\"rules\":{" + rule + "}" + rest);

    assertThat(kind(api.look("one"))).isEqualTo(Kind.BAD_ANSWER);
  }

  @Test
  void serviceThatIsNotThereIsToldApart() {
    service.close();

    assertThat(kind(acquire(named(ada)))).isEqualTo(Kind.UNREACHABLE);
  }

  @Test
  void serviceWhoseAnswerTricklesIsNotWaitedForLongerThanAllowed() throws IOException {
    var end = new CountDownLatch(1);
    HttpServer trickling =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    trickling.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    trickling.start();
    try {
      URI url = URI.create("http://localhost:" + trickling.getAddress().getPort());
      var hasty = new DelegationApi(http, url, Duration.ofMillis(300), CLOCK);

      assertThat(kind(hasty.acquire("one", AcquireWish.of(named(ada))))).isEqualTo(Kind.LATE);
    } finally {
      end.countDown();
      trickling.stop(0);
    }
  }

  @Test
  void delegatorIsNeededWhereNoIdIsTold() {
    api.acquireAny(AcquireWish.of(named(ada)));

    assertThat(service.asked()).containsExactly("POST /api/delegations/-/acquire");
    assertThatThrownBy(() -> api.acquireAny(AcquireWish.of(null)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void idWithSlashesStaysOnePartOfThePath() {
    api.destroy("../../other");

    assertThat(service.asked()).containsExactly("DELETE /api/delegations/../../other");
  }

  @Test
  void clientThatFollowsRedirectsIsNotUsed() {
    try (var follows =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build()) {
      assertThatThrownBy(() -> new DelegationApi(follows, URI.create("https://example.org"), CLOCK))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusalIsOneLineWhateverTheServiceSays() {
    assertThat(new DelegationRefusal(Kind.UNKNOWN, "one\ntwo\u202e" + "x".repeat(1000)).line())
        .hasSizeLessThanOrEqualTo(300)
        .startsWith("one two x");
  }

  @Test
  void keyIsNeverShown() {
    service.hold("one", PlayedDelegations.proxy(ada, Duration.ofHours(2), CLOCK));

    assertThat(acquire(null).toString()).doesNotContain("PRIVATE").contains("Ada");
  }
}
