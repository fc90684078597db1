package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.Hash;
import dev.staithe.contracts.LogVerifier;
import dev.staithe.contracts.PartyKey;
import dev.staithe.contracts.PersonAuthorities;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.Received;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.GridAuthority;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People as parties: one server whose areas require contracts, one area with people. */
final class ContractPeopleTests {
  private static final byte[] CONTENT = "bytes of people".getBytes(StandardCharsets.UTF_8);

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
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.people.trust", grid.trust());
    settings.put("staithe.areas[0].contracts.properties[0]", "jurisdiction in [DE]");
    settings.put("staithe.areas[0].contracts.max-open-per-host", 2);
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Mallory,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/");
    settings.put("staithe.areas[1].contracts.mode", "require");
    settings.put("staithe.areas[1].contracts.hosts", "a.example:8443");
    storage = RunningStorage.start(folder.resolve("p"), authority, issuer, settings);
    Files.write(storage.data().resolve("file"), CONTENT);
    Files.write(storage.open().resolve("file"), CONTENT);
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

  private static PersonContract contract(Credential person, String path, String jurisdiction)
      throws Exception {
    return PersonContract.of(
        storage.url(path),
        storage.url(""),
        person,
        Map.of("jurisdiction", jurisdiction),
        Clock.systemUTC());
  }

  private static Curl.Response ask(PersonContract contract, String path) throws Exception {
    Curl curl = storage.curl(path);
    String token = storage.token();
    if (path.startsWith("/data")) {
      curl.token(token);
    }
    contract.ask("", path.startsWith("/data") ? "Bearer " + token : "").forEach(curl::header);
    return curl.run();
  }

  private static Curl.Response tell(PersonContract contract, Received received) throws Exception {
    Curl curl =
        Curl.to(contract.receiptUrl())
            .trusting(authority)
            .method("POST")
            .body(received.encode())
            .header("Content-Type", "application/json");
    contract.receipt(received).forEach(curl::header);
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
    for (String name :
        List.of("Contract", "Content-Length", "Repr-Digest", "Signature-Input", "Signature")) {
      answer
          .header(name.toLowerCase(java.util.Locale.ROOT))
          .ifPresent(value -> fields.put(name, List.of(value)));
    }
    return fields;
  }

  @Test
  void personGetsAFileAndTheStatementNamesHer() throws Exception {
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    for (Credential each : List.of(credential(ada), credential(grid.proxy(ada)))) {
      PersonContract contract = contract(each, "/data/file", "DE");
      Curl.Response answer = ask(contract, "/data/file");
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(CONTENT);
      contract.answered(fields(answer), keys());
      Received received = new Received(true, CONTENT.length, Hash.of(CONTENT), Instant.now());
      Curl.Response stated = tell(contract, received);
      assertThat(stated.status()).as(stated.text()).isEqualTo(201);
      contract.acknowledged(stated.body(), received, keys(), log());
      assertThat(tell(contract, received).body()).as("told twice").isEqualTo(stated.body());
      assertThat(
              new ContractAudit(
                      keys(), log(), new PersonAuthorities(TrustAnchors.read(grid.trust()), null))
                  .run(stated.body()))
          .hasSize(7)
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("CN=Ada,O=Example,C=DE received as a person"));
      assertThat(storage.curl("/.staithe/contracts/" + contract.id()).run().text())
          .contains("\"receiver\":\"CN=Ada,O=Example,C=DE\"", "\"state\":\"received\"");
    }
  }

  @Test
  void personWhoMayNotBeAPartyIsToldWhy() throws Exception {
    Curl.Response browser = storage.curl("/data/file").token(storage.token()).run();
    assertThat(browser.status()).isEqualTo(403);
    assertThat(browser.text()).contains("by contract only", "staithe get URL");

    Credential bob = person("Bob");
    Curl.Response elsewhere = ask(contract(bob, "/open/file", "DE"), "/open/file");
    assertThat(elsewhere.status()).isEqualTo(403);
    assertThat(elsewhere.text()).contains("none with people");
    assertThat(ask(contract(bob, "/data/file", "US"), "/data/file").text())
        .contains("wanted jurisdiction in [DE], offered [US]");
    GridAuthority strange = GridAuthority.in(folder.resolve("strange"), Clock.systemUTC());
    Credential eve = credential(strange.person("/C=DE/O=Example/CN=Bob"));
    assertThat(ask(contract(eve, "/data/file", "DE"), "/data/file").text())
        .contains("not issued by a trusted authority");
    Credential late = credential(grid.expiredPerson("/C=DE/O=Example/CN=Late"));
    assertThat(ask(contract(late, "/data/file", "DE"), "/data/file").text()).contains("expired");
  }

  @Test
  void listOfAnotherPersonThanTheConnectionsIsRefused() throws Exception {
    GridAuthority.Holder mallory = grid.person("/C=DE/O=Example/CN=Mallory");
    assertThat(shown(mallory, contract(person("Carol"), "/data/file", "DE")).text())
        .contains("the property list is by CN=Carol", "the connection by CN=Mallory");
    assertThat(shown(mallory, contract(credential(mallory), "/data/file", "DE")).body())
        .isEqualTo(CONTENT);
  }

  private static Curl.Response shown(GridAuthority.Holder holder, PersonContract contract)
      throws Exception {
    Curl curl =
        storage
            .curl("/data/file")
            .option("cert", holder.certificate().toString())
            .option("key", holder.key().toString());
    contract.ask("", "").forEach(curl::header);
    return curl.run();
  }

  @Test
  void receiptByAnotherKeyIsRefusedAndOpenContractsOfAPersonCount() throws Exception {
    Credential dora = person("Dora");
    PersonContract first = contract(dora, "/data/file", "DE");
    ask(first, "/data/file");
    Received received = new Received(true, CONTENT.length, Hash.of(CONTENT), Instant.now());
    PersonContract other = contract(dora, "/data/file", "DE");
    ask(other, "/data/file");
    Curl forged =
        Curl.to(first.receiptUrl()).trusting(authority).method("POST").body(received.encode());
    other.receipt(received).forEach(forged::header);
    Curl.Response refused = forged.run();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("key that asked for the file");
    assertThat(ask(contract(dora, "/data/file", "DE"), "/data/file").text())
        .contains("CN=Dora", "has not acknowledged");
    assertThat(tell(first, received).status()).isEqualTo(201);
    assertThat(ask(contract(dora, "/data/file", "DE"), "/data/file").status()).isEqualTo(200);
  }
}
