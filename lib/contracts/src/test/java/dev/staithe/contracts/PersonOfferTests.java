package dev.staithe.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Provenance;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.pki.Credential;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads by people, of which a host states what it likes. */
final class PersonOfferTests {
  private static final String ORIGIN = "https://r.example:8443";
  private static final String URL = ORIGIN + "/data/f";
  private static final String NAME = "CN=Ada,O=Example,C=DE";
  private static final byte[] SENT = {1, 2, 3};

  @TempDir private static Path folder;
  private static Credential ada;

  @TempDir private Path at;
  private final Clock clock = Clock.systemUTC();
  private final ContractKey host = Keys.make();
  private final Map<String, PartyKey> keys = Map.of(host.id(), host.publicKey());
  private PersonOffer offer;
  private Map<String, List<String>> offered;
  private ContractRecord.Part agreed;
  private LogKey logKey;
  private TileLog log;

  @BeforeAll
  static void make() throws Exception {
    GridAuthority authority = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority.Holder person = authority.person("/C=DE/O=Example/CN=Ada");
    ada = Credential.read(person.certificate(), person.key());
  }

  @BeforeEach
  void offer() throws Exception {
    logKey = LogKey.readOrMake(at.resolve("log.key"), "r.example:8443/.staithe/log");
    log = TileLog.open(at.resolve("log"), logKey);
    offer =
        PersonOffer.of(
            URL, ORIGIN, PersonSigner.byCertificate(ada, Map.of("purpose", "archive"), clock));
    offered = lists(offer.offer(SENT.length, Hash.of(SENT), "", "Bearer t"));
  }

  private static Map<String, List<String>> lists(Map<String, String> fields) {
    Map<String, List<String>> lists = new HashMap<>();
    fields.forEach((name, value) -> lists.put(name, new ArrayList<>(List.of(value))));
    return lists;
  }

  private MessageSignature byHost(SignedMessage message, SignatureProfile profile)
      throws BadSignature {
    return MessageSignature.sign(
        message,
        host,
        new MessageSignature.Wanted(
            "h", profile.covered(), clock.instant(), Duration.ofMinutes(5), "n", profile.tag()));
  }

  private Map<String, List<String>> agreement(String id, long size, String ofHost)
      throws BadSignature {
    Map<String, List<String>> fields =
        lists(
            Map.of(
                "Contract",
                new ContractField(id, "", "", size, "").encode(),
                "Host-Properties",
                HostProperties.sign(ofHost, Map.of("jurisdiction", "NL"), host, clock.instant())
                    .text()));
    MessageSignature signature =
        byHost(
            SignedMessage.answer(200, fields, SignedMessage.request("POST", URL, offered)),
            SignatureProfile.AGREEMENT);
    fields.put("Signature-Input", List.of(signature.inputField()));
    fields.put("Signature", List.of(signature.signatureField()));
    return fields;
  }

  @Test
  void agreementToSomethingElseOrByAnotherHostIsRefused() throws Exception {
    assertThat(offer.agreed(agreement(offer.id(), 3, ORIGIN), keys).values())
        .containsEntry("jurisdiction", "NL");
    assertThatThrownBy(() -> offer.agreed(agreement(offer.id(), 4, ORIGIN), keys))
        .hasMessageContaining("something else than was offered");
    String other = "0195d3e0-0000-7000-8000-000000000000";
    assertThatThrownBy(() -> offer.agreed(agreement(other, 3, ORIGIN), keys))
        .hasMessageContaining("something else than was offered");
    assertThatThrownBy(() -> offer.agreed(agreement(offer.id(), 3, "https://s.example:8443"), keys))
        .hasMessageContaining("the host properties are of https://s.example:8443");
    assertThatThrownBy(() -> offer.agreed(agreement(offer.id(), 3, ORIGIN), Map.of()))
        .hasMessageContaining("no key that " + ORIGIN + " publishes");
    Map<String, List<String>> ofBefore = agreement(offer.id(), 3, ORIGIN);
    offer.offer(SENT.length, Hash.of(SENT), "", "Bearer t");
    assertThatThrownBy(() -> offer.agreed(ofBefore, keys))
        .hasMessageContaining("not by the key that it names");
  }

  /** What the host states where she is called so, and that was signed to bring the file. */
  private byte[] statement(String sender, ContractRecord.Part delivery, byte[] came)
      throws Exception {
    Received received = new Received(true, came.length, Hash.of(came), clock.instant());
    String body = received.encode();
    MessageSignature receipt =
        byHost(
            SignedMessage.request(
                "POST",
                offer.statementUrl(),
                lists(
                    Map.of(
                        "Contract",
                        new ContractField(offer.id(), "", "").encode(),
                        "Content-Digest",
                        ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8)))))),
            SignatureProfile.RECEIPT);
    ContractRecord record =
        new ContractRecord(
            offer.id(), sender, ORIGIN, agreed, delivery, ContractRecord.Part.of(receipt), body);
    Statement stated = Statement.sign(ORIGIN, offer.id(), record.encode(), host, clock.instant());
    long index = log.append(stated.entry());
    return stated.logged(log, logKey, index, offer.id(), clock.instant()).encode();
  }

  private SignedMessage brought() throws Exception {
    Map<String, List<String>> fields = agreement(offer.id(), 3, ORIGIN);
    offer.agreed(fields, keys);
    agreed =
        ContractRecord.Part.of(
            SignatureProfile.AGREEMENT.find(
                SignedMessage.answer(200, fields, SignedMessage.request("POST", URL, offered))));
    Map<String, List<String>> delivery = lists(offer.deliver());
    delivery.put("Content-Length", List.of("3"));
    return SignedMessage.request("PUT", URL, delivery);
  }

  @Test
  void statementThatIsNotOfWhatSheBroughtIsFound() throws Exception {
    SignedMessage put = brought();
    ContractRecord.Part hers = ContractRecord.Part.of(SignatureProfile.PERSON_DELIVERY.find(put));
    byte[] good = statement(NAME, hers, SENT);
    offer.stated(good, keys, logKey.verifier());
    assertThat(new ContractAudit(keys, logKey.verifier()).run(good))
        .hasSize(7)
        .allMatch(ContractAudit.Finding::good)
        .anyMatch(f -> f.line().contains(NAME + " brought as a person"))
        .anyMatch(f -> f.line().contains("said {purpose=archive}"));
    assertThat(Provenance.of(Statement.parse(good)).get("agent"))
        .asString()
        .contains("prov:Person", "prov:SoftwareAgent");

    // A host that makes up what she signed has no key that her certificate vouches for.
    found(
        statement(
            NAME, ContractRecord.Part.of(byHost(put, SignatureProfile.PERSON_DELIVERY)), SENT),
        "not signed by the key that is vouched for");
    found(statement("CN=Bob,O=Example,C=DE", hers, SENT), "the property list is by " + NAME);
    found(statement("https://s.example:8443", hers, SENT), "signed by no key that is known");
    found(statement(NAME, hers, new byte[] {1, 2, 4}), "of other bytes than were sent");
    offered = lists(offer.offer(SENT.length, Hash.of(SENT), "", "Bearer t"));
    assertThatThrownBy(() -> offer.stated(good, keys, logKey.verifier()))
        .hasMessageContaining("something else");
  }

  private void found(byte[] statement, String line) {
    assertThat(new ContractAudit(keys, logKey.verifier()).run(statement))
        .anyMatch(f -> !f.good() && f.line().contains(line));
    assertThatThrownBy(() -> offer.stated(statement, keys, logKey.verifier()))
        .isInstanceOf(BadSignature.class);
  }
}
