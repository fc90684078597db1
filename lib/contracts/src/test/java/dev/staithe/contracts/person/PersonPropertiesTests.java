package dev.staithe.contracts.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.Keys;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.pki.Credential;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person as a party: what her certificate vouches for, and what an auditor finds of it. */
class PersonPropertiesTests {
  private static final String ORIGIN = "https://p.example:8443";
  private static final String URL = ORIGIN + "/data/f";
  private static final String NAME = "CN=Ada,O=Example,C=DE";

  @TempDir private static Path folder;
  private static GridAuthority authority;
  private static Credential ada;
  private static Credential proxy;

  private final ContractKey host = Keys.make();
  private final Clock clock = Clock.systemUTC();

  @BeforeAll
  static void make() throws Exception {
    authority = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority.Holder person = authority.person("/C=DE/O=Example/CN=Ada");
    ada = Credential.read(person.certificate(), person.key());
    GridAuthority.Holder file = authority.proxy(person);
    proxy = Credential.read(file.certificate(), file.key());
  }

  private PersonProperties signed(Credential by, Map<String, Object> values) throws BadSignature {
    return PersonProperties.sign(by, Keys.make().publicKey(), values, clock.instant());
  }

  @Test
  void certificateOrProxyVouchesForAFreshKey() throws Exception {
    for (Credential each : List.of(ada, proxy)) {
      PersonProperties made = signed(each, Map.of("jurisdiction", "DE"));
      assertThat(PersonProperties.isOne(made.text())).isTrue();
      PersonProperties read = PersonProperties.verify(made.text(), clock.instant());
      assertThat(read.name()).isEqualTo(NAME);
      assertThat(read.key().id()).isEqualTo(made.key().id());
      assertThat(read.values()).containsEntry("jurisdiction", "DE");
      assertThat(read.voucher())
          .isInstanceOfSatisfying(
              Voucher.Certificates.class,
              certificates -> assertThat(certificates.chain()).isEqualTo(each.chain()));
    }
    String ofHost = HostProperties.sign(ORIGIN, Map.of(), host, clock.instant()).text();
    assertThat(PersonProperties.isOne(ofHost)).isFalse();
  }

  @Test
  void listThatWasChangedOrIsOfAnotherHourIsRefused() throws Exception {
    String text = signed(ada, Map.of("jurisdiction", "DE")).text();
    String[] parts = text.split("\\.");
    String claims =
        new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
            .replace("\"DE\"", "\"NL\"");
    String changed =
        parts[0]
            + "."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.getBytes(StandardCharsets.UTF_8))
            + "."
            + parts[2];
    assertThatThrownBy(() -> PersonProperties.verify(changed, clock.instant()))
        .hasMessageContaining("not signed by its certificate's key");
    assertThatThrownBy(
            () -> PersonProperties.verify(text, clock.instant().plus(Duration.ofHours(2))))
        .hasMessageContaining("of this hour");
  }

  @Test
  void listOrNameThatIsTooLongIsRefusedByOneLine() throws Exception {
    Credential many = new Credential(ada.key(), Collections.nCopies(12, ada.certificate()));
    assertThatThrownBy(() -> signed(many, Map.of()))
        .isInstanceOf(BadSignature.class)
        .hasMessageMatching("the property list has [0-9]+ characters .* at most 8192 are read");
    GridAuthority.Holder named =
        authority.person("/C=DE/O=Example" + ("/OU=" + "x".repeat(60)).repeat(5) + "/CN=Ada");
    Credential long300 = Credential.read(named.certificate(), named.key());
    assertThatThrownBy(() -> signed(long300, Map.of()))
        .isInstanceOf(BadSignature.class)
        .hasMessageMatching("the certificate's name has [0-9]+ characters, .* at most 300");
    String tooLong = "x".repeat(8193);
    assertThatThrownBy(() -> PersonProperties.isOne(tooLong)).hasMessageContaining("8193");
    assertThatThrownBy(() -> HostProperties.claimedIssuer(tooLong)).hasMessageContaining("8193");
  }

  /** A whole download, of which the host states what {@code receiver} signed. */
  private byte[] statement(Credential person, String receiver, TileLog log, LogKey logKey)
      throws Exception {
    byte[] sent = {1, 2, 3};
    PersonContract contract =
        PersonContract.of(URL, ORIGIN, PersonSigner.byCertificate(person, Map.of(), clock));
    SignedMessage request = SignedMessage.request("GET", URL, lists(contract.ask("", "Bearer t")));
    Map<String, List<String>> answered =
        lists(
            Map.of(
                "Contract", new ContractField(contract.id(), "", "").encode(),
                "Content-Length", "3",
                "Repr-Digest", ContractAudit.digest(Hash.of(sent))));
    MessageSignature answer =
        MessageSignature.sign(
            SignedMessage.answer(200, answered, request),
            host,
            new MessageSignature.Wanted(
                "h",
                SignatureProfile.ANSWER.covered(),
                clock.instant(),
                Duration.ofMinutes(5),
                "n",
                SignatureProfile.ANSWER.tag()));
    answered.put("Signature-Input", List.of(answer.inputField()));
    answered.put("Signature", List.of(answer.signatureField()));
    contract.answered(answered, Map.of(host.id(), host.publicKey()));
    Received received = new Received(true, 3, Hash.of(sent), clock.instant());
    SignedMessage receipt =
        SignedMessage.request("POST", contract.receiptUrl(), lists(contract.receipt(received)));
    ContractRecord record =
        new ContractRecord(
            contract.id(),
            ORIGIN,
            receiver,
            ContractRecord.Part.of(SignatureProfile.REQUEST.find(request)),
            ContractRecord.Part.of(answer),
            ContractRecord.Part.of(SignatureProfile.RECEIPT.find(receipt)),
            received.encode());
    Statement stated =
        Statement.sign(ORIGIN, contract.id(), record.encode(), host, clock.instant());
    long index = log.append(stated.entry());
    byte[] file = stated.logged(log, logKey, index, contract.id(), clock.instant()).encode();
    if (receiver.equals(NAME)) {
      contract.acknowledged(file, received, Map.of(host.id(), host.publicKey()), logKey.verifier());
    }
    return file;
  }

  private static Map<String, List<String>> lists(Map<String, String> fields) {
    Map<String, List<String>> lists = new HashMap<>();
    fields.forEach((name, value) -> lists.put(name, new ArrayList<>(List.of(value))));
    return lists;
  }

  private List<ContractAudit.Finding> audit(byte[] file, LogKey log, TrustAnchors people) {
    return new ContractAudit(
            Map.of(host.id(), host.publicKey()),
            log.verifier(),
            new PersonAuthorities(people, null))
        .run(file);
  }

  @Test
  void auditorLearnsThatAPersonReceivedAndByWhichCertificate(@TempDir Path at) throws Exception {
    LogKey logKey = LogKey.readOrMake(at.resolve("log.key"), "p.example:8443/.staithe/log");
    TileLog log = TileLog.open(at.resolve("log"), logKey);
    TrustAnchors known = TrustAnchors.read(authority.trust());
    byte[] file = statement(ada, NAME, log, logKey);
    assertThat(audit(file, logKey, known))
        .hasSize(7)
        .allMatch(ContractAudit.Finding::good)
        .anyMatch(
            f ->
                f.line().contains(NAME + " received as a person, by the certificate of sha-256")
                    && f.line().contains("vouched for then"));
    assertThat(audit(file, logKey, null))
        .allMatch(ContractAudit.Finding::good)
        .anyMatch(f -> f.line().contains("which no authority was asked about"));
    assertThat(audit(statement(proxy, NAME, log, logKey), logKey, known))
        .allMatch(ContractAudit.Finding::good)
        .anyMatch(f -> f.line().contains("by the proxy of"));

    GridAuthority strange = GridAuthority.in(at.resolve("strange"), clock);
    assertThat(audit(file, logKey, TrustAnchors.read(strange.trust())))
        .anyMatch(f -> !f.good() && f.line().contains("not issued by a trusted authority"));
    assertThat(audit(statement(ada, "CN=Bob,O=Example,C=DE", log, logKey), logKey, known))
        .anyMatch(f -> !f.good() && f.line().contains("the property list is by " + NAME));
  }

  /** A sender that makes up what a person signed has no key that her certificate vouches for. */
  @Test
  void receiptThatThePersonDidNotSignIsFound(@TempDir Path at) throws Exception {
    LogKey logKey = LogKey.readOrMake(at.resolve("log.key"), "p.example:8443/.staithe/log");
    TileLog log = TileLog.open(at.resolve("log"), logKey);
    ContractRecord good =
        ContractRecord.parse(
            Statement.parse(statement(ada, NAME, log, logKey)).claimed().content());
    ContractField contract = new ContractField(good.id(), "", "");
    String body = new Received(true, 3, Hash.of(new byte[] {1, 2, 3}), Instant.EPOCH).encode();
    MessageSignature madeUp =
        MessageSignature.sign(
            SignedMessage.request(
                "POST",
                ORIGIN + "/.staithe/contracts/" + good.id(),
                lists(
                    Map.of(
                        "Contract",
                        contract.encode(),
                        "Content-Digest",
                        ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8)))))),
            host,
            new MessageSignature.Wanted(
                "p",
                SignatureProfile.RECEIPT.covered(),
                clock.instant(),
                Duration.ofMinutes(5),
                "n",
                SignatureProfile.RECEIPT.tag()));
    ContractRecord record =
        new ContractRecord(
            good.id(),
            ORIGIN,
            NAME,
            good.request(),
            good.answer(),
            ContractRecord.Part.of(madeUp),
            body);
    Statement stated = Statement.sign(ORIGIN, good.id(), record.encode(), host, clock.instant());
    long index = log.append(stated.entry());
    byte[] file = stated.logged(log, logKey, index, good.id(), clock.instant()).encode();
    assertThat(audit(file, logKey, null))
        .anyMatch(f -> !f.good() && f.line().contains("key that is vouched for"));
  }
}
