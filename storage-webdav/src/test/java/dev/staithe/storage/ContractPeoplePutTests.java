package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.PersonOffer;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonAuthorities;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People who bring files: one server that agrees with them, one area of it that does not. */
final class ContractPeoplePutTests {
  private static final byte[] CONTENT = "bytes of people".getBytes(StandardCharsets.UTF_8);
  private static final String TERMS = "ab".repeat(32);

  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static GridAuthority grid;
  private static RunningStorage storage;

  @BeforeAll
  static void start() throws Exception {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    Path key = folder.resolve("contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    int port = FreePort.next();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.client-certificates.trust", grid.trust());
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve("contracts"));
    settings.put("staithe.contracts.host.jurisdiction", "NL");
    settings.put("staithe.contracts.accepted-terms[0]", TERMS);
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.people.trust", grid.trust());
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Mallory,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/");
    settings.put("staithe.areas[1].contracts.mode", "require");
    settings.put("staithe.areas[1].contracts.hosts", "a.example:8443");
    storage = RunningStorage.start(folder.resolve("r"), authority, issuer, settings);
  }

  @AfterAll
  static void stop() {
    storage.close();
    issuer.close();
  }

  private static Credential person(String name) throws Exception {
    return credential(grid.person("/C=DE/O=Example/CN=" + name));
  }

  private static Credential credential(GridAuthority.Holder holder) throws Exception {
    return Credential.read(holder.certificate(), holder.key());
  }

  private static PersonOffer by(Credential person, String path, Clock clock) throws Exception {
    return PersonOffer.of(
        storage.url(path),
        storage.url(""),
        PersonSigner.byCertificate(person, Map.of("purpose", "archive"), clock));
  }

  private static PersonOffer by(Credential person, String path) throws Exception {
    return by(person, path, Clock.systemUTC());
  }

  private static Map<String, String> offered(PersonOffer offer, String token) throws Exception {
    return offer.offer(CONTENT.length, Hash.of(CONTENT), "", "Bearer " + token);
  }

  private static Curl.Response post(String path, String token, Map<String, String> fields) {
    Curl curl = storage.curl(path).token(token).method("POST").header("Content-Length", "0");
    fields.forEach(curl::header);
    return curl.run();
  }

  private static PersonOffer agreed(Credential person, String path, String token) throws Exception {
    PersonOffer offer = by(person, path);
    Curl.Response answer = post(path, token, offered(offer, token));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(offer.agreed(fields(answer), keys()).values()).containsEntry("jurisdiction", "NL");
    return offer;
  }

  private static Curl.Response put(
      String path, String token, Map<String, String> fields, byte[] body) throws Exception {
    Path file = Files.createTempFile(folder, "body", "");
    Files.write(file, body);
    Curl curl = storage.curl(path).token(token).upload(file);
    fields.forEach(curl::header);
    return curl.run();
  }

  private static Curl.Response ask(PersonOffer of, PersonOffer by) throws Exception {
    Curl curl = Curl.to(of.statementUrl()).trusting(authority).method("POST").body("");
    by.ask().forEach(curl::header);
    return curl.run();
  }

  private static Map<String, PartyKey> keys() throws Exception {
    return PartyKey.readSet(storage.curl("/.well-known/jwks.json").run().text());
  }

  private static LogVerifier log() {
    String host = storage.curl("/.well-known/staithe-host").run().text();
    return LogVerifier.parse(
        host.replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1").replace("\\/", "/"));
  }

  private static Map<String, List<String>> fields(Curl.Response answer) {
    Map<String, List<String>> fields = new HashMap<>();
    for (String name : List.of("Contract", "Host-Properties", "Signature-Input", "Signature")) {
      answer
          .header(name.toLowerCase(Locale.ROOT))
          .ifPresent(value -> fields.put(name, List.of(value)));
    }
    return fields;
  }

  private static void refused(Curl.Response answer, int status, String why) {
    assertThat(answer.text()).contains(why);
    assertThat(answer.status()).isEqualTo(status);
  }

  private static KeptContracts.Row row(PersonOffer offer) {
    return KeptContracts.live(folder.resolve("contracts")).stream()
        .filter(row -> row.id().equals(offer.id()))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitRefused(PersonOffer offer) {
    Eventually.holds("nothing is kept of it", () -> row(offer).state().equals("refused"));
  }

  @Test
  void personPutsAFileAndTheStatementNamesHer() throws Exception {
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    for (Credential each : List.of(credential(ada), credential(grid.proxy(ada)))) {
      String token = storage.token();
      PersonOffer offer = agreed(each, "/data/of-ada", token);
      refused(ask(offer, offer), 404, "no such contract");
      Curl.Response answer = put("/data/of-ada", token, offer.deliver(), CONTENT);
      assertThat(answer.status()).as(answer.text()).isIn(201, 204);
      assertThat(storage.data().resolve("of-ada")).hasBinaryContent(CONTENT);

      Curl.Response stated = ask(offer, offer);
      assertThat(stated.status()).as(stated.text()).isEqualTo(201);
      offer.stated(stated.body(), keys(), log());
      assertThat(ask(offer, offer).body()).as("asked for twice").isEqualTo(stated.body());
      assertThat(
              new ContractAudit(
                      keys(), log(), new PersonAuthorities(TrustAnchors.read(grid.trust()), null))
                  .run(stated.body()))
          .hasSize(7)
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("CN=Ada,O=Example,C=DE brought as a person"))
          .anyMatch(f -> f.line().contains("{purpose=archive}"))
          .anyMatch(f -> f.line().contains("said of itself ") && f.line().contains("=NL"));
      PersonOffer other = agreed(each, "/data/other", token);
      assertThatThrownBy(() -> other.stated(stated.body(), keys(), log()))
          .isInstanceOf(BadSignature.class)
          .hasMessageContaining("something else");
      assertThat(storage.curl("/.staithe/contracts/" + offer.id()).run().text())
          .contains("\"sender\":\"CN=Ada,O=Example,C=DE\"", "\"state\":\"acknowledged\"");
    }
  }

  @Test
  void uploadWithoutContractIsAsEver() throws Exception {
    assertThat(put("/data/plain", storage.token(), Map.of(), CONTENT).status()).isEqualTo(201);
  }

  @Test
  void personWhoMayNotBeAPartyIsToldWhy() throws Exception {
    String token = storage.token();
    Credential bob = person("Bob");
    refused(post("/open/f", token, offered(by(bob, "/open/f"), token)), 403, "none with people");
    GridAuthority strange = GridAuthority.in(folder.resolve("strange"), Clock.systemUTC());
    Credential eve = credential(strange.person("/C=DE/O=Example/CN=Bob"));
    refused(
        post("/data/f", token, offered(by(eve, "/data/f"), token)),
        403,
        "not issued by a trusted authority");
    Credential late = credential(grid.expiredPerson("/C=DE/O=Example/CN=Late"));
    refused(post("/data/f", token, offered(by(late, "/data/f"), token)), 403, "expired");
    MutableClock clock = MutableClock.at(Instant.now().minus(Duration.ofHours(2)));
    PersonOffer old = by(bob, "/data/f", clock);
    clock.set(Instant.now());
    refused(post("/data/f", token, offered(old, token)), 403, "not of this hour");
    PersonOffer terms = by(bob, "/data/f");
    refused(
        post(
            "/data/f",
            token,
            terms.offer(CONTENT.length, Hash.of(CONTENT), "cd".repeat(32), "Bearer " + token)),
        403,
        "are not accepted here");
    assertThat(
            post(
                    "/data/f",
                    token,
                    terms.offer(CONTENT.length, Hash.of(CONTENT), TERMS, "Bearer " + token))
                .status())
        .isEqualTo(200);
    String unable = storage.token("storage.read:/");
    assertThat(post("/data/f", unable, offered(by(bob, "/data/f"), unable)).status())
        .isEqualTo(403);
    assertThat(storage.data().resolve("f")).doesNotExist();
    Trials.held(6);
  }

  @Test
  void whatIsReplayedOrOfAnotherPersonOrOtherBytesIsRefused() throws Exception {
    String token = storage.token();
    Credential carol = person("Carol");
    GridAuthority.Holder mallory = grid.person("/C=DE/O=Example/CN=Mallory");

    PersonOffer twice = by(carol, "/data/attacked");
    Map<String, String> offer = offered(twice, token);
    assertThat(post("/data/attacked", token, offer).status()).isEqualTo(200);
    refused(post("/data/attacked", token, offer), 409, "offered before");

    refused(
        shown(mallory, "POST", offered(by(carol, "/data/attacked"), "")),
        403,
        "the connection by CN=Mallory");
    PersonOffer ofCarol = agreed(carol, "/data/attacked", token);
    refused(shown(mallory, "PUT", ofCarol.deliver()), 403, "the connection by CN=Mallory");
    Map<String, String> hers =
        new LinkedHashMap<>(agreed(credential(mallory), "/data/attacked", token).deliver());
    hers.put("Contract", ofCarol.deliver().get("Contract"));
    refused(put("/data/attacked", token, hers, CONTENT), 403, "by another than offered it");
    PersonOffer otherKey = agreed(carol, "/data/attacked", token);
    Map<String, String> other = new LinkedHashMap<>(otherKey.deliver());
    other.put("Contract", ofCarol.deliver().get("Contract"));
    refused(put("/data/attacked", token, other, CONTENT), 403, "by another than offered it");
    refused(
        put("/data/attacked", storage.token(), ofCarol.deliver(), CONTENT),
        403,
        "another credential");
    refused(
        put("/data/elsewhere", token, ofCarol.deliver(), CONTENT),
        403,
        "not by the key that it names");
    refused(
        put("/data/attacked", token, ofCarol.deliver(), new byte[1]),
        403,
        "not by the key that it names");
    assertThat(storage.data().resolve("attacked")).doesNotExist();

    PersonOffer lying = agreed(carol, "/data/attacked", token);
    refused(
        put("/data/attacked", token, lying.deliver(), new byte[CONTENT.length]),
        412,
        "checksum mismatch");
    awaitRefused(lying);
    refused(ask(lying, lying), 409, "no file has its name");
    assertThat(storage.data().resolve("attacked")).doesNotExist();

    Map<String, String> delivery = ofCarol.deliver();
    assertThat(put("/data/attacked", token, delivery, CONTENT).status()).isEqualTo(201);
    refused(put("/data/attacked", token, delivery, CONTENT), 403, "nothing was agreed");
    refused(ask(ofCarol, lying), 403, "or brought it");
    Trials.held(12);
  }

  /** On a connection by that person's certificate, without a token. */
  private static Curl.Response shown(
      GridAuthority.Holder holder, String method, Map<String, String> fields) throws Exception {
    Path file = Files.createTempFile(folder, "body", "");
    Files.write(file, method.equals("PUT") ? CONTENT : new byte[0]);
    Curl curl =
        storage
            .curl("/data/attacked")
            .option("cert", holder.certificate().toString())
            .option("key", holder.key().toString())
            .upload(file)
            .method(method);
    fields.forEach(curl::header);
    return curl.run();
  }

  @Test
  void fileThatBreaksOffOrGetsNoNameHasNoStatement() throws Exception {
    String token = storage.token();
    Credential dora = person("Dora");
    PersonOffer cut = agreed(dora, "/data/cut", token);
    try (Slow broken = new Slow("/data/cut", token, cut.deliver())) {
      broken.half();
    }
    awaitRefused(cut);
    refused(ask(cut, cut), 409, "no file has its name");
    assertThat(storage.data().resolve("cut")).doesNotExist();

    PersonOffer late = agreed(dora, "/data/late", token);
    Map<String, String> fields = new LinkedHashMap<>(late.deliver());
    fields.put("If-None-Match", "*");
    byte[] first = "another".getBytes(StandardCharsets.UTF_8);
    try (Slow overtaken = new Slow("/data/late", token, fields)) {
      overtaken.half();
      assertThat(put("/data/late", token, Map.of(), first).status()).isEqualTo(201);
      assertThat(overtaken.rest()).contains(" 412 ");
    }
    awaitRefused(late);
    refused(ask(late, late), 409, "no file has its name");
    assertThat(storage.data().resolve("late")).hasBinaryContent(first);
    assertThat(row(late).own()).as("given to nobody").isNullOrEmpty();
  }

  /** A PUT that comes in two halves. */
  private static final class Slow implements AutoCloseable {
    private final Socket socket;

    Slow(String path, String token, Map<String, String> fields) throws IOException {
      URI url = URI.create(storage.url(path));
      socket =
          authority.clientContext().getSocketFactory().createSocket("localhost", url.getPort());
      socket.setSoTimeout((int) Eventually.LONGEST.toMillis());
      StringBuilder head = new StringBuilder("PUT " + path + " HTTP/1.1\r\n");
      Map<String, String> all = new LinkedHashMap<>(fields);
      all.put("Host", url.getAuthority());
      all.put("Authorization", "Bearer " + token);
      all.put("Content-Length", String.valueOf(CONTENT.length));
      all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      write((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }

    /** When this returns the server has begun to take it. */
    void half() throws IOException {
      write(Arrays.copyOf(CONTENT, CONTENT.length / 2));
      Eventually.holds("it has begun", () -> agreedRows() > 0);
    }

    /** The first line of the answer. */
    String rest() throws IOException {
      write(Arrays.copyOfRange(CONTENT, CONTENT.length / 2, CONTENT.length));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }

    private static long agreedRows() {
      return KeptContracts.live(folder.resolve("contracts")).stream()
          .filter(row -> row.state().equals("agreed"))
          .count();
    }
  }
}
