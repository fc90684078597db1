package dev.staithe.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.contracts.signature.SignedMessage.Component;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an auditor finds in a statement, and in statements that somebody made up. */
final class ContractAuditTests {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String SENDER = "https://p.example:8443";
  private static final String RECEIVER = "https://a.example:8443";

  @TempDir Path folder;
  private final ContractKey sender = Keys.make();
  private final ContractKey receiver = Keys.make();
  private final String id = UUID.randomUUID().toString();
  private final byte[] bytes = "the bytes".getBytes(StandardCharsets.UTF_8);
  private TileLog log;
  private LogKey logKey;

  @BeforeEach
  void open() throws Exception {
    logKey = LogKey.readOrMake(folder.resolve("log.key"), "p.example:8443/.staithe/log");
    log = TileLog.open(folder.resolve("log"), logKey);
  }

  private MessageSignature sign(SignedMessage message, ContractKey key, List<Component> covered)
      throws BadSignature {
    return MessageSignature.sign(
        message,
        key,
        new MessageSignature.Wanted(
            "c", covered, NOW, Duration.ofMinutes(5), UUID.randomUUID().toString(), "t"));
  }

  private static List<Component> own(String... names) {
    return Stream.of(names).map(Component::of).toList();
  }

  private ContractRecord record(byte[] sent, byte[] got, boolean kept) throws BadSignature {
    return record(sent, got, kept, sender);
  }

  private ContractRecord record(byte[] sent, byte[] got, boolean kept, ContractKey answers)
      throws BadSignature {
    String contract = new ContractField(id, "", "").encode();
    String hpl = HostProperties.sign(RECEIVER, Map.of("jurisdiction", "DE"), receiver, NOW).text();
    Map<String, List<String>> asked = new HashMap<>();
    asked.put("contract", List.of(contract));
    asked.put("host-properties", List.of(hpl));
    SignedMessage request = SignedMessage.request("GET", SENDER + "/data/f", asked);
    MessageSignature first =
        sign(request, receiver, own("@method", "@target-uri", "contract", "host-properties"));
    asked.put("signature", List.of(first.signatureField()));
    SignedMessage answer =
        SignedMessage.answer(
            200,
            Map.of(
                "contract",
                List.of(contract),
                "content-length",
                List.of(String.valueOf(sent.length)),
                "repr-digest",
                List.of(ContractAudit.digest(Hash.of(sent)))),
            SignedMessage.request("GET", SENDER + "/data/f", asked));
    MessageSignature second =
        sign(
            answer,
            answers,
            Stream.concat(
                    own("@status", "content-length", "repr-digest", "contract").stream(),
                    Stream.of("@method", "@target-uri", "signature").map(Component::ofRequest))
                .toList());
    String body = new Received(kept, got.length, Hash.of(got), NOW).encode();
    SignedMessage receipt =
        SignedMessage.request(
            "POST",
            SENDER + "/.staithe/contracts/" + id,
            Map.of(
                "contract",
                List.of(contract),
                "content-digest",
                List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8))))));
    MessageSignature third =
        sign(receipt, receiver, own("@method", "@target-uri", "contract", "content-digest"));
    return new ContractRecord(
        id,
        SENDER,
        RECEIVER,
        ContractRecord.Part.of(first),
        ContractRecord.Part.of(second),
        ContractRecord.Part.of(third),
        body);
  }

  private Statement stated(ContractRecord record) throws Exception {
    return stated(record, SENDER, sender);
  }

  private Statement stated(ContractRecord record, String by, ContractKey key) throws Exception {
    Statement statement = Statement.sign(by, id, record.encode(), key, NOW);
    long index = log.append(statement.entry());
    return statement.logged(log, logKey, index, id, NOW);
  }

  private List<ContractAudit.Finding> audit(byte[] file) {
    return new ContractAudit(
            Map.of(sender.id(), sender.publicKey(), receiver.id(), receiver.publicKey()),
            log.verifier())
        .run(file);
  }

  @Test
  void transferIsProvenLineByLine() throws Exception {
    for (int i = 0; i < 5; i++) {
      log.append(Hash.of(new byte[] {(byte) i}));
    }
    byte[] file = stated(record(bytes, bytes, true)).encode();
    List<ContractAudit.Finding> findings = audit(file);
    assertThat(findings).allMatch(ContractAudit.Finding::good).hasSize(6);
    assertThat(findings.stream().map(ContractAudit.Finding::line).toList())
        .anyMatch(line -> line.contains("entry 5 of 6"))
        .anyMatch(line -> line.contains(RECEIVER + " asked GET " + SENDER + "/data/f"))
        .anyMatch(line -> line.contains("{jurisdiction=DE}"))
        .anyMatch(line -> line.contains("answered 200 with 9 bytes"))
        .anyMatch(line -> line.contains("received 9 bytes"));
    assertThat(file.length).isLessThan(6000);
  }

  /** Of a file that was pushed: the receiver agrees, the sender brings. */
  private ContractRecord pushed(long agreedSize, String agreedHash) throws BadSignature {
    String url = RECEIVER + "/data/f";
    String digest = ContractAudit.digest(Hash.of(bytes));
    String hpl = HostProperties.sign(RECEIVER, Map.of("jurisdiction", "DE"), receiver, NOW).text();
    SignedMessage offer =
        SignedMessage.request(
            "POST",
            url,
            Map.of("repr-digest", List.of(digest), "signature", List.of("contract=:AAAA:")));
    String contract = new ContractField(id, "", "", agreedSize, "").encode();
    ContractRecord.Part agreement =
        ContractRecord.Part.of(
            sign(
                SignedMessage.answer(
                    200,
                    Map.of("contract", List.of(contract), "host-properties", List.of(hpl)),
                    offer),
                receiver,
                SignatureProfile.AGREEMENT.covered()));
    String brought =
        new ContractField(id, "", "", -1, agreedHash.isEmpty() ? agreement.hash() : agreedHash)
            .encode();
    ContractRecord.Part delivery =
        ContractRecord.Part.of(
            sign(
                SignedMessage.request(
                    "PUT",
                    url,
                    Map.of(
                        "contract",
                        List.of(brought),
                        "content-length",
                        List.of(String.valueOf(bytes.length)),
                        "repr-digest",
                        List.of(digest))),
                sender,
                SignatureProfile.DELIVERY.covered()));
    ContractRecord pulled = record(bytes, bytes, true);
    return new ContractRecord(
        id, SENDER, RECEIVER, agreement, delivery, pulled.receipt(), pulled.received());
  }

  @Test
  void pushIsProvenLineByLineAndBoundToItsAgreement() throws Exception {
    byte[] file = stated(pushed(bytes.length, "")).encode();
    assertThat(audit(file)).allMatch(ContractAudit.Finding::good).hasSize(6);
    assertThat(audit(file).stream().map(ContractAudit.Finding::line).toList())
        .anyMatch(line -> line.contains(RECEIVER + " agreed to take 9 bytes"))
        .anyMatch(line -> line.contains(SENDER + " brought 9 bytes"));
    ContractEntry entry = ContractEntry.of(Statement.parse(file));
    assertThat(entry.url()).isEqualTo(RECEIVER + "/data/f");
    assertThat(entry.sender()).isEqualTo(SENDER);
    for (ContractRecord other :
        List.of(pushed(bytes.length + 1L, ""), pushed(bytes.length, "ab".repeat(32)))) {
      assertThat(audit(stated(other).encode()))
          .anyMatch(f -> !f.good() && f.line().contains("something else than was agreed"));
    }
    ContractRecord one = pushed(bytes.length, "");
    ContractRecord asked = record(bytes, bytes, true);
    ContractRecord mixed =
        new ContractRecord(
            id, SENDER, RECEIVER, asked.request(), one.answer(), one.receipt(), one.received());
    assertThat(audit(stated(mixed).encode())).anyMatch(f -> !f.good());
  }

  @Test
  void everyChangedByteOfAStatementIsFound() throws Exception {
    everyChangedByteIsFound(stated(record(bytes, bytes, true)).encode());
    everyChangedByteIsFound(stated(pushed(bytes.length, "")).encode());
  }

  private void everyChangedByteIsFound(byte[] file) {
    for (int i = 0; i < file.length; i += 7) {
      byte[] changed = file.clone();
      changed[i] ^= 0x01;
      assertThat(audit(changed)).as("byte " + i).anyMatch(finding -> !finding.good());
    }
  }

  @Test
  void receiptForOtherBytesIsFound() throws Exception {
    List<ContractAudit.Finding> findings =
        audit(stated(record(bytes, new byte[] {1}, true)).encode());
    assertThat(findings)
        .anyMatch(finding -> !finding.good() && finding.line().contains("other bytes"));
    assertThat(audit(stated(record(bytes, new byte[] {1}, false)).encode()))
        .allMatch(ContractAudit.Finding::good);
  }

  @Test
  void answerToAnotherRequestIsFound() throws Exception {
    ContractRecord one = record(bytes, bytes, true);
    ContractRecord two = record(bytes, bytes, true);
    ContractRecord mixed =
        new ContractRecord(
            id, SENDER, RECEIVER, one.request(), two.answer(), one.receipt(), one.received());
    assertThat(audit(stated(mixed).encode()))
        .anyMatch(finding -> !finding.good() && finding.line().contains("another request"));
  }

  /** All of it by the receiver, which has two keys and a log of its own. */
  @Test
  void receiverThatSignsForTheSenderIsFound() throws Exception {
    ContractKey second = Keys.make();
    ContractRecord forged = record(bytes, bytes, true, second);
    Map<String, PartyKey> keys =
        new HashMap<>(PartyKey.readSet(PartyKey.writeSet(List.of(sender.publicKey()))));
    keys.putAll(
        PartyKey.readSet(PartyKey.writeSet(List.of(receiver.publicKey(), second.publicKey()))));
    assertThat(new ContractAudit(keys, log.verifier()).run(stated(forged).encode()))
        .anyMatch(f -> !f.good() && f.line().contains("signed by the receiver"));
    assertThat(
            new ContractAudit(keys, log.verifier())
                .run(stated(record(bytes, bytes, true)).encode()))
        .allMatch(ContractAudit.Finding::good);
  }

  @Test
  void statementInTheNameOfTheOtherPartyIsFound() throws Exception {
    for (ContractRecord record : List.of(record(bytes, bytes, true), pushed(bytes.length, ""))) {
      assertThat(audit(stated(record, SENDER, receiver).encode()))
          .anyMatch(f -> !f.good() && f.line().contains("not signed by a key of " + SENDER));
      assertThat(audit(stated(record, RECEIVER, sender).encode()))
          .anyMatch(f -> !f.good() && f.line().contains("not signed by a key of " + RECEIVER));
      assertThat(audit(stated(record, RECEIVER, receiver).encode()))
          .allMatch(ContractAudit.Finding::good);
    }
  }

  /** Whose key is in none of the files that an auditor has. */
  @Test
  void statementInTheNameOfAPersonIsFound() throws Exception {
    String ada = "CN=Ada,O=Example";
    ContractRecord hosts = record(bytes, bytes, true);
    ContractRecord hers =
        new ContractRecord(
            id, SENDER, ada, hosts.request(), hosts.answer(), hosts.receipt(), hosts.received());
    assertThat(
            new ContractAudit(Map.of(sender.id(), sender.publicKey()), log.verifier())
                .run(stated(hers, ada, sender).encode()))
        .contains(
            new ContractAudit.Finding(
                false,
                "record: the statement is of another contract, or by no host that is a party of"
                    + " it"));
  }

  @Test
  void statementThatNoLogHasIsFound() throws Exception {
    Statement statement =
        Statement.sign(SENDER, id, record(bytes, bytes, true).encode(), sender, NOW);
    assertThat(audit(statement.encode()))
        .anyMatch(finding -> !finding.good() && finding.line().contains("no receipt"));
    Statement other = stated(record(bytes, bytes, true));
    byte[] borrowed = new Statement(statement.signed(), other.receipts()).encode();
    assertThat(audit(borrowed)).anyMatch(finding -> !finding.good());
  }

  @Test
  void deepNestingIsRefusedAndNotFollowed() {
    byte[] deep = new byte[60_000];
    java.util.Arrays.fill(deep, (byte) 0x81);
    assertThatThrownBy(() -> Statement.parse(deep)).isInstanceOf(BadSignature.class);
    byte[] huge = {(byte) 0x9b, 0x7f, -1, -1, -1, -1, -1, -1, -1};
    assertThatThrownBy(() -> Statement.parse(huge)).isInstanceOf(BadSignature.class);
  }
}
