package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
  private ContractPair pair;

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  private static Curl.Response get(RunningStorage server, String path) {
    return server.curl(path).token(server.token()).run();
  }

  private static CopyAnswer pull(RunningStorage a, String source, String target) {
    return ContractPair.pull(a, source, target, 1);
  }

  private String state(String name) {
    return pair.rows(name).getFirst().state();
  }

  private String last(String name) {
    return pair.rows(name).getLast().state();
  }

  @Test
  void pullIsRefusedForAPropertyThenAllowedAndProvenByBothSides() throws Exception {
    try (RunningStorage p =
            pair.startS(
                Map.of(
                    "staithe.areas[0].contracts.properties[0]",
                    "jurisdiction in [DE, NL]",
                    "staithe.areas[0].contracts.properties[1]",
                    "retention >= 20d"));
        RunningStorage wrong =
            pair.startR(
                Map.of(
                    "staithe.contracts.host.jurisdiction",
                    "US",
                    "staithe.contracts.host.retention",
                    "P1D"))) {
      CopyAnswer refused = pull(wrong, pair.atS("/data/file"), "/data/file");
      assertThat(refused.last())
          .contains("rejected GET: 403")
          .contains("wanted jurisdiction in [DE, NL], offered [US]")
          .contains("wanted retention >= 20d, offered [P1D]");
      assertThat(wrong.data().resolve("file")).doesNotExist();
      assertThat(pair.rows("s")).isEmpty();
    }
    try (RunningStorage p =
            pair.startS(
                Map.of(
                    "staithe.areas[0].contracts.properties[0]",
                    "jurisdiction in [DE, NL]",
                    "staithe.areas[0].contracts.properties[1]",
                    "retention >= 20d"));
        RunningStorage a = pair.startR(Map.of())) {
      CopyAnswer copied = pull(a, pair.atS("/data/file"), "/data/file");
      copied.succeeded(pair.content.length);
      assertThat(a.data().resolve("file")).hasBinaryContent(pair.content);
      KeptContracts.Row sender = pair.rows("s").getFirst();
      Eventually.holds(
          "the statement is in its file",
          () -> KeptContracts.statements(folder.resolve("s-contracts")).size() == 1);
      assertThat(KeptContracts.statements(folder.resolve("s-contracts")).getFirst())
          .isEqualTo(sender.own());
      KeptContracts.Row receiver = pair.rows("r").getFirst();
      assertThat(sender.state()).isEqualTo("received");
      assertThat(receiver.state()).isEqualTo("acknowledged");
      assertThat(receiver.partner()).isEqualTo(sender.own());
      assertThat(ContractPair.audit(p, a, p, sender.own()))
          .hasSize(6)
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("received 3000000 bytes"));
      assertThat(ContractPair.audit(p, a, a, receiver.own())).allMatch(ContractAudit.Finding::good);
      assertThat(new String(sender.own(), StandardCharsets.ISO_8859_1))
          .as("no credential is kept")
          .doesNotContain("Bearer");
    }
  }

  @Test
  void clientWithoutContractIsToldWhatIsNeeded() throws Exception {
    try (RunningStorage p =
        pair.startS(Map.of("staithe.areas[0].contracts.properties[0]", "jurisdiction in [DE]"))) {
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
              .header("Source", pair.atS("/data/file"))
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
    try (RunningStorage p = pair.startS(elsewhere);
        RunningStorage a = pair.startR(Map.of())) {
      pull(a, pair.atS("/data/file"), "/data/file").succeeded(pair.content.length);
      String id = pair.rows("s").getFirst().id();
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
      assertThat(a.curl("/.staithe/contracts?host=" + ContractPair.host(pair.portOfS)).run().text())
          .contains(id);
      assertThat(a.curl("/.staithe/contracts?host=other:1").run().text()).doesNotContain(id);
      assertThat(a.curl("/.staithe/contracts?until=2020-01-01T00:00:00Z").run().text())
          .isEqualTo("{\"contracts\":[]}");
      for (String none : List.of("x", "-999999999-01-01T00:00:00Z")) {
        assertThat(a.curl("/.staithe/contracts?since=" + none).run().status())
            .as(none)
            .isEqualTo(400);
      }
    }
  }

  @Test
  void offerAndOffChangeNothingForThoseWithoutIt() throws Exception {
    try (RunningStorage p = pair.startS(Map.of("staithe.areas[0].contracts.mode", "offer"));
        RunningStorage a = pair.startR(Map.of("staithe.areas[0].contracts.mode", "off"))) {
      assertThat(get(p, "/data/file").body()).isEqualTo(pair.content);
      pull(a, pair.atS("/data/file"), "/data/plain").succeeded(pair.content.length);
      assertThat(pair.rows("s")).isEmpty();
    }
    try (RunningStorage p = pair.startS(Map.of("staithe.areas[0].contracts.mode", "off"));
        RunningStorage a = pair.startR(Map.of("staithe.areas[0].contracts.mode", "offer"))) {
      pull(a, pair.atS("/data/file"), "/data/offered").succeeded(pair.content.length);
      assertThat(pair.rows("r")).isEmpty();
    }
    try (RunningStorage p = pair.startS(Map.of("staithe.areas[0].contracts.mode", "off"));
        RunningStorage a = pair.startR(Map.of())) {
      assertThat(pull(a, pair.atS("/data/file"), "/data/required").last())
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
    try (RunningStorage p = pair.startS(terms);
        RunningStorage a = pair.startR(Map.of())) {
      assertThat(pull(a, pair.atS("/data/file"), "/data/file").last())
          .contains("agree to the terms of sha-256 " + TERMS);
    }
    try (RunningStorage p = pair.startS(terms);
        RunningStorage a = pair.startR(Map.of("staithe.contracts.accepted-terms", TERMS))) {
      pull(a, pair.atS("/data/file"), "/data/file").succeeded(pair.content.length);
      assertThat(ContractPair.audit(p, a, p, pair.rows("s").getFirst().own()))
          .anyMatch(f -> f.good() && f.line().contains("under the terms of sha-256 " + TERMS));
    }
  }

  @Test
  void bytesThatAreNotThoseSignedAreThrownAwayAndTheSenderIsTold() throws Exception {
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(Map.of())) {
      pull(a, pair.atS("/data/file"), "/data/first").succeeded(pair.content.length);
      // What the sender keeps as the file's checksum, and signs, is of other bytes.
      UserDefinedFileAttributeView view =
          Files.getFileAttributeView(
              folder.resolve("s/data/file"), UserDefinedFileAttributeView.class);
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
      assertThat(pull(a, pair.atS("/data/file"), "/data/second").last())
          .contains("checksum mismatch");
      assertThat(a.data().resolve("second")).doesNotExist();
      Eventually.holds("told", () -> last("r").equals("refused"));
      assertThat(pair.rows("s").getLast().state()).isEqualTo("refused");
      assertThat(ContractPair.audit(p, a, p, pair.rows("s").getLast().own()))
          .allMatch(ContractAudit.Finding::good)
          .anyMatch(f -> f.line().contains("threw away"));
    }
  }

  @Test
  void hostThatIsNoPartnerGetsNothing() throws Exception {
    try (RunningStorage p =
            pair.startS(Map.of("staithe.areas[0].contracts.hosts", "other.example:1"));
        RunningStorage a = pair.startR(Map.of())) {
      assertThat(pull(a, pair.atS("/data/file"), "/data/file").last())
          .contains("no contracts with https://" + ContractPair.host(pair.portOfR));
    }
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a =
            pair.startR(Map.of("staithe.areas[0].contracts.hosts", "other.example:1"))) {
      assertThat(pull(a, pair.atS("/data/file"), "/data/file").last())
          .contains("by contract only, and has none with");
    }
  }

  @Test
  void logIsServedAsFilesAndCommitsToWhatItGaveOut() throws Exception {
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(Map.of())) {
      for (int i = 0; i < 3; i++) {
        pull(a, pair.atS("/data/file"), "/data/file" + i).succeeded(pair.content.length);
      }
      assertThat(
              PartyKey.readSet(
                  p.curl("/.well-known/http-message-signatures-directory").run().text()))
          .containsOnlyKeys(ContractKey.read(pair.key("s")).id());
      String note = p.curl("/.staithe/log/checkpoint").run().text();
      assertThat(note).startsWith(ContractPair.host(pair.portOfS) + "/.staithe/log\n3\n");
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
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(async)) {
      pull(a, pair.atS("/data/file"), "/data/file").succeeded(pair.content.length);
      assertThat(a.data().resolve("file")).hasBinaryContent(pair.content);
      Eventually.holds("acknowledged", () -> state("r").equals("acknowledged"));
    }
    // As after a kill between the rename and the receipt.
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:h2:file:" + folder.resolve("r-contracts/contracts").toAbsolutePath(),
            "staithe",
            "")) {
      connection
          .createStatement()
          .execute("update contract set state = 'verified', partner_statement = null");
    }
    try (RunningStorage p = pair.startS(Map.of());
        RunningStorage a = pair.startR(async)) {
      Eventually.holds("acknowledged", () -> state("r").equals("acknowledged"));
      assertThat(pair.rows("s")).hasSize(1);
      assertThat(pair.rows("r").getFirst().partner()).isEqualTo(pair.rows("s").getFirst().own());
    }
  }

  /** The key is changed on the side that sent while the other one still holds the old set. */
  @Test
  void keyThatWasReplacedStaysPublishedWithItsEndAndNothingNewCountsByIt() throws Exception {
    Map<String, Object> async = Map.of("staithe.areas[0].contracts.receipts", "async");
    byte[] before;
    Instant end;
    try (RunningStorage a = pair.startR(async)) {
      try (RunningStorage p = pair.startS(Map.of())) {
        pull(a, pair.atS("/data/file"), "/data/before").succeeded(pair.content.length);
        Eventually.holds("acknowledged", () -> last("r").equals("acknowledged"));
        before = pair.rows("s").getFirst().own();
      }
      end = Instant.now();
      Path old = pair.anotherKey("s");
      Map<String, Object> rotated =
          Map.of(
              "staithe.contracts.old-keys[0].key", old, "staithe.contracts.old-keys[0].until", end);
      try (RunningStorage p = pair.startS(rotated)) {
        Map<String, PartyKey> keys =
            PartyKey.readSet(p.curl("/.well-known/jwks.json").run().text());
        String oldId = ContractKey.read(old).id();
        assertThat(keys).containsOnlyKeys(ContractKey.read(pair.key("s")).id(), oldId);
        assertThat(keys.get(oldId).signsAt(end.minusSeconds(2))).isTrue();
        assertThat(keys.get(oldId).signsAt(end.plusSeconds(2))).isFalse();
        assertThat(ContractPair.audit(p, a, p, before))
            .as("by the set of today")
            .allMatch(f -> f.good());

        // A answers with its own eyes: it has P's old set in hand, and P signs by the new key.
        Eventually.holds(
            "the new key is asked for",
            () -> pull(a, pair.atS("/data/file"), "/data/after").last().startsWith("success"));
        Eventually.holds("acknowledged", () -> last("r").equals("acknowledged"));
        assertThat(ContractPair.audit(p, a, p, pair.rows("s").getLast().own()))
            .allMatch(f -> f.good());
        assertThat(ContractPair.audit(p, a, a, pair.rows("r").getLast().own()))
            .allMatch(f -> f.good());
      }
    }
  }
}
