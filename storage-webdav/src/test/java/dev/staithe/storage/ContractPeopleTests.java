package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.PersonOffer;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonAuthorities;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.FreshKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.SigningKey;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenDraft;
import dev.staithe.testkit.trust.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
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
    settings.put("staithe.areas[0].contracts.people.issuers[0].issuer", issuer.issuer());
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
        PersonSigner.byCertificate(
            person, Map.of("jurisdiction", jurisdiction), Clock.systemUTC()));
  }

  private static Curl.Response ask(PersonContract contract, String path) throws Exception {
    return ask(contract, path, storage.token());
  }

  private static Curl.Response ask(PersonContract contract, String path, String token)
      throws Exception {
    Curl curl = storage.curl(path);
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

  /** An ID token as authn-service gives it, which names that key. */
  private static TokenDraft idToken(JWK key) {
    return issuer
        .token()
        .header("typ", "dpop+id_token")
        .subject("ada")
        .audience("staithe/command")
        .claim("cnf", Map.of("jwk", key.toPublicJWK().toJSONObject()));
  }

  private static JWK keyOf(FreshKey key) throws Exception {
    return SignedJWT.parse(key.proof("POST", "https://x", Clock.systemUTC())).getHeader().getJWK();
  }

  private static PersonSigner loggedIn() throws Exception {
    FreshKey key = FreshKey.make();
    return PersonSigner.byIdToken(
        key, idToken(keyOf(key)).sign(), Map.of("jurisdiction", "DE"), Clock.systemUTC());
  }

  private static PersonContract contract(PersonSigner by) {
    return PersonContract.of(storage.url("/data/file"), storage.url(""), by);
  }

  /** A token that permits to read. */
  private static String accessOf(String subject) {
    return issuer
        .token()
        .subject(subject)
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
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
  void personWithALoginAloneGetsAFileAndTheStatementNamesHer() throws Exception {
    String who = "openid:iss=" + issuer.issuer() + " sub=ada";
    PersonSigner ada = loggedIn();
    PersonContract contract = contract(ada);
    Curl.Response answer = ask(contract, "/data/file", accessOf("ada"));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(CONTENT);
    contract.answered(fields(answer), keys());
    assertThat(ask(contract(ada), "/data/file", accessOf("ada")).status()).isEqualTo(200);
    assertThat(ask(contract(loggedIn()), "/data/file", accessOf("ada")).text())
        .as("whatever key she has")
        .contains(who, "has not acknowledged");
    Received received = new Received(true, CONTENT.length, Hash.of(CONTENT), Instant.now());
    Curl.Response stated = tell(contract, received);
    assertThat(stated.status()).as(stated.text()).isEqualTo(201);
    contract.acknowledged(stated.body(), received, keys(), log());
    assertThat(
            new ContractAudit(keys(), log(), PersonAuthorities.of(null, issuer.keySet()))
                .run(stated.body()))
        .hasSize(7)
        .allMatch(ContractAudit.Finding::good)
        .anyMatch(f -> f.line().contains(who + " received as a person, by the ID token"))
        .anyMatch(f -> f.line().contains("which a key of that issuer signed"));
    assertThat(storage.curl("/.staithe/contracts/" + contract.id()).run().text())
        .contains("\"receiver\":\"" + who + "\"", "\"state\":\"received\"");
  }

  /** A list that no client of ours would sign, in place of a good one. */
  private static Curl.Response forged(String idToken, JWK by, String access) throws Exception {
    SignedJWT list =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("hpl+jwt")).build(),
            new JWTClaimsSet.Builder()
                .issuer("openid:iss=" + issuer.issuer() + " sub=ada")
                .issueTime(new Date())
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .claim("eat_profile", "tag:staithe.dev,2026:person-properties")
                .claim("host", Map.of("jurisdiction", "DE"))
                .claim("id_token", idToken)
                .build());
    list.sign(new ECDSASigner(by.toECKey()));
    Map<String, String> fields = new HashMap<>(contract(loggedIn()).ask("", "Bearer " + access));
    fields.put("Host-Properties", list.serialize());
    Curl curl = storage.curl("/data/file").token(access);
    fields.forEach(curl::header);
    return curl.run();
  }

  private static void refused(TokenDraft idToken, JWK by, String line) throws Exception {
    refused(idToken.sign(), by, line);
  }

  private static void refused(String idToken, JWK by, String line) throws Exception {
    Curl.Response answer = forged(idToken, by, accessOf("ada"));
    assertThat(answer.status()).as(line).isEqualTo(403);
    assertThat(answer.text()).contains(line);
  }

  @Test
  void idTokenThatDoesNotVouchForTheKeyAndThePersonIsRefused() throws Exception {
    ECKey key = new ECKeyGenerator(Curve.P_256).generate();
    assertThat(forged(idToken(key).sign(), key, accessOf("ada")).text())
        .as("all but the signature is good")
        .contains("the signature is not by the key that the property list names");
    refused(idToken(key).without("cnf"), key, "names no key (cnf)");
    refused(idToken(key), new ECKeyGenerator(Curve.P_256).generate(), "not signed by the key");
    refused(idToken(key).header("typ", "JWT"), key, "not of type dpop+id_token");
    refused(idToken(key).lifetime(Duration.ofMinutes(-5)), key, "the ID token has expired");
    Instant later = Instant.now().plusSeconds(300);
    refused(idToken(key).claim("iat", later.getEpochSecond()), key, "do the clocks agree");
    refused(idToken(key).audience("another"), key, "for another client: audience another");
    refused(idToken(key).subject("x".repeat(300)), key, "sub that could be in a contract");
    refused(idToken(key).subject("bob"), key, "or of somebody else");
    refused(idToken(key).claim("iss", "https://elsewhere.example"), key, "or of somebody else");
    SigningKey stranger = SigningKey.generate(issuer.key().kid(), SigningKey.Algorithm.RS256);
    refused(idToken(key).signedBy(stranger), key, "signed by no key of " + issuer.issuer());
    refused(
        idToken(key).signWithPublicKeyAsSecret(issuer.key().pair().getPublic()),
        key,
        "signed by no key of");
    refused(idToken(key).unsigned(), key, "the ID token cannot be read");
    assertThat(forged(idToken(key).sign(), key, accessOf("mallory")).text())
        .contains("the ID token is of openid:iss=", "sub=ada, the access token of mallory@");
    assertThat(storage.curl("/data/file").token(idToken(key).sign()).run().status())
        .as("it is no access token")
        .isEqualTo(401);
    issuer.goDown();
    SigningKey unknown = SigningKey.generate("key-x", SigningKey.Algorithm.RS256);
    Curl.Response away = forged(idToken(key).signedBy(unknown).sign(), key, accessOf("ada"));
    issuer.comeBack();
    assertThat(away.status()).isEqualTo(503);
    assertThat(away.text()).contains("the keys of the issuer", "cannot be fetched now");
  }

  @Test
  void idTokenOfAnIssuerThatTheAreaDoesNotNameIsRefused() throws Exception {
    try (TokenIssuer other = TokenIssuer.overHttps(authority, Clock.systemUTC())) {
      FreshKey key = FreshKey.make();
      String token = idToken(keyOf(key)).claim("iss", other.issuer()).signedBy(other.key()).sign();
      PersonContract contract =
          contract(PersonSigner.byIdToken(key, token, Map.of(), Clock.systemUTC()));
      assertThat(ask(contract, "/data/file", accessOf("ada")).text())
          .contains("no contracts with people by ID tokens of " + other.issuer());
      assertThat(other.requests()).as("is asked nothing").isEmpty();
    }
    GridAuthority.Holder mallory = grid.person("/C=DE/O=Example/CN=Mallory");
    assertThat(shown(mallory, contract(loggedIn())).text())
        .contains("the property list is by openid:iss=", "the connection by CN=Mallory");
  }

  @Test
  void personWithALoginAlonePutsAFileAndGetsTheStatement() throws Exception {
    String access = "Bearer " + accessOf("ada");
    PersonOffer offer = PersonOffer.of(storage.url("/data/new"), storage.url(""), loggedIn());
    Curl offered = storage.curl("/data/new").header("Authorization", access).method("POST");
    offered.header("Content-Length", "0");
    offer.offer(CONTENT.length, Hash.of(CONTENT), "", access).forEach(offered::header);
    Curl.Response agreed = offered.run();
    assertThat(agreed.status()).as(agreed.text()).isEqualTo(200);
    Map<String, List<String>> fields = new HashMap<>(fields(agreed));
    fields.put("Host-Properties", List.of(agreed.header("host-properties").orElseThrow()));
    offer.agreed(fields, keys());
    Curl put = storage.curl("/data/new").header("Authorization", access);
    put.upload(Files.write(folder.resolve("new"), CONTENT));
    offer.deliver().forEach(put::header);
    assertThat(put.run().status()).isEqualTo(201);
    Curl asked = Curl.to(offer.statementUrl()).trusting(authority).method("POST").body("");
    offer.ask().forEach(asked::header);
    byte[] statement = asked.run().body();
    offer.stated(statement, keys(), log());
    assertThat(
            new ContractAudit(keys(), log(), PersonAuthorities.of(null, issuer.keySet()))
                .run(statement))
        .allMatch(ContractAudit.Finding::good)
        .anyMatch(f -> f.line().contains("sub=ada brought as a person, by the ID token"));
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
