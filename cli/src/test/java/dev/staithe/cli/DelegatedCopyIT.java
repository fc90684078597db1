package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.Connections;
import dev.staithe.delegation.client.DelegationApi;
import dev.staithe.delegation.client.DelegationWish;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.delegation.client.StandardId;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code Credential: gridsite}: two storage elements of ours and a delegation-service, each a
 * process of its own from its jar, and a user with {@code curl} and a proxy. Needs {@code mvn
 * package} of both.
 */
class DelegatedCopyIT {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final Path SERVICE =
      Path.of("../delegation-service/target/delegation-service.jar");

  @TempDir static Path folder;
  private static GridAuthority people;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static GridSubject element;
  private static ClientTls tls;
  private static ManagedProcess service;
  private static String url;
  private static StorageElement passive;
  private static StorageElement active;

  @BeforeAll
  static void start() throws IOException {
    people = GridAuthority.in(folder.resolve("grid"), CLOCK);
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), CLOCK);
    issuer = TokenIssuer.overHttps(authority, CLOCK);
    tls =
        ClientTls.open(
            ClientTlsSettings.of(authority.certificateFile()),
            TlsProvider.choose(TlsProvider.Choice.JDK),
            CLOCK);
    ThrowAwayAuthority.Host host = authority.localhost();
    element = GridSubject.of(host.credential().certificate().getSubjectX500Principal());
    Path trust =
        Files.writeString(
            folder.resolve("trust.pem"),
            Files.readString(people.certificate()) + Files.readString(authority.certificateFile()));
    int port = FreePort.next();
    url = "https://localhost:" + port;
    service =
        ManagedProcess.start(
            ReleasedJar.command(
                SERVICE,
                List.of(
                    "--server.address=127.0.0.1",
                    "--server.port=" + port,
                    "--staithe.url=" + url,
                    "--staithe.state=" + folder.resolve("delegations"),
                    "--staithe.tls.certificate=" + host.certificate(),
                    "--staithe.tls.key=" + host.key(),
                    "--staithe.client-certificates.trust=" + trust,
                    // Seconds of a busy machine are not to be spent on keys that nobody takes.
                    "--staithe.keys.kind=p-256",
                    "--staithe.keys.pool.size=0")),
            Map.of(),
            folder.resolve("delegation-service.log"));
    service.awaitPort(port, Programs.LONGEST);
    passive = element("a", null);
    active = element("b", url).ready();
    passive.ready();
  }

  @AfterAll
  static void stop() {
    active.close();
    passive.close();
    service.close();
    tls.close();
    issuer.close();
  }

  /**
   * Starts a storage element without contracts.
   *
   * @param delegations where it asks for delegations; null: nowhere
   */
  private static StorageElement element(String name, @Nullable String delegations) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("staithe.areas[0].contracts.mode", "off");
    settings.put("staithe.client-certificates.trust", people.trust().toString());
    List<String> names = List.of("Ada", "Bob", "Carl", "Dora", "Emil", "Fay", "Gus", "Hal");
    for (int i = 0; i < names.size(); i++) {
      String subject = "staithe.areas[0].subjects[" + i + "].";
      settings.put(subject + "subject", GridAuthority.NAMESPACE + "/CN=" + names.get(i));
      settings.put(subject + "scopes", "storage.read:/ storage.modify:/");
    }
    if (delegations != null) {
      settings.put("staithe.delegation.url", delegations);
      settings.put("staithe.delegation.timeout", name.equals("c") ? "1s" : "60s");
    }
    int port = FreePort.next();
    return new StorageElement(folder.resolve(name), port, port, authority, issuer, settings);
  }

  private static GridAuthority.Holder person(String name) {
    return people.person(GridAuthority.NAMESPACE + "/CN=" + name);
  }

  /** Asks the service as somebody. */
  private static void as(GridAuthority.Holder holder, Consumer<DelegationApi> action)
      throws IOException {
    try (HttpClient http =
        Connections.as(Credential.read(holder.certificate(), holder.key()), tls)) {
      action.accept(new DelegationApi(http, URI.create(url), CLOCK));
    }
  }

  private static void delegate(GridAuthority.Holder holder, Duration lifetime, AcquireRules rules)
      throws IOException {
    delegate(holder, null, lifetime, rules);
  }

  private static void delegate(
      GridAuthority.Holder holder, String id, Duration lifetime, AcquireRules rules)
      throws IOException {
    Credential by = Credential.read(holder.certificate(), holder.key());
    as(
        holder,
        api ->
            assertThat(
                    api.delegate(by, new DelegationWish(id, null, rules, ProxyTerms.of(lifetime))))
                .isInstanceOf(Outcome.Done.class));
  }

  private static void delegate(GridAuthority.Holder holder) throws IOException {
    delegate(holder, Duration.ofHours(2), AcquireRules.of(List.of(element)));
  }

  private static Curl copy(String url, GridAuthority.Holder holder, String direction, String to) {
    return Curl.to(url)
        .trusting(authority)
        .option("cert", holder.certificate().toString())
        .option("key", holder.key().toString())
        .method("COPY")
        .header("Credential", "gridsite")
        .header("RequireChecksumVerification", "false")
        .header(direction, to);
  }

  private static Curl pull(GridAuthority.Holder holder, String name) {
    return copy(active.url("/data/" + name), holder, "Source", passive.url("/data/" + name));
  }

  private static void source(String element, String name) throws IOException {
    Files.writeString(folder.resolve(element + "/data/" + name), "grain");
  }

  private static void assertCopied(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(202);
    assertThat(answer.text()).contains("Stripe Bytes Transferred: 5\n");
    assertThat(answer.text().lines().toList()).last().isEqualTo("success: Created");
  }

  private static void assertAsksToDelegate(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(302);
    assertThat(answer.header("X-Delegate-To")).hasValue(url + "/services/delegation");
    assertThat(answer.text()).contains("has delegated nothing to " + element);
  }

  private static void assertPassiveServed(String name, String subject) {
    Eventually.holds(
        "the passive party's access log names the user",
        () ->
            passive
                .output()
                .lines()
                .anyMatch(line -> line.contains("/data/" + name) && line.contains(subject)));
  }

  @Test
  void pullIsMadeInTheNameOfTheUserWhoDelegated() throws IOException {
    GridAuthority.Holder ada = person("Ada");
    delegate(ada);
    source("a", "pulled");
    source("a", "pulled-again");

    assertCopied(pull(people.proxy(ada), "pulled").run());
    // A limited caller does not gain by us, and may copy as it may read and write.
    assertCopied(pull(people.proxy(ada, "-limited"), "pulled-again").run());

    assertThat(folder.resolve("b/data/pulled")).hasContent("grain");
    assertPassiveServed("pulled", "CN=Ada,O=Example,C=DE");
    assertThat(active.output() + passive.output()).doesNotContain("PRIVATE KEY");
  }

  @Test
  void pushIsMadeInTheNameOfTheUserWhoDelegated() throws IOException {
    GridAuthority.Holder bob = person("Bob");
    delegate(bob);
    source("b", "pushed");

    assertCopied(
        copy(
                active.url("/data/pushed"),
                people.proxy(bob),
                "Destination",
                passive.url("/data/pushed"))
            .run());

    assertThat(folder.resolve("a/data/pushed")).hasContent("grain");
    assertPassiveServed("pushed", "CN=Bob,O=Example,C=DE");
  }

  /** As dCache's clients do it: sent to delegate, they do so and come again. */
  @Test
  void whoHasNotDelegatedIsToldWhereAndMayComeAgain() throws IOException {
    GridAuthority.Holder carl = person("Carl");
    source("a", "later");

    Curl.Response first = pull(carl, "later").run();
    assertAsksToDelegate(first);
    String again = first.header("Location").orElseThrow();
    assertThat(again).isEqualTo(active.url("/data/later?asked-to-delegate=true"));

    String passiveUrl = passive.url("/data/later");
    Curl.Response insisting = copy(again, carl, "Source", passiveUrl).run();
    assertThat(insisting.status()).as(insisting.text()).isEqualTo(401);
    assertThat(insisting.header("Location")).isEmpty();
    assertThat(folder.resolve("b/data/later")).doesNotExist();

    delegate(carl);
    assertCopied(copy(again, carl, "Source", passiveUrl).run());
  }

  @Test
  void delegationThatDoesNotNameTheElementIsAsNone() throws IOException {
    GridAuthority.Holder dora = person("Dora");
    delegate(
        dora,
        Duration.ofHours(2),
        AcquireRules.of(List.of(GridSubject.parse("CN=transfer.example.org"))));
    source("a", "not-named");

    assertAsksToDelegate(pull(dora, "not-named").run());
  }

  @Test
  void delegationWhoseUsesAreTakenIsRefusedAndOneThatIsDestroyedIsAsNone() throws IOException {
    GridAuthority.Holder emil = person("Emil");
    delegate(emil, Duration.ofHours(2), new AcquireRules(List.of(element), 1, 0, false, null));
    source("a", "once");
    source("a", "twice");

    assertCopied(pull(emil, "once").run());
    Curl.Response twice = pull(emil, "twice").run();
    assertThat(twice.status()).as(twice.text()).isEqualTo(403);
    assertThat(twice.text()).contains("all uses of this delegation are taken");
    assertThat(folder.resolve("b/data/twice")).doesNotExist();

    as(
        emil,
        api ->
            assertThat(
                    api.destroy(
                        StandardId.of(
                            GridSubject.parse(GridAuthority.NAMESPACE + "/CN=Emil"), List.of())))
                .isInstanceOf(Outcome.Done.class));
    assertAsksToDelegate(pull(emil, "twice").run());
  }

  /** GridSite's clients let the service choose an id, which their COPY does not tell. */
  @Test
  void delegationOfAnyIdServesWhereItIsTheOnlyOneAndElseTheStandardOne() throws IOException {
    GridAuthority.Holder gus = person("Gus");
    AcquireRules rules = AcquireRules.of(List.of(element));
    source("a", "only");
    source("a", "one-of-several");

    delegate(gus, "night", Duration.ofHours(2), rules);
    assertCopied(pull(gus, "only").run());

    delegate(gus, "day", Duration.ofHours(2), rules);
    Curl.Response several = pull(gus, "one-of-several").run();
    assertThat(several.status()).as(several.text()).isEqualTo(409);
    assertThat(several.text()).contains("several delegations of").hasLineCount(1);

    delegate(gus);
    assertCopied(pull(gus, "one-of-several").run());
  }

  @Test
  void delegationThatHasEndedIsAsNone() throws IOException {
    GridAuthority.Holder fay = person("Fay");
    Duration lifetime = Duration.ofSeconds(5);
    delegate(fay, lifetime, AcquireRules.of(List.of(element)));
    Instant end = CLOCK.instant().plus(lifetime);
    source("a", "ended");
    // Each question is a copy until then.
    Eventually.holds("its time is over", () -> CLOCK.instant().isAfter(end));

    Eventually.holds(
        "the delegation has ended",
        () -> {
          Curl.Response answer = pull(fay, "ended").header("Overwrite", "T").run();
          return answer.status() == 302 && answer.header("X-Delegate-To").isPresent();
        });
  }

  /** The user reads that delegating anew helps, and it does, long before the old one ends. */
  @Test
  void delegationThatCanMakeNoProxyIsAskedForAnew() throws IOException {
    GridAuthority.Holder hal = person("Hal");
    source("a", "no-further");
    Credential by = Credential.read(hal.certificate(), hal.key());
    as(
        hal,
        api ->
            assertThat(
                    api.delegate(
                        by,
                        new DelegationWish(
                            null,
                            null,
                            AcquireRules.of(List.of(element)),
                            ProxyTerms.of(Duration.ofHours(2)).withPathLength(0))))
                .isInstanceOf(Outcome.Done.class));

    Curl.Response answer = pull(hal, "no-further").run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(302);
    assertThat(answer.header("X-Delegate-To")).hasValue(url + "/services/delegation");
    assertThat(answer.text()).contains("allow no further one below them").hasLineCount(1);

    delegate(hal);
    assertCopied(pull(hal, "no-further").run());
  }

  @Test
  void tokenAloneCannotHaveDelegated() {
    Curl.Response answer =
        Curl.to(active.url("/data/by-token"))
            .trusting(authority)
            .token(active.token())
            .method("COPY")
            .header("Credential", "gridsite")
            .header("Source", passive.url("/data/by-token"))
            .run();

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("needs a client certificate").hasLineCount(1);
  }

  @Test
  void serviceThatIsSlowOrDownIsToldInOneLineBeforeAnyByteMoves() throws IOException {
    GridAuthority.Holder ada = person("Ada");
    source("a", "no-service");
    int port = FreePort.next();
    try (StorageElement alone = element("c", "https://localhost:" + port).ready()) {
      String target = alone.url("/data/x");
      String from = passive.url("/data/no-service");

      Curl.Response down = copy(target, ada, "Source", from).run();
      assertInOneLine(down, 503, "nobody listens there");
      assertThat(down.header("Retry-After")).isPresent();

      // Accepts connections by the queue of the kernel, and never speaks.
      try (var silent = new ServerSocket(port, 8, InetAddress.getLoopbackAddress())) {
        assertThat(silent.isBound()).isTrue();
        assertInOneLine(copy(target, ada, "Source", from).run(), 504, "gave no answer within");
      }
      assertThat(folder.resolve("c/data/x")).doesNotExist();
    }
    assertThat(passive.output()).doesNotContain("no-service");
  }

  private static void assertInOneLine(Curl.Response answer, int status, String words) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.text()).contains("delegation-service", words);
    assertThat(answer.text().lines()).hasSize(1);
  }
}
