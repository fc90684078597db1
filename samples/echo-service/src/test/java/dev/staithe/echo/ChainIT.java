package dev.staithe.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.delegation.handlers.ActingFor;
import dev.staithe.delegation.handlers.DelegationPlace;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.ws.soap.client.SoapFaultClientException;

/** Needs mvn package: the delegation-service is the released jar. */
final class ChainIT {
  private static final String A = "a.example.org";
  private static final String B = "b.example.org";
  private static final String C = "c.example.org";

  private static final String NO_FURTHER = "the proxies above allow no further one below them";

  @TempDir static Path folder;
  private static Site site;
  private static RunningEcho a;
  private static RunningEcho b;
  private static RunningEcho c;
  private static int judged;

  @BeforeAll
  static void start() throws IOException {
    site = new Site(folder);
    c = site.acting(C, Map.of());
    b = site.calling(B, c, C, 0);
    a = site.calling(A, b, B, 1);
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  private static Caller caller(Credential person) {
    return new Caller(site, person, site.subject(A), 2);
  }

  private static Credential person(String name) {
    return site.person("/C=DE/O=Example/CN=" + name);
  }

  private static String heard(String said, String name) {
    String user = " for CN=" + name + ",O=Example,C=DE";
    return said + " | " + C + user + " | " + B + user + " | " + A + user;
  }

  @ParameterizedTest
  @EnumSource
  void callBySoapIsMadeForTheUserAtEachOfThreeServices(DelegationPlace where) throws IOException {
    try (var ada = caller(person("Ada " + where))) {
      assertThat(ada.soap(a.url(), "hello", where)).isEqualTo(heard("hello", "Ada " + where));
    }
    judge("Ada " + where);
  }

  @Test
  void callByRestIsMadeForTheUserAtEachOfThreeServices() throws IOException {
    try (var ben = caller(person("Ben"))) {
      assertThat(ben.rest(a.url(), "hello")).isEqualTo(heard("hello", "Ben"));
    }
    judge("Ben");
  }

  private static void judge(String name) throws IOException {
    List<ActingFor> acted = List.of(last(a, name), last(b, name), last(c, name));
    assertThat(acted).extracting(each -> each.credential().chain().size()).containsExactly(3, 5, 7);
    assertThat(acted.get(1).notAfter()).isBeforeOrEqualTo(acted.get(0).notAfter());
    assertThat(acted.get(2).notAfter()).isBeforeOrEqualTo(acted.get(1).notAfter());
    for (ActingFor each : acted) {
      assertThat(each.subject().name()).isEqualTo("CN=" + name + ",O=Example,C=DE");
      assertThat(verified(each.credential())).contains(": OK");
    }
  }

  /** Spring tells of a call after its answer: the caller may have it before. */
  private static ActingFor last(RunningEcho service, String name) {
    Eventually.holds(
        "a call for " + name + " at " + service.url(), () -> acted(service, name).isPresent());
    return acted(service, name).orElseThrow();
  }

  private static Optional<ActingFor> acted(RunningEcho service, String name) {
    return service.acted().stream()
        .filter(each -> each.subject().name().startsWith("CN=" + name + ","))
        .reduce((first, second) -> second);
  }

  private static String verified(Credential proxy) throws IOException {
    Path leaf = folder.resolve("leaf.pem");
    Path above = folder.resolve("above.pem");
    Files.writeString(leaf, Pem.encode(proxy.chain().subList(0, 1)));
    Files.writeString(above, Pem.encode(proxy.chain().subList(1, proxy.chain().size())));
    Path log = folder.resolve("openssl-" + ++judged + ".log");
    try (ManagedProcess openssl =
        ManagedProcess.start(
            List.of(
                "openssl",
                "verify",
                "-allow_proxy_certs",
                "-CAfile",
                site.trust().toString(),
                "-untrusted",
                above.toString(),
                leaf.toString()),
            Map.of(),
            log)) {
      openssl.awaitEnd(Duration.ofMinutes(2));
      return openssl.output();
    }
  }

  @Test
  void secondCallOfASessionDelegatesNothingAndAcquiresNothing() {
    try (var cem = caller(person("Cem"))) {
      cem.rest(a.url(), "one");
      List<String> before = site.audited("CN=Cem");
      cem.rest(a.url(), "two");
      cem.soap(a.url(), "three", DelegationPlace.HEADER);

      assertThat(before).isNotEmpty();
      assertThat(site.audited("CN=Cem")).isEqualTo(before);
    }
    assertThat(last(c, "Cem").credential().certificate())
        .isEqualTo(
            c.acted().stream()
                .filter(each -> each.subject().name().startsWith("CN=Cem,"))
                .findFirst()
                .orElseThrow()
                .credential()
                .certificate());
  }

  @Test
  void serviceThatTheUserDoesNotNameDoesNotAct() {
    try (var dan = new Caller(site, person("Dan"), site.subject(C), 2)) {
      assertThatThrownBy(() -> dan.soap(a.url(), "hello", DelegationPlace.HEADER))
          .isInstanceOf(SoapFaultClientException.class)
          .hasMessageContaining("the delegation cannot be used");
      assertThatThrownBy(() -> dan.rest(a.url(), "hello"))
          .isInstanceOf(HttpClientErrorException.Forbidden.class);
    }
    assertThat(a.acted()).noneMatch(each -> each.subject().name().startsWith("CN=Dan,"));
  }

  @Test
  void chainGoesNoFurtherThanTheUserAllows() {
    try (var eva = new Caller(site, person("Eva"), site.subject(A), 1)) {
      assertThatThrownBy(() -> eva.rest(a.url(), "hello"))
          .isInstanceOf(org.springframework.web.client.RestClientException.class);
    }
    assertThat(c.acted()).noneMatch(each -> each.subject().name().startsWith("CN=Eva,"));
  }

  @Test
  void callerWhoseDelegationGoesNoFurtherIsToldSo() {
    try (var gil = new Caller(site, person("Gil"), site.subject(A), 0)) {
      assertThatThrownBy(() -> gil.rest(a.url(), "hello"))
          .isInstanceOf(HttpClientErrorException.Forbidden.class)
          .hasMessageContaining("the delegation cannot be used: " + NO_FURTHER);
      for (DelegationPlace where : DelegationPlace.values()) {
        assertThatThrownBy(() -> gil.soap(a.url(), "hello", where))
            .isInstanceOf(SoapFaultClientException.class)
            .hasMessageContaining("nothing is delegated, so nothing is called: " + NO_FURTHER);
      }
    }
  }

  @Test
  void proxiesAreForSignaturesOfTheirOwnKeysOnly() {
    try (var fay = caller(person("Fay"))) {
      fay.rest(a.url(), "hello");
    }

    assertThat(List.of(last(a, "Fay"), last(b, "Fay"), last(c, "Fay")))
        .extracting(each -> each.credential().certificate().getPublicKey())
        .doesNotHaveDuplicates();
  }
}
