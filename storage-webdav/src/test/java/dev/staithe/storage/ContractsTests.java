package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transfers under contract between two servers on the wire: {@code p} has the data and demands,
 * {@code a} pulls.
 */
@SuppressWarnings("try")
final class ContractsTests {
  private static final String TERMS = "ab".repeat(32);

  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private final int portOfP = FreePort.next();
  private final int portOfA = FreePort.next();
  private final byte[] content = new byte[3_000_000];

  @BeforeEach
  void prepare() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    new Random(7).nextBytes(content);
    Files.createDirectories(folder.resolve("p/data"));
    Files.write(folder.resolve("p/data/file"), content);
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private static String host(int port) {
    return "localhost:" + port;
  }

  private String p(String path) {
    return "https://" + host(portOfP) + path;
  }

  private Map<String, Object> settings(String name, int port, int partner, String mode)
      throws IOException {
    Path key = folder.resolve(name + "-contract.pem");
    if (!Files.exists(key)) {
      Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://" + host(port));
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.contracts.host.jurisdiction", "DE");
    settings.put("staithe.contracts.host.at-rest-encryption", "luks2");
    settings.put("staithe.contracts.host.retention", "P30D");
    settings.put("staithe.areas[0].contracts.mode", mode);
    settings.put("staithe.areas[0].contracts.hosts", host(partner));
    return settings;
  }

  private RunningStorage start(String name, Map<String, Object> settings) {
    return RunningStorage.start(folder.resolve(name), authority, issuer, settings);
  }

  private RunningStorage startP(Map<String, Object> more) throws IOException {
    Map<String, Object> settings = settings("p", portOfP, portOfA, "require");
    settings.putAll(more);
    return start("p", settings);
  }

  private RunningStorage startA(Map<String, Object> more) throws IOException {
    Map<String, Object> settings = settings("a", portOfA, portOfP, "require");
    settings.putAll(more);
    return start("a", settings);
  }

  private static Curl.Response get(RunningStorage server, String path) {
    return server.curl(path).token(server.token()).run();
  }

  private CopyAnswer pull(RunningStorage a, String source, String target) {
    return CopyAnswer.of(
        a.curl(target)
            .token(a.token())
            .header("Source", source)
            .header("TransferHeaderAuthorization", "Bearer " + a.token())
            .method("COPY")
            .run());
  }

  private List<KeptContracts.Row> rows(String name) {
    return KeptContracts.live(folder.resolve(name + "-contracts"));
  }

  private String state(String name) {
    return rows(name).getFirst().state();
  }

  private String last(String name) {
    return rows(name).getLast().state();
  }

  private List<ContractAudit.Finding> audit(
      RunningStorage p, RunningStorage a, RunningStorage ofLog, byte[] statement) throws Exception {
    Map<String, PartyKey> keys = new HashMap<>();
    for (RunningStorage each : List.of(p, a)) {
      keys.putAll(
          PartyKey.readSet(
              each.curl("/.well-known/http-message-signatures-directory").run().text()));
    }
    String host = ofLog.curl("/.well-known/staithe-host").run().text();
    String log = host.replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1").replace("\\/", "/");
    return new ContractAudit(keys, LogVerifier.parse(log)).run(statement);
  }

  @Test
  void pullIsRefusedForAPropertyThenAllowedAndProvenByBothSides() throws Exception {
    try (RunningStorage p =
            startP(
                Map.of(
                    "staithe.areas[0].contracts.properties[0]",
                    "jurisdiction in [DE, NL]",
                    "staithe.areas[0].contracts.properties[1]",
                    "retention >= 20d"));
        RunningStorage wrong =
            startA(
                Map.of(
                    "staithe.contracts.host.jurisdiction",
                    "US",
                    "staithe.contracts.host.retention",
                    "P1D"))) {
      CopyAnswer refused = pull(wrong, p("/data/file"), "/data/file");
      assertThat(refused.last())
          .contains("rejected GET: 403")
          .contains("wanted jurisdiction in [DE, NL], offered [US]")
          .contains("wanted retention >= 20d, offered [P1D]");
      assertThat(wrong.data().resolve("file")).doesNotExist();
      assertThat(rows("p")).isEmpty();
    }
    try (RunningStorage p =
            startP(
                Map.of(
                    "staithe.areas[0].contracts.properties[0]",
                    "jurisdiction in [DE, NL]",
                    "staithe.areas[0].contracts.properties[1]",
                    "retention >= 20d"));
        RunningStorage a = startA(Map.of())) {
      CopyAnswer copied = pull(a, p("/data/file"), "/data/file");
      copied.succeeded(content.length);
      assertThat(a.data().resolve("file")).hasBinaryContent(content);
      KeptContracts.Row sender = rows("p").getFirst();
      Eventually.holds(
          "the statement is in its file",
          () -> KeptContracts.statements(folder.resolve("p-contracts")).size() == 1);
      assertThat(KeptContracts.statements(folder.resolve("p-contracts")).getFirst())
          .isEqualTo(sender.own());
      KeptContracts.Row receiver = rows("a").getFirst();
      assertThat(sender.state()).isEqualTo("received");
      assertThat(receiver.state()).isEqualTo("acknowledged");
      assertThat(receiver.partner()).isEqualTo(sender.own());
      assertThat(audit(p, a, p, sender.own()))
          .hasSize(6)
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("received 3000000 bytes"));
      assertThat(audit(p, a, a, receiver.own())).allMatch(ContractAudit.Finding::good);
      assertThat(new String(sender.own(), StandardCharsets.ISO_8859_1))
          .as("no credential is kept")
          .doesNotContain("Bearer");
    }
  }

  @Test
  void clientWithoutContractIsToldWhatIsNeeded() throws Exception {
    try (RunningStorage p =
        startP(Map.of("staithe.areas[0].contracts.properties[0]", "jurisdiction in [DE]"))) {
      Curl.Response refused = get(p, "/data/file");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.header("content-type"))
          .hasValueSatisfying(type -> assertThat(type).contains("application/problem+json"));
      assertThat(refused.header("want-host-properties")).contains("?1");
      assertThat(refused.text())
          .contains("leave by contract only")
          .contains("jurisdiction in [DE]");
      assertThat(get(p, "/data/missing").status()).isEqualTo(404);
      assertThat(p.curl("/data/file").run().status()).isEqualTo(401);
      Curl.Response across =
          p.curl("/open/x")
              .token(p.token())
              .header("Source", p("/data/file"))
              .header("TransferHeaderAuthorization", "Bearer " + p.token())
              .method("COPY")
              .run();
      assertThat(across.status()).isEqualTo(403);
      assertThat(p.open().resolve("x")).doesNotExist();
    }
  }

  /** As on two machines, neither of which is the other's operator. */
  @Test
  void partnersNeedNoOperatorsDoorAndOnlyOperatorsSeeTheList() throws Exception {
    Map<String, Object> elsewhere = Map.of("staithe.metrics.allow-from", "192.0.2.1");
    try (RunningStorage p = startP(elsewhere);
        RunningStorage a = startA(Map.of())) {
      pull(a, p("/data/file"), "/data/file").succeeded(content.length);
      String id = rows("p").getFirst().id();
      for (String path : List.of("", "/" + id)) {
        Curl.Response refused = p.curl("/.staithe/contracts" + path).run();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).isEqualTo("not from this address\n");
      }
      assertThat(p.curl("/.staithe/metrics").run().status()).isEqualTo(403);
      assertThat(a.curl("/.staithe/contracts/" + id).run().text())
          .contains("\"state\":\"acknowledged\"", "\"partner-statement\"");
      assertThat(a.curl("/.staithe/contracts?path=/data").run().text()).contains(id);
      assertThat(a.curl("/.staithe/contracts?path=/dat").run().text()).doesNotContain(id);
      assertThat(a.curl("/.staithe/contracts?host=" + host(portOfP)).run().text()).contains(id);
      assertThat(a.curl("/.staithe/contracts?host=other:1").run().text()).doesNotContain(id);
      assertThat(a.curl("/.staithe/contracts?until=2020-01-01T00:00:00Z").run().text())
          .isEqualTo("{\"contracts\":[]}");
      assertThat(a.curl("/.staithe/contracts?since=x").run().status()).isEqualTo(400);
    }
  }

  @Test
  void offerAndOffChangeNothingForThoseWithoutIt() throws Exception {
    try (RunningStorage p = startP(Map.of("staithe.areas[0].contracts.mode", "offer"));
        RunningStorage a = startA(Map.of("staithe.areas[0].contracts.mode", "off"))) {
      assertThat(get(p, "/data/file").body()).isEqualTo(content);
      pull(a, p("/data/file"), "/data/plain").succeeded(content.length);
      assertThat(rows("p")).isEmpty();
    }
    try (RunningStorage p = startP(Map.of("staithe.areas[0].contracts.mode", "off"));
        RunningStorage a = startA(Map.of("staithe.areas[0].contracts.mode", "offer"))) {
      pull(a, p("/data/file"), "/data/offered").succeeded(content.length);
      assertThat(rows("a")).isEmpty();
    }
    try (RunningStorage p = startP(Map.of("staithe.areas[0].contracts.mode", "off"));
        RunningStorage a = startA(Map.of())) {
      assertThat(pull(a, p("/data/file"), "/data/required").last())
          .contains("does not sign as it should");
      assertThat(a.data().resolve("required")).doesNotExist();
    }
  }

  @Test
  void termsAreAgreedToWhereTheyAreAccepted() throws Exception {
    Map<String, Object> terms =
        Map.of(
            "staithe.areas[0].contracts.terms.url",
            "https://p.example/terms",
            "staithe.areas[0].contracts.terms.sha256",
            TERMS);
    try (RunningStorage p = startP(terms);
        RunningStorage a = startA(Map.of())) {
      assertThat(pull(a, p("/data/file"), "/data/file").last())
          .contains("agree to the terms of sha-256 " + TERMS);
    }
    try (RunningStorage p = startP(terms);
        RunningStorage a = startA(Map.of("staithe.contracts.accepted-terms", TERMS))) {
      pull(a, p("/data/file"), "/data/file").succeeded(content.length);
      assertThat(audit(p, a, p, rows("p").getFirst().own()))
          .anyMatch(f -> f.good() && f.line().contains("under the terms of sha-256 " + TERMS));
    }
  }

  @Test
  void bytesThatAreNotThoseSignedAreThrownAwayAndTheSenderIsTold() throws Exception {
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(Map.of())) {
      pull(a, p("/data/file"), "/data/first").succeeded(content.length);
      // What the sender keeps as the file's checksum, and signs, is of other bytes.
      UserDefinedFileAttributeView view =
          Files.getFileAttributeView(
              folder.resolve("p/data/file"), UserDefinedFileAttributeView.class);
      boolean changed = false;
      for (String name : view.list()) {
        ByteBuffer value = ByteBuffer.allocate(view.size(name));
        view.read(name, value);
        String text = new String(value.array(), StandardCharsets.UTF_8);
        int at = text.toLowerCase(java.util.Locale.ROOT).indexOf("sha-256=");
        if (at >= 0) {
          char old = text.charAt(at + 10);
          String other =
              text.substring(0, at + 10) + (old == '0' ? '1' : '0') + text.substring(at + 11);
          view.write(name, ByteBuffer.wrap(other.getBytes(StandardCharsets.UTF_8)));
          changed = true;
        }
      }
      assertThat(changed).isTrue();
      assertThat(pull(a, p("/data/file"), "/data/second").last()).contains("checksum mismatch");
      assertThat(a.data().resolve("second")).doesNotExist();
      Eventually.holds("told", () -> last("a").equals("refused"));
      assertThat(rows("p").getLast().state()).isEqualTo("refused");
      assertThat(audit(p, a, p, rows("p").getLast().own()))
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("threw away"));
    }
  }

  @Test
  void hostThatIsNoPartnerGetsNothing() throws Exception {
    try (RunningStorage p = startP(Map.of("staithe.areas[0].contracts.hosts", "other.example:1"));
        RunningStorage a = startA(Map.of())) {
      assertThat(pull(a, p("/data/file"), "/data/file").last())
          .contains("no contracts with https://" + host(portOfA));
    }
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(Map.of("staithe.areas[0].contracts.hosts", "other.example:1"))) {
      assertThat(pull(a, p("/data/file"), "/data/file").last())
          .contains("by contract only, and has none with");
    }
  }

  @Test
  void logIsServedAsFilesAndCommitsToWhatItGaveOut() throws Exception {
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(Map.of())) {
      for (int i = 0; i < 3; i++) {
        pull(a, p("/data/file"), "/data/file" + i).succeeded(content.length);
      }
      String note = p.curl("/.staithe/log/checkpoint").run().text();
      assertThat(note).startsWith(host(portOfP) + "/.staithe/log\n3\n");
      assertThat(p.curl("/.staithe/log/tile/0/000.p/3").run().body()).hasSize(96);
      assertThat(p.curl("/.staithe/log/tile/entries/000.p/3").run().body()).hasSize(102);
      assertThat(p.curl("/.staithe/log/tile/0/000").run().status()).isEqualTo(404);
      assertThat(p.curl("/.staithe/log/log.key").run().status()).isEqualTo(404);
      assertThat(p.curl("/.staithe/contracts/" + "0".repeat(36)).run().status()).isNotEqualTo(200);
    }
  }

  @Test
  void receiptThatTheSenderDidNotTakeIsToldAgainAfterARestart() throws Exception {
    Map<String, Object> async = Map.of("staithe.areas[0].contracts.receipts", "async");
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(async)) {
      pull(a, p("/data/file"), "/data/file").succeeded(content.length);
      assertThat(a.data().resolve("file")).hasBinaryContent(content);
      Eventually.holds("acknowledged", () -> state("a").equals("acknowledged"));
    }
    // As after a kill between the rename and the receipt.
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:h2:file:" + folder.resolve("a-contracts/contracts").toAbsolutePath(),
            "staithe",
            "")) {
      connection
          .createStatement()
          .execute("update contract set state = 'verified', partner_statement = null");
    }
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(async)) {
      Eventually.holds("acknowledged", () -> state("a").equals("acknowledged"));
      assertThat(rows("p")).hasSize(1);
      assertThat(rows("a").getFirst().partner()).isEqualTo(rows("p").getFirst().own());
    }
  }

  /** The key is changed on the side that sent while the other one still holds the old set. */
  @Test
  void keyThatWasReplacedStaysPublishedWithItsEndAndNothingNewCountsByIt() throws Exception {
    Path key = folder.resolve("p-contract.pem");
    Path old = folder.resolve("p-contract-2026.pem");
    Map<String, Object> async = Map.of("staithe.areas[0].contracts.receipts", "async");
    byte[] before;
    Instant end;
    try (RunningStorage a = startA(async)) {
      try (RunningStorage p = startP(Map.of())) {
        pull(a, p("/data/file"), "/data/before").succeeded(content.length);
        Eventually.holds("acknowledged", () -> last("a").equals("acknowledged"));
        before = rows("p").getFirst().own();
      }
      end = Instant.now();
      Files.move(key, old);
      Map<String, Object> rotated =
          Map.of(
              "staithe.contracts.old-keys[0].key", old, "staithe.contracts.old-keys[0].until", end);
      try (RunningStorage p = startP(rotated)) {
        Map<String, PartyKey> keys =
            PartyKey.readSet(p.curl("/.well-known/jwks.json").run().text());
        String oldId = ContractKey.read(old).id();
        assertThat(keys).containsOnlyKeys(ContractKey.read(key).id(), oldId);
        assertThat(keys.get(oldId).signsAt(end.minusSeconds(2))).isTrue();
        assertThat(keys.get(oldId).signsAt(end.plusSeconds(2))).isFalse();
        assertThat(audit(p, a, p, before)).as("by the set of today").allMatch(f -> f.good());

        // A answers with its own eyes: it has P's old set in hand, and P signs by the new key.
        Eventually.holds(
            "the new key is asked for",
            () -> pull(a, p("/data/file"), "/data/after").last().startsWith("success"));
        Eventually.holds("acknowledged", () -> last("a").equals("acknowledged"));
        assertThat(audit(p, a, p, rows("p").getLast().own())).allMatch(f -> f.good());
        assertThat(audit(p, a, a, rows("a").getLast().own())).allMatch(f -> f.good());
      }
    }
  }

  @Test
  void partnersOldKeySignsNothingNew() throws Exception {
    Path key = folder.resolve("a-contract.pem");
    Path old = folder.resolve("a-contract-2026.pem");
    settings("a", portOfA, portOfP, "require");
    Files.move(key, old);
    Map<String, Object> rotated =
        Map.of(
            "staithe.contracts.old-keys[0].key",
            old,
            "staithe.contracts.old-keys[0].until",
            Instant.now().minusSeconds(60));
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(rotated)) {
      Hand thief = new Hand(p, old);
      assertThat(thief.ask().text()).contains("after their key had ended");
      assertThat(new Hand(p).ask().status()).isEqualTo(200);
    }
  }

  /** A partner who signs by hand, and may do it wrongly. */
  private final class Hand {
    private final ContractKey key;
    private final RunningStorage to;
    private String token;
    private final String id = UUID.randomUUID().toString();
    private String url = p("/data/file");
    private Instant created = Instant.now();
    private String properties;

    Hand(RunningStorage to) throws Exception {
      this(to, folder.resolve("a-contract.pem"));
    }

    Hand(RunningStorage to, Path key) throws Exception {
      this.key = ContractKey.read(key);
      this.to = to;
      this.token = to.token();
      this.properties = properties(this.key);
    }

    private String properties(ContractKey by) {
      return HostProperties.sign(
              "https://" + host(portOfA), Map.of("jurisdiction", "DE"), by, Instant.now())
          .text();
    }

    private Curl.Response ask(Map<String, List<String>> fields, String tag) throws Exception {
      MessageSignature signature =
          sign(
              SignedMessage.request("GET", url, fields),
              List.of("@method", "@target-uri", "contract", "host-properties", "want-repr-digest"),
              tag);
      return sent(to.curl("/data/file").token(token), fields, signature).run();
    }

    private static Curl sent(
        Curl curl, Map<String, List<String>> fields, MessageSignature signature) {
      fields.forEach((name, values) -> curl.header(name, values.getFirst()));
      return curl.header("Signature-Input", signature.inputField())
          .header("Signature", signature.signatureField());
    }

    private MessageSignature sign(SignedMessage message, List<String> covered, String tag)
        throws Exception {
      return MessageSignature.sign(
          message,
          key,
          new MessageSignature.Wanted(
              "hand",
              covered.stream().map(SignedMessage.Component::of).toList(),
              created,
              Duration.ofMinutes(5),
              UUID.randomUUID().toString(),
              tag));
    }

    private Map<String, List<String>> fields() {
      String hash =
          HexFormat.of().formatHex(Hash.of(("Bearer " + token).getBytes(StandardCharsets.UTF_8)));
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put("contract", List.of(new ContractField(id, "", hash).encode()));
      fields.put("host-properties", List.of(properties));
      fields.put("want-repr-digest", List.of("sha-256=10"));
      return fields;
    }

    Curl.Response ask() throws Exception {
      return ask(fields(), "staithe-contract");
    }

    Curl.Response receipt(Received received, String forId) throws Exception {
      String body = received.encode();
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put("contract", List.of(new ContractField(forId, "", "").encode()));
      fields.put(
          "content-digest",
          List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8)))));
      String path = "/.staithe/contracts/" + forId;
      MessageSignature signature =
          sign(
              SignedMessage.request("POST", p(path), fields),
              List.of("@method", "@target-uri", "contract", "content-digest"),
              "staithe-receipt");
      Curl curl = to.curl(path).method("POST").body(body).header("Content-Type", "text/plain");
      return sent(curl, fields, signature).run();
    }

    Curl.Response receipt(byte[] bytes, String forId) throws Exception {
      return receipt(new Received(true, bytes.length, Hash.of(bytes), Instant.EPOCH), forId);
    }
  }

  @Test
  void requestThatWasMadeForSomethingElseIsRefused() throws Exception {
    try (RunningStorage p =
            startP(Map.of("staithe.areas[0].contracts.properties[0]", "jurisdiction = DE"));
        RunningStorage a = startA(Map.of())) {
      Hand good = new Hand(p);
      assertThat(good.ask().body()).isEqualTo(content);
      assertThat(good.ask().status()).as("the same contract again").isEqualTo(409);

      Hand late = new Hand(p);
      late.created = Instant.now().minusSeconds(5 * 60 + 90);
      assertThat(late.ask().text()).contains("expired");
      Hand early = new Hand(p);
      early.created = Instant.now().plusSeconds(90);
      assertThat(early.ask().text()).contains("in the future");
      Hand elsewhere = new Hand(p);
      elsewhere.url = p("/data/other");
      assertThat(elsewhere.ask().text()).contains("not by the key that it names");
      Hand tagged = new Hand(p);
      assertThat(tagged.ask(tagged.fields(), "other").text())
          .contains("no signature for staithe-contract");
      Hand token = new Hand(p);
      Map<String, List<String>> other = token.fields();
      other.put("contract", List.of(new ContractField(token.id, "", "ab".repeat(32)).encode()));
      assertThat(token.ask(other, "staithe-contract").text()).contains("another credential");
      Hand borrowed = new Hand(p);
      borrowed.properties = borrowed.properties(ContractKey.read(folder.resolve("p-contract.pem")));
      assertThat(borrowed.ask().text()).contains("not signed by a key of their host");
      Curl.Response ranged =
          p.curl("/data/file")
              .token(p.token())
              .header("Range", "bytes=0-9")
              .header("Contract", new ContractField(good.id, "", "").encode())
              .run();
      assertThat(ranged.status()).isEqualTo(400);
      assertThat(rows("p")).as("only the good one was served").hasSize(1);
    }
  }

  @Test
  void receiptIsForTheBytesThatWereSentAndCountsOnce() throws Exception {
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(Map.of())) {
      Hand hand = new Hand(p);
      assertThat(hand.ask().status()).isEqualTo(200);
      Curl.Response other = hand.receipt(new byte[] {1}, hand.id);
      assertThat(other.status()).isEqualTo(409);
      assertThat(other.text()).contains("other bytes");
      assertThat(hand.receipt(content, UUID.randomUUID().toString()).status()).isEqualTo(404);
      assertThat(p.curl("/.staithe/contracts/" + hand.id).method("POST").body("{}").run().status())
          .isEqualTo(403);
      Curl.Response first = hand.receipt(content, hand.id);
      assertThat(first.status()).isEqualTo(201);
      Curl.Response again = hand.receipt(content, hand.id);
      assertThat(again.status()).isEqualTo(201);
      assertThat(again.body()).isEqualTo(first.body());
      Received changed = new Received(false, content.length, Hash.of(content), Instant.EPOCH);
      assertThat(hand.receipt(changed, hand.id).status()).isEqualTo(409);
      assertThat(p.curl("/.staithe/log/checkpoint").run().text()).contains("/.staithe/log\n1\n");
    }
  }

  /** Receipts are by signature alone: the token that asked may have ended since. */
  @Test
  void receiptIsTakenAfterTheTokenHasExpired() throws Exception {
    try (RunningStorage p = startP(Map.of());
        RunningStorage a = startA(Map.of())) {
      // However busy the machine is, one of them lives until it has asked.
      Hand asked = null;
      for (int seconds = 2; asked == null; seconds *= 2) {
        Hand next = new Hand(p);
        next.token =
            issuer
                .token()
                .subject("tester")
                .scope("storage.read:/")
                .audience(RunningStorage.AUDIENCE)
                .lifetime(Duration.ofSeconds(seconds))
                .sign();
        asked = next.ask().status() == 200 ? next : null;
      }
      Hand hand = asked;
      Eventually.holds(
          "the token has ended",
          () -> p.curl("/data/missing").token(hand.token).run().status() == 401);
      assertThat(hand.receipt(content, hand.id).status()).isEqualTo(201);
      assertThat(rows("p").getFirst().state()).isEqualTo("received");
      assertThat(audit(p, a, p, rows("p").getFirst().own())).allMatch(ContractAudit.Finding::good);
    }
  }

  @Test
  void hostThatNeverAcknowledgesGetsNoMore() throws Exception {
    try (RunningStorage p = startP(Map.of("staithe.areas[0].contracts.max-open-per-host", 2));
        RunningStorage a = startA(Map.of())) {
      Hand first = new Hand(p);
      assertThat(first.ask().status()).isEqualTo(200);
      assertThat(new Hand(p).ask().status()).isEqualTo(200);
      assertThat(new Hand(p).ask().text()).contains("has not acknowledged");
      assertThat(first.receipt(content, first.id).status()).isEqualTo(201);
      assertThat(new Hand(p).ask().status()).isEqualTo(200);
    }
  }
}
