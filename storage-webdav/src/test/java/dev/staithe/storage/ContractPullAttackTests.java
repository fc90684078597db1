package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with contracts against a partner who signs by hand, and does it wrongly. */
@SuppressWarnings("try")
final class ContractPullAttackTests {
  @TempDir Path folder;
  private ContractPair pair;

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  @Test
  void partnersOldKeySignsNothingNew() throws Exception {
    Path old = pair.anotherKey("r");
    Map<String, Object> rotated =
        Map.of(
            "staithe.contracts.old-keys[0].key",
            old,
            "staithe.contracts.old-keys[0].until",
            Instant.now().minusSeconds(60));
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(rotated)) {
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
    private String url = pair.atS("/data/file");
    private Instant created = Instant.now();
    private String label = "hand";
    private boolean http2;
    private String properties;

    Hand(RunningStorage to) throws Exception {
      this(to, pair.key("r"));
    }

    Hand(RunningStorage to, Path key) throws Exception {
      this.key = ContractKey.read(key);
      this.to = to;
      this.token = to.token();
      this.properties = properties(this.key);
    }

    private String properties(ContractKey by) {
      return HostProperties.sign(pair.atR(""), Map.of("jurisdiction", "DE"), by, Instant.now())
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

    private Curl sent(Curl curl, Map<String, List<String>> fields, MessageSignature signature) {
      fields.forEach((name, values) -> curl.header(name, values.getFirst()));
      if (http2) {
        curl.flag("http2");
      }
      return curl.header("Signature-Input", signature.inputField())
          .header("Signature", signature.signatureField());
    }

    private MessageSignature sign(SignedMessage message, List<String> covered, String tag)
        throws Exception {
      return MessageSignature.sign(
          message,
          key,
          new MessageSignature.Wanted(
              label,
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
      return receipt(received.encode(), forId);
    }

    private Curl.Response receipt(String body, String forId) throws Exception {
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put("contract", List.of(new ContractField(forId, "", "").encode()));
      fields.put(
          "content-digest",
          List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8)))));
      String path = "/.staithe/contracts/" + forId;
      MessageSignature signature =
          sign(
              SignedMessage.request("POST", pair.atS(path), fields),
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
            pair.startS(Map.of("staithe.areas[0].contracts.properties[0]", "jurisdiction = DE"));
        RunningStorage a = pair.startR(Map.of())) {
      Hand good = new Hand(p);
      assertThat(good.ask().body()).isEqualTo(pair.content);
      assertThat(good.ask().status()).as("the same contract again").isEqualTo(409);

      Hand late = new Hand(p);
      late.created = Instant.now().minusSeconds(5 * 60 + 90);
      assertThat(late.ask().text()).contains("expired");
      Hand early = new Hand(p);
      early.created = Instant.now().plusSeconds(90);
      assertThat(early.ask().text()).contains("in the future");
      Hand elsewhere = new Hand(p);
      elsewhere.url = pair.atS("/data/other");
      assertThat(elsewhere.ask().text()).contains("not by the key that it names");
      Hand tagged = new Hand(p);
      assertThat(tagged.ask(tagged.fields(), "other").text())
          .contains("no signature for staithe-contract");
      Hand token = new Hand(p);
      Map<String, List<String>> other = token.fields();
      other.put("contract", List.of(new ContractField(token.id, "", "ab".repeat(32)).encode()));
      assertThat(token.ask(other, "staithe-contract").text()).contains("another credential");
      Hand borrowed = new Hand(p);
      borrowed.properties = borrowed.properties(ContractKey.read(pair.key("s")));
      assertThat(borrowed.ask().text()).contains("not signed by a key of their host");
      Curl.Response ranged =
          p.curl("/data/file")
              .token(p.token())
              .header("Range", "bytes=0-9")
              .header("Contract", new ContractField(good.id, "", "").encode())
              .run();
      assertThat(ranged.status()).isEqualTo(400);
      assertThat(pair.rows("s")).as("only the good one was served").hasSize(1);
    }
  }

  @Test
  void receiptIsForTheBytesThatWereSentAndCountsOnce() throws Exception {
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(Map.of())) {
      Hand hand = new Hand(p);
      assertThat(hand.ask().status()).isEqualTo(200);
      Curl.Response other = hand.receipt(new byte[] {1}, hand.id);
      assertThat(other.status()).isEqualTo(409);
      assertThat(other.text()).contains("other bytes");
      assertThat(hand.receipt(pair.content, UUID.randomUUID().toString()).status()).isEqualTo(404);
      assertThat(p.curl("/.staithe/contracts/" + hand.id).method("POST").body("{}").run().status())
          .isEqualTo(403);
      Curl.Response first = hand.receipt(pair.content, hand.id);
      assertThat(first.status()).isEqualTo(201);
      Curl.Response again = hand.receipt(pair.content, hand.id);
      assertThat(again.status()).isEqualTo(201);
      assertThat(again.body()).isEqualTo(first.body());
      Received changed =
          new Received(false, pair.content.length, Hash.of(pair.content), Instant.EPOCH);
      assertThat(hand.receipt(changed, hand.id).status()).isEqualTo(409);
      assertThat(p.curl("/.staithe/log/checkpoint").run().text()).contains("/.staithe/log\n1\n");
    }
  }

  /** There it is in no field of the request. */
  @Test
  void requestAndReceiptOverHttp2AreForTheHostThatTheirClientNames() throws Exception {
    try (RunningStorage p = pair.startS(Map.of("staithe.http2", true));
        RunningStorage a = pair.startR(Map.of())) {
      Hand hand = new Hand(p);
      hand.http2 = true;
      assertThat(hand.ask().body()).isEqualTo(pair.content);
      assertThat(hand.receipt(pair.content, hand.id).status()).isEqualTo(201);
      Hand elsewhere = new Hand(p);
      elsewhere.http2 = true;
      elsewhere.url = pair.atR("/data/file");
      assertThat(elsewhere.ask().text()).contains("not by the key that it names");
    }
  }

  /** One row that the database does not take would keep out those of everybody. */
  @Test
  void partnerHasNoMoreKeptThanThereIsRoomFor() throws Exception {
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(Map.of())) {
      Hand labelled = new Hand(p);
      labelled.label = "l".repeat(400);
      assertThat(labelled.ask().text()).contains("label has more than 64 characters");
      Hand hand = new Hand(p);
      assertThat(hand.ask().status()).isEqualTo(200);
      String body =
          new Received(true, pair.content.length, Hash.of(pair.content), Instant.EPOCH).encode();
      assertThat(hand.receipt(body + " ".repeat(2001 - body.length()), hand.id).status())
          .isEqualTo(413);
      assertThat(hand.receipt(body, hand.id).status()).isEqualTo(201);
      assertThat(pair.rows("s")).as("of the first nothing is kept").hasSize(1);
    }
  }

  private void sql(String statement) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:h2:file:" + folder.resolve("s-contracts/contracts").toAbsolutePath(),
            "staithe",
            "")) {
      connection.createStatement().execute(statement);
    }
  }

  private static void mayComeAgain(Curl.Response away) {
    assertThat(away.status()).as(away.text()).isEqualTo(503);
    assertThat(away.header("retry-after")).isPresent();
  }

  /** As in a fail-over: whoever is told that the server is broken gives up. */
  @Test
  void requestWhileTheDatabaseOfContractsIsAwayMayBeMadeAgainSoon() throws Exception {
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(Map.of())) {
      Hand hand = new Hand(p);
      sql("alter table contract rename to away");
      mayComeAgain(hand.ask());
      mayComeAgain(hand.receipt(pair.content, hand.id));
      mayComeAgain(p.curl("/.staithe/contracts").run());

      sql("alter table away rename to contract");
      assertThat(hand.ask().body()).isEqualTo(pair.content);
      assertThat(hand.receipt(pair.content, hand.id).status()).isEqualTo(201);
    }
  }

  /** Receipts are by signature alone: the token that asked may have ended since. */
  @Test
  void receiptIsTakenAfterTheTokenHasExpired() throws Exception {
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(Map.of())) {
      // However busy the machine is, one of them lives until it has asked.
      Hand asked = null;
      for (int seconds = 2; asked == null; seconds *= 2) {
        Hand next = new Hand(p);
        next.token =
            pair.issuer
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
      assertThat(hand.receipt(pair.content, hand.id).status()).isEqualTo(201);
      assertThat(pair.rows("s").getFirst().state()).isEqualTo("received");
      assertThat(ContractPair.audit(p, a, p, pair.rows("s").getFirst().own()))
          .allMatch(ContractAudit.Finding::good);
    }
  }

  @Test
  void hostThatNeverAcknowledgesGetsNoMore() throws Exception {
    try (RunningStorage p = pair.startS(Map.of("staithe.areas[0].contracts.max-open-per-host", 2));
        RunningStorage a = pair.startR(Map.of())) {
      Hand first = new Hand(p);
      assertThat(first.ask().status()).isEqualTo(200);
      assertThat(new Hand(p).ask().status()).isEqualTo(200);
      assertThat(new Hand(p).ask().text()).contains("has not acknowledged");
      assertThat(first.receipt(pair.content, first.id).status()).isEqualTo(201);
      assertThat(new Hand(p).ask().status()).isEqualTo(200);
    }
  }
}
