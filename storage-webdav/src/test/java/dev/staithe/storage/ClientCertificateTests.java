package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.OpenSslClient;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and proxies as a credential, shown by {@code curl --cert}. */
class ClientCertificateTests {
  @TempDir static Path shared;
  private static GridAuthority authority;
  private static final String VOMS = "/C=DE/O=Example/CN=voms.test";

  private static GridAuthority.Holder ada;
  private static GridAuthority.Holder bob;

  @TempDir Path folder;
  private RunningStorage storage;

  @BeforeAll
  static void makePeople() {
    authority = GridAuthority.in(shared.resolve("grid"), Clock.systemUTC());
    ada = authority.person("/C=DE/O=Example/CN=Ada");
    bob = authority.person("/C=DE/O=Example/CN=Bob");
  }

  private void start(Map<String, Object> extra) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("staithe.client-certificates.trust", authority.trust());
    properties.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    properties.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    properties.putAll(extra);
    storage = RunningStorage.beside(RunningStorage.shared(), folder.resolve("storage"), properties);
  }

  @AfterEach
  void stop() {
    if (storage != null) {
      storage.close();
    }
  }

  private Curl curl(String path, GridAuthority.Holder holder) {
    return storage
        .curl(path)
        .option("cert", holder.certificate().toString())
        .option("key", holder.key().toString());
  }

  /** The server of an organization, which the storage element believes or not. */
  private Map<String, Object> believing(String vo) throws IOException {
    Path vomsdir = folder.resolve("vomsdir");
    Files.writeString(
        Files.createDirectories(vomsdir.resolve(vo)).resolve("voms.test.lsc"),
        VOMS + "\n" + GridAuthority.NAMESPACE + "/CN=Grid authority\n");
    return Map.of(
        "staithe.voms.trust", vomsdir,
        "staithe.areas[0].voms[0].fqan", "/atlas/Role=production",
        "staithe.areas[0].voms[0].scopes", "storage.modify:/atlas");
  }

  private int written(GridAuthority.Holder by, String path) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "grain");
    return curl(path, by).upload(file).run().status();
  }

  @Test
  void roleOfABelievedOrganizationMayDoWhatItIsGranted() throws IOException {
    start(believing("atlas"));
    Files.createDirectories(storage.data().resolve("atlas"));
    GridAuthority.Holder server = authority.person(VOMS);
    var producer = authority.attributed(bob, server, "atlas", "/atlas/Role=production", "/atlas");
    var member = authority.attributed(bob, server, "atlas", "/atlas");
    var impostor = authority.attributed(bob, bob, "atlas", "/atlas/Role=production");

    assertThat(written(producer, "/data/atlas/one")).isEqualTo(201);
    assertThat(written(authority.proxy(producer), "/data/atlas/two")).isEqualTo(201);
    assertThat(written(producer, "/data/other")).isEqualTo(403);
    assertThat(written(member, "/data/atlas/three")).isEqualTo(403);
    assertThat(written(impostor, "/data/atlas/four")).isEqualTo(403);
    assertThat(written(bob, "/data/atlas/five")).isEqualTo(403);
  }

  /** gfal2 asks so for whoever has no token; what the server sees itself need not be delegated. */
  @ParameterizedTest
  @ValueSource(strings = {"Source", "Destination"})
  void personCopiesWithinTheServerWithoutHavingDelegated(String other) throws IOException {
    start(Map.of());
    Files.createDirectories(storage.data().resolve("ada"));
    Files.writeString(storage.data().resolve("grain"), "grain");
    boolean pull = other.equals("Source");
    for (GridAuthority.Holder who : new GridAuthority.Holder[] {bob, authority.proxy(ada)}) {
      Curl.Response answer =
          curl(pull ? "/data/ada/copied" : "/data/grain", who)
              .method("COPY")
              .header("Credential", "gridsite")
              .header(other, storage.url(pull ? "/data/grain" : "/data/ada/copied"))
              .run();
      if (who == bob) {
        assertThat(answer.status()).isEqualTo(403);
        assertThat(storage.data().resolve("ada/copied")).doesNotExist();
      } else {
        CopyAnswer.ofOurs(answer).succeededHere(5);
        assertThat(storage.data().resolve("ada/copied")).hasContent("grain");
      }
    }
  }

  @Test
  void serverOfAnOrganizationDoesNotSpeakForAnother() throws IOException {
    start(believing("cms"));
    Files.createDirectories(storage.data().resolve("atlas"));
    GridAuthority.Holder server = authority.person(VOMS);

    for (String vo : new String[] {"cms", "atlas"}) {
      var claimed = authority.attributed(bob, server, vo, "/atlas/Role=production");
      assertThat(written(claimed, "/data/atlas/" + vo)).isEqualTo(403);
      Trials.held();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt", "jdk"})
  void personAndItsProxiesMayDoWhatTheirSubjectIsGranted(String provider) throws IOException {
    start(Map.of("staithe.tls.provider", provider));
    Path file = Files.writeString(folder.resolve("file"), "grain");
    Files.createDirectories(storage.data().resolve("ada"));
    int n = 0;
    for (GridAuthority.Holder holder :
        new GridAuthority.Holder[] {
          ada,
          authority.proxy(ada),
          authority.proxy(ada, "-limited"),
          authority.vomsProxy(ada, "-rfc"),
          authority.proxy(authority.proxy(ada))
        }) {
      String path = "/data/ada/file-" + n++;

      assertThat(curl(path, holder).upload(file).run().status()).isEqualTo(201);
      assertThat(curl(path, holder).run().text()).isEqualTo("grain");
      Curl.Response elsewhere = curl("/data/other", holder).upload(file).run();
      assertThat(elsewhere.status()).isEqualTo(403);
      assertThat(elsewhere.text()).contains("CN=Ada,O=Example,C=DE").doesNotContain("CN=proxy");
    }
  }

  @ParameterizedTest
  @CsvSource({"conscrypt,tls1_2", "jdk,tls1_3", "jdk,tls1_2"}) // Conscrypt resumes no TLS 1.3
  void holderIsKnownWhereTheSessionOfTlsIsResumed(String provider, String protocol)
      throws IOException {
    start(Map.of("staithe.tls.provider", provider));
    Files.writeString(storage.data().resolve("file"), "grain");
    OpenSslClient client =
        new OpenSslClient(
            storage.port(),
            storage.authority().certificateFile(),
            authority.proxy(ada),
            protocol,
            folder.resolve("session"));

    OpenSslClient.Answer first = client.get("/data/file");
    OpenSslClient.Answer second = client.get("/data/file");

    assertThat(first.text()).contains("HTTP/1.1 200").contains("grain");
    assertThat(second.text()).contains("HTTP/1.1 200").contains("grain");
    assertThat(second.resumed()).as(second.text()).isTrue();
  }

  @Test
  void certificatesThatAreNotBelievedAreAnsweredWithTheReason() throws IOException {
    GridAuthority other =
        GridAuthority.in(
            folder.resolve("other"), "/C=DE/O=Example/CN=Grid authority", Clock.systemUTC());
    GridAuthority.Holder expired = authority.expiredPerson("/C=DE/O=Example/CN=Ada");
    start(Map.of());

    assertRefused(other.person("/C=DE/O=Example/CN=Ada"), "not issued by a trusted authority");
    assertRefused(expired, "the client certificate expired at");
    assertRefused(authority.person("/C=CH/O=Bank/CN=Ada"), "may not give out");
    assertRefused(authority.proxy(ada, "-independent"), "independent");
    assertRefused(authority.proxy(ada, "-old"), "from before RFC 3820");
    GridAuthority.Holder last = authority.vomsProxy(ada, "-rfc", "-path-length", "0");
    assertThat(curl("/data/", last).run().status()).isEqualTo(200);
    assertRefused(authority.proxy(last), "more proxies below it than it allows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"conscrypt", "jdk"})
  void personWhoseKeyMayNotSignIsNobody(String provider) {
    start(Map.of("staithe.tls.provider", provider));

    // Conscrypt ends the handshake by itself.
    assertThat(curl("/open/", authority.encipheringPerson("/C=DE/O=Example/CN=Ada")).run().status())
        .isIn(0, 401);
  }

  @Test
  void revokedPersonAndItsProxiesAreRefusedWithoutARestart() {
    GridAuthority.Holder eve = authority.person("/C=DE/O=Example/CN=Eve");
    GridAuthority.Holder proxy = authority.proxy(eve);
    start(
        Map.of(
            "staithe.tls.check-interval",
            "1s",
            "staithe.areas[0].subjects[1].subject",
            "/C=DE/O=Example/CN=Eve",
            "staithe.areas[0].subjects[1].scopes",
            "storage.read:/"));
    assertThat(curl("/data/", proxy).run().status()).isEqualTo(200);

    authority.revoke(eve);
    authority.publishRevocations();

    Eventually.holds("revoked", () -> curl("/data/", proxy).run().status() == 401);
    assertRefused(proxy, "the client certificate has been revoked");
    assertRefused(eve, "the client certificate has been revoked");
    assertThat(curl("/data/", ada).run().status()).isEqualTo(200);
  }

  @Test
  void damagedRevocationListLetsNobodyInAgain() throws IOException {
    GridAuthority own = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority.Holder mallory = own.person("/C=DE/O=Example/CN=Ada");
    GridAuthority.Holder next = own.person("/C=DE/O=Example/CN=Ada");
    own.revoke(mallory);
    own.publishRevocations();
    start(
        Map.of(
            "staithe.client-certificates.trust", own.trust(), "staithe.tls.check-interval", "1s"));
    assertThat(curl("/data/", mallory).run().status()).isEqualTo(401);
    assertThat(curl("/data/", next).run().status()).isEqualTo(200);

    for (Path list : lists(own.trust())) {
      Files.writeString(list, "no list any more\n");
    }

    Eventually.holds("health tells", () -> health().contains("\"damaged\":1"));
    assertRefused(mallory, "the client certificate has been revoked");
    assertThat(curl("/data/", next).run().status()).isEqualTo(200);
    assertThat(health()).contains("\"status\":\"UP\"").doesNotContain(folder.toString());
    assertThat(storage.curl("/.staithe/metrics").run().text())
        .contains("staithe_revocation_lists{state=\"damaged\",trust=\"clients\"} 1.0");

    own.revoke(next);
    own.publishRevocations();

    Eventually.holds("a good list counts", () -> curl("/data/", next).run().status() == 401);
    assertThat(health()).contains("\"damaged\":0");
  }

  private static List<Path> lists(Path trust) throws IOException {
    try (Stream<Path> files = Files.list(trust)) {
      return files.filter(file -> file.toString().endsWith(".r0")).toList();
    }
  }

  private String health() {
    return storage.curl("/.staithe/health/certificates").run().text();
  }

  @Test
  void lookAlikesOfAGrantedNameHaveNothing() {
    start(Map.of());
    for (String subject :
        new String[] {
          "/C=DE/O=Example/CN=ada",
          "/C=DE/O=Example/CN=Ad\u0430", // a Cyrillic letter
          "/C=DE/O=Example/CN=Ada ",
          "/C=DE/O=Example/CN=Ada,O=Example,C=DE",
          "/C=DE/O=Example/O=Example/CN=Ada",
          "/C=DE/O=Example/CN=Ada/CN=Ada"
        }) {
      Curl.Response answer = curl("/data/", authority.person(subject)).run();

      assertThat(answer.status()).as(subject).isEqualTo(403);
      assertThat(answer.text()).contains("is nothing here");
      Trials.held();
    }
  }

  @Test
  void tokenCountsAndTheCertificateBesideItDoesNot() throws IOException {
    start(Map.of());
    Files.createDirectories(storage.data().resolve("ada"));
    Path file = Files.writeString(folder.resolve("file"), "grain");
    GridAuthority.Holder expired = authority.expiredPerson("/C=DE/O=Example/CN=Ada");

    assertThat(curl("/data/x", expired).token(storage.token()).upload(file).run().status())
        .isEqualTo(201);
    assertThat(
            curl("/data/ada/x", ada)
                .token(storage.token("storage.read:/"))
                .upload(file)
                .run()
                .status())
        .as("what the certificate grants is not added")
        .isEqualTo(403);
    assertThat(curl("/data/x", ada).token("rubbish").run().status()).isEqualTo(401);
  }

  @Test
  void pageOfAnotherSiteGetsNoLeaveToUseTheCertificate() {
    start(Map.of("staithe.cors.origins", "https://app.example.org"));

    Curl.Response asked =
        curl("/data/ada/x", ada)
            .method("OPTIONS")
            .header("Origin", "https://app.example.org")
            .header("Access-Control-Request-Method", "PUT")
            .run();
    Curl.Response read = curl("/data/", ada).header("Origin", "https://app.example.org").run();

    assertThat(asked.header("Access-Control-Allow-Origin")).isPresent();
    assertThat(asked.header("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(read.header("Access-Control-Allow-Credentials")).isEmpty();
  }

  @Test
  void clientWithoutACertificateIsAnonymous() {
    start(Map.of());

    assertThat(storage.curl("/data/").run().status()).isEqualTo(401);
    assertThat(storage.curl("/open/").run().status()).isEqualTo(200);
  }

  @Test
  void badCertificateIsRefusedInTheHandshakeWhereAsked() {
    start(Map.of("staithe.client-certificates.refuse-in", "handshake"));

    Curl.Response bad = curl("/open/", authority.expiredPerson("/C=DE/O=Example/CN=Ada")).run();

    assertThat(bad.status()).isZero();
    assertThat(bad.exitCode()).isNotZero();
    assertThat(curl("/data/", authority.proxy(ada)).run().status()).isEqualTo(200);
  }

  @Test
  void holderIsKnownOverHttp2OnEveryStream() throws IOException {
    start(Map.of("staithe.http2", true));
    Files.writeString(storage.data().resolve("file"), "grain");

    Curl.Response answer = curl("/data/file", authority.proxy(ada)).flag("http2").run();

    assertThat(answer.version()).isEqualTo("2");
    assertThat(answer.text()).isEqualTo("grain");
  }

  @Test
  void certificateOfAProxyServerIsNotThatOfItsClients() throws IOException {
    start(Map.of("staithe.proxy.trusted", "127.0.0.0/8"));

    assertThat(curl("/data/", ada).run().status()).isEqualTo(200);
    assertThat(curl("/data/", ada).header("X-Forwarded-For", "192.0.2.7").run().status())
        .isEqualTo(401);
  }

  @Test
  void copyIsAdmittedByCertificateAndTakesItsCredentialFromTransferHeaders() throws IOException {
    start(Map.of());
    Files.createDirectories(storage.data().resolve("ada"));
    RunningStorage other = RunningStorage.shared();
    Files.writeString(other.data().resolve("source"), "grain");

    CopyAnswer pulled =
        CopyAnswer.of(
            curl("/data/ada/copy", authority.proxy(ada))
                .method("COPY")
                .header("Source", other.url("/data/source"))
                .header("TransferHeaderAuthorization", "Bearer " + other.token())
                .header("RequireChecksumVerification", "false")
                .run());
    CopyAnswer withoutHeader =
        CopyAnswer.of(
            curl("/data/ada/copy2", authority.proxy(ada))
                .method("COPY")
                .header("Source", other.url("/data/source"))
                .header("RequireChecksumVerification", "false")
                .run());
    Curl.Response delegating =
        curl("/data/ada/copy3", authority.proxy(ada))
            .method("COPY")
            .header("Source", other.url("/data/source"))
            .header("Credential", "gridsite")
            .run();

    assertThat(pulled.last()).startsWith("success");
    assertThat(Files.readString(storage.data().resolve("ada/copy"))).isEqualTo("grain");
    assertThat(withoutHeader.last()).doesNotStartWith("success");
    assertThat(delegating.text()).contains("delegation is not offered");
  }

  private void assertRefused(GridAuthority.Holder holder, String reason) {
    for (String path : new String[] {"/data/", "/open/"}) {
      Curl.Response answer = curl(path, holder).run();
      assertThat(answer.status()).as(answer.text()).isEqualTo(401);
      assertThat(answer.text()).contains(reason);
      assertThat(answer.header("WWW-Authenticate")).hasValue("Bearer realm=\"storage\"");
    }
  }
}
