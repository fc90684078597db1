package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.PersonOffer;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills or holds a server while a person brings a file, in each state of the contract. */
class ContractPeopleKillIT {
  private static final String CONTRACTS = "dev.staithe.storage.contracts.";

  /**
   * Where it is killed.
   *
   * @param named whether the file has its name there
   * @param proved whether its statement is given out after the next start
   */
  private record Point(String type, String method, boolean named, boolean proved) {}

  private static final List<Point> POINTS =
      List.of(
          new Point("dev.staithe.storage.posix.PosixUpload", "commit", false, false),
          new Point(CONTRACTS + "ContractedPut$Delivery", "named", true, false),
          new Point(CONTRACTS + "ReceiptDoor", "stated", true, true),
          new Point(CONTRACTS + "ContractedPut$Delivery", "staged", false, false),
          new Point(CONTRACTS + "Acknowledging", "logged", false, false));

  private final byte[] content = new byte[300_000];
  @TempDir Path folder;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private ThrowAwayAuthority authority;
  private Credential ada;
  private String token;

  @BeforeEach
  void prepare() throws Exception {
    new Random(5).nextBytes(content);
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority.Holder holder = grid.person("/C=DE/O=Example/CN=Ada");
    ada = Credential.read(holder.certificate(), holder.key());
    Pem.writePrivateKey(folder.resolve("key.pem"), KeyKind.EC_P256.generate().getPrivate());
    int port = FreePort.next();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", folder.resolve("key.pem"));
    settings.put("staithe.contracts.state", folder.resolve("contracts"));
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.people.trust", grid.trust());
  }

  private TokenIssuer issuer() throws Exception {
    TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    token =
        issuer
            .token()
            .scope("storage.read:/ storage.modify:/")
            .audience(RunningStorage.AUDIENCE)
            .sign();
    return issuer;
  }

  /** The log has its entry already; what is said there is not hers before the file is. */
  @Test
  void noStatementIsGivenOutBeforeTheFileHasItsName() throws Exception {
    String path = "/data/f";
    Path gate = Files.createFile(folder.resolve("gate"));
    try (TokenIssuer issuer = issuer();
        StorageProcess storage =
            StorageProcess.start(folder.resolve("r"), authority, issuer, settings)) {
      Map<String, PartyKey> keys = PartyKey.readSet(text(storage, "/.well-known/jwks.json"));
      PersonOffer offer = agreed(storage, ada, path, keys);
      HeldAt.waiting(storage, "dev.staithe.storage.posix.PosixUpload", "commit", gate);
      CompletableFuture<Void> client =
          CompletableFuture.runAsync(() -> bring(storage, offer, path));
      Eventually.holds("it waits", () -> Files.exists(folder.resolve("gate.entered")));

      assertThat(text(storage, "/.staithe/contracts/" + offer.id()))
          .contains("\"state\":\"logged\"");
      assertThat(folder.resolve("r" + path)).doesNotExist();
      Curl.Response early = ask(offer);
      assertThat(early.status()).as(early.text()).isEqualTo(409);

      Files.delete(gate);
      client.join();
      judge(storage, offer, new Point("", "", true, true), path, keys);
    }
  }

  @Test
  void whereverTheServerIsKilledTheFileIsWholeOrAbsentAndNoStatementIsOfAnAbsentOne()
      throws Exception {
    List<Point> points = Boolean.getBoolean("staithe.long") ? POINTS : POINTS.subList(0, 3);
    try (TokenIssuer issuer = issuer()) {
      for (int i = 0; i < points.size(); i++) {
        String path = "/data/f" + i;
        PersonOffer offer;
        Map<String, PartyKey> keys;
        try (StorageProcess storage =
            StorageProcess.start(folder.resolve("r"), authority, issuer, settings)) {
          keys = PartyKey.readSet(text(storage, "/.well-known/jwks.json"));
          offer = agreed(storage, ada, path, keys);
          HeldAt held = HeldAt.entering(storage, points.get(i).type(), points.get(i).method());
          CompletableFuture<Void> client =
              CompletableFuture.runAsync(() -> bring(storage, offer, path));
          assertThat(held.held(20_000)).as(points.get(i).method()).isTrue();
          storage.process().kill();
          storage.process().awaitEnd(Eventually.LONGEST);
          client.join();
        }
        try (StorageProcess storage =
            StorageProcess.start(folder.resolve("r"), authority, issuer, settings)) {
          judge(storage, offer, points.get(i), path, keys);
        }
      }
    }
    Trials.held(points.size());
  }

  private void judge(
      StorageProcess storage,
      PersonOffer offer,
      Point point,
      String path,
      Map<String, PartyKey> keys)
      throws Exception {
    Path file = folder.resolve("r" + path);
    if (point.named()) {
      assertThat(file).hasBinaryContent(content);
    } else {
      assertThat(file).doesNotExist();
    }
    String state = "\"state\":\"" + (point.proved() ? "acknowledged" : "refused") + "\"";
    Eventually.holds(
        "the contract has ended",
        () -> text(storage, "/.staithe/contracts/" + offer.id()).contains(state));
    Curl.Response answer = ask(offer);
    assertThat(answer.status()).as(answer.text()).isEqualTo(point.proved() ? 201 : 409);
    if (point.proved()) {
      offer.stated(
          answer.body(),
          keys,
          LogVerifier.parse(
              text(storage, "/.well-known/staithe-host")
                  .replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1")
                  .replace("\\/", "/")));
    }
  }

  private String text(StorageProcess storage, String path) {
    return curl(storage.url(path)).run().text();
  }

  private Curl curl(String url) {
    return Curl.to(url).trusting(authority);
  }

  private PersonOffer agreed(
      StorageProcess storage, Credential ada, String path, Map<String, PartyKey> keys)
      throws Exception {
    PersonOffer offer =
        PersonOffer.of(
            storage.url(path),
            storage.url(""),
            PersonSigner.byCertificate(ada, Map.of(), Clock.systemUTC()));
    Curl curl = curl(storage.url(path)).token(token).method("POST").header("Content-Length", "0");
    offer.offer(content.length, Hash.of(content), "", "Bearer " + token).forEach(curl::header);
    Curl.Response answer = curl.run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    Map<String, List<String>> fields = new HashMap<>();
    for (String name : List.of("Contract", "Host-Properties", "Signature-Input", "Signature")) {
      fields.put(name, List.of(answer.header(name.toLowerCase(Locale.ROOT)).orElseThrow()));
    }
    offer.agreed(fields, keys);
    return offer;
  }

  /** Brings it, and asks for the statement; the server may be gone before the answer to either. */
  private void bring(StorageProcess storage, PersonOffer offer, String path) {
    try {
      Path body = Files.write(folder.resolve("body"), content);
      Curl curl = curl(storage.url(path)).token(token).upload(body);
      offer.deliver().forEach(curl::header);
      curl.run();
      ask(offer);
    } catch (Exception gone) {
      // It was killed.
    }
  }

  private Curl.Response ask(PersonOffer offer) throws Exception {
    Curl curl = curl(offer.statementUrl()).method("POST").body("");
    offer.ask().forEach(curl::header);
    return curl.run();
  }
}
