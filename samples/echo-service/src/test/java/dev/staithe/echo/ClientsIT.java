package dev.staithe.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.AcquireWish;
import dev.staithe.delegation.client.Acquired;
import dev.staithe.delegation.client.ArcClient;
import dev.staithe.delegation.client.Connections;
import dev.staithe.delegation.client.DelegationApi;
import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.delegation.client.DelegationWish;
import dev.staithe.delegation.client.GridSiteClient;
import dev.staithe.delegation.client.HeldDelegation;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.grid.ProxyTerms;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The plain clients in their three languages. Needs mvn package, as {@link ChainIT}. */
final class ClientsIT {
  private static final ProxyTerms TERMS = ProxyTerms.of(Duration.ofHours(6));

  @TempDir static Path folder;
  private static Site site;
  private static URI soap;
  private static Credential se;

  @BeforeAll
  static void start() throws IOException {
    site = new Site(folder);
    soap = site.delegations().resolve("/services/delegation");
    se = site.host("se.example.org").credential();
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  private static <T> T done(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Done<T>(T value) -> value;
      case Outcome.Refused<T>(DelegationRefusal refusal) -> throw new AssertionError(refusal);
    };
  }

  private static Kind kind(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?>(DelegationRefusal refusal) ? refusal.kind() : null;
  }

  private static GridSubject subject(Credential credential) {
    return GridSubject.of(credential.certificate().getSubjectX500Principal());
  }

  private static DelegationApi api(HttpClient http) {
    return new DelegationApi(http, site.delegations(), Site.CLOCK);
  }

  @ParameterizedTest
  @EnumSource
  void gridSiteOfBothVersionsDelegatesRenewsTellsAndDestroys(GridSiteClient.Version version) {
    Credential ada = site.person("/C=DE/O=Example/CN=Ada " + version);
    try (HttpClient http = Connections.as(ada, site.tls())) {
      var client = new GridSiteClient(http, soap, version, KeyRules.standard(), Site.CLOCK);

      HeldDelegation delegated = done(client.delegate(ada, null, TERMS));
      assertThat(done(client.terminationTime(delegated.id()))).isEqualTo(delegated.notAfter());
      HeldDelegation renewed =
          done(client.renew(ada, delegated.id(), ProxyTerms.of(Duration.ofHours(8))));
      assertThat(renewed.id()).isEqualTo(delegated.id());
      assertThat(done(client.terminationTime(renewed.id()))).isEqualTo(renewed.notAfter());
      assertThat(done(client.destroy(renewed.id()))).isEqualTo(renewed.id());
      assertThat(client.terminationTime(renewed.id())).isInstanceOf(Outcome.Refused.class);
      assertThat(done(client.delegate(ada, "my-own", TERMS)).id()).isEqualTo("my-own");
    }
  }

  @Test
  void arcDelegatesAndAcquires() {
    Credential ada = site.person("/C=DE/O=Example/CN=Ada");
    try (HttpClient hers = Connections.as(ada, site.tls());
        HttpClient its = Connections.as(se, site.tls())) {
      HeldDelegation delegated = done(new ArcClient(hers, soap, Site.CLOCK).delegate(ada, TERMS));
      var acquirer = new ArcClient(its, soap, Site.CLOCK);
      AcquireWish wish = AcquireWish.of(subject(ada));

      assertThat(kind(acquirer.acquire(delegated.id(), wish))).isEqualTo(Kind.UNKNOWN);
      done(api(hers).allow(delegated.id(), AcquireRules.of(List.of(subject(se)))));
      Acquired acquired = done(acquirer.acquire(delegated.id(), wish));
      assertThat(acquired.subject()).isEqualTo(subject(ada));
      assertThat(acquired.credential().chain()).hasSize(3);
    }
  }

  @Test
  void ownLanguageTellsAllAboutADelegation() {
    Credential ada = site.person("/C=DE/O=Example/CN=Ben");
    try (HttpClient hers = Connections.as(ada, site.tls());
        HttpClient its = Connections.as(se, site.tls())) {
      var rules = new AcquireRules(List.of(subject(se)), 1, 1, true, Duration.ofHours(1));
      HeldDelegation delegated =
          done(api(hers).delegate(ada, new DelegationWish("mine", null, rules, TERMS)));

      Acquired acquired = done(api(its).acquire("mine", AcquireWish.of(subject(ada))));
      assertThat(kind(api(its).acquire("mine", AcquireWish.of(subject(ada))))).isNotNull();

      var told = done(api(hers).look("mine"));
      assertThat(told.owner()).isEqualTo(subject(ada));
      assertThat(told.rules()).isEqualTo(rules);
      assertThat(told.used()).isEqualTo(1);
      assertThat(told.notAfter()).isEqualTo(delegated.notAfter());
      assertThat(acquired.notAfter()).isBefore(delegated.notAfter());
      assertThat(done(api(hers).list())).containsExactly(told);
      assertThat(done(api(hers).renew(ada, "mine", TERMS)).id()).isEqualTo("mine");
      assertThat(kind(api(hers).renew(ada, "other", TERMS))).isEqualTo(Kind.UNKNOWN);
      done(api(hers).destroy("mine"));
      assertThat(done(api(hers).list())).isEmpty();
      assertThat(kind(api(hers).look("mine"))).isEqualTo(Kind.UNKNOWN);
    }
  }
}
