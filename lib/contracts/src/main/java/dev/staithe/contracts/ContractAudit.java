package dev.staithe.contracts;

import static dev.staithe.contracts.signature.SignedMessage.Component.ofRequest;

import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonAuthorities;
import dev.staithe.contracts.person.PersonProperties;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a statement years later, with nothing but the public keys: what each party signed, and
 * whether all of it is of one transfer.
 */
public final class ContractAudit {
  private final Map<String, PartyKey> keys;
  private final LogVerifier log;
  private final PersonAuthorities people;
  private final List<Finding> findings = new ArrayList<>();

  /** The key that is vouched for as a person's; of the statement in hand. */
  private @Nullable PartyKey ofPerson;

  /** The key by which the receiver asked, or agreed; of the statement in hand. */
  private @Nullable PartyKey ofReceiver;

  /** With the contract keys of all parties, and that of the log. */
  public ContractAudit(Map<String, PartyKey> keys, LogVerifier log) {
    this(keys, log, PersonAuthorities.NONE);
  }

  /** The same, with those who vouch for people. */
  public ContractAudit(Map<String, PartyKey> keys, LogVerifier log, PersonAuthorities people) {
    this.keys = Map.copyOf(keys);
    this.log = log;
    this.people = people;
  }

  /**
   * The outcome of one check.
   *
   * @param good whether it holds
   * @param line what was checked, and what was found
   */
  public record Finding(boolean good, String line) {}

  /** One check. */
  private interface Check {
    String run() throws BadSignature;
  }

  private boolean check(String what, Check check) {
    try {
      findings.add(new Finding(true, what + ": " + check.run()));
      return true;
    } catch (BadSignature bad) {
      findings.add(new Finding(false, what + ": " + bad.line()));
      return false;
    }
  }

  /**
   * Verifies a statement.
   *
   * @param file as it was exported
   * @return a line for each check; the statement holds where all are good
   */
  public List<Finding> run(byte[] file) {
    findings.clear();
    ofPerson = null;
    ofReceiver = null;
    Optional<Statement> statement = parsed(file);
    if (statement.isEmpty()) {
      return List.copyOf(findings);
    }
    check(
        "log",
        () -> {
          Statement.Place place = statement.get().verifyReceipt(log);
          return log.name() + " has it as entry " + place.index() + " of " + place.size();
        });
    List<Statement.Content> contents = new ArrayList<>();
    boolean stated =
        check(
            "statement",
            () -> {
              Statement.Content content = statement.get().verify(keys);
              contents.add(content);
              return "made by " + content.issuer() + " at " + content.stated();
            });
    if (stated) {
      verify(statement.get(), contents.getFirst());
    }
    return List.copyOf(findings);
  }

  private Optional<Statement> parsed(byte[] file) {
    try {
      return Optional.of(Statement.parse(file));
    } catch (BadSignature bad) {
      findings.add(new Finding(false, "file: " + bad.line()));
      return Optional.empty();
    }
  }

  private void verify(Statement statement, Statement.Content content) {
    try {
      ContractRecord record = ContractRecord.parse(content.content());
      SignatureBase request = SignatureBase.parse(record.request().base());
      SignatureBase answer = SignatureBase.parse(record.answer().base());
      SignatureBase receipt = SignatureBase.parse(record.receipt().base());
      if (!content.subject().equals("urn:uuid:" + record.id())
          || !ContractRecord.isHost(content.issuer())
          || !List.of(record.sender(), record.receiver()).contains(content.issuer())) {
        throw new BadSignature(
            "the statement is of another contract, or by no host that is a party of it");
      }
      requireOwnKey(record, request, content.issuer(), keys.get(statement.keyId()));
      if (!ContractRecord.isHost(record.receiver())) {
        check("person", () -> person(record.receiver(), "received", request));
      } else if (!ContractRecord.isHost(record.sender())) {
        check("person", () -> person(record.sender(), "brought", answer));
      }
      check("request", () -> request(record, request));
      check("properties", () -> properties(record, request));
      check("answer", () -> answer(record, request, answer));
      check("receipt", () -> receipt(record, answer, receipt));
    } catch (BadSignature bad) {
      findings.add(new Finding(false, "record: " + bad.line()));
    }
  }

  /** Who received states nothing in the sender's name, nor the other way round. */
  private void requireOwnKey(
      ContractRecord record, SignatureBase request, String issuer, @Nullable PartyKey stated)
      throws BadSignature {
    PartyKey asked = keys.get(request.key());
    if (asked != null
        && stated != null
        && asked.ofOnePartyWith(stated) != issuer.equals(record.receiver())) {
      throw new BadSignature("the statement is not signed by a key of " + issuer);
    }
  }

  /** Who a party is that is a person, by whose word, and what she says. */
  private String person(String party, String did, SignatureBase base) throws BadSignature {
    Instant then = base.created();
    PersonProperties person = PersonProperties.verify(base.line("host-properties"), then);
    if (!person.name().equals(party)) {
      throw new BadSignature("the property list is by " + person.name());
    }
    ofPerson = person.key();
    return party
        + " "
        + did
        + " as a person, by the "
        + people.vouched(person.voucher(), then)
        + (did.equals("brought") ? ", and said " + person.values() : "");
  }

  private String request(ContractRecord record, SignatureBase base) throws BadSignature {
    signedByReceiver(record, record.request(), base);
    sameId(record, base.line("contract"));
    boolean pushed = record.pushed();
    String at = pushed ? record.receiver() : record.sender();
    String url = pushed ? base.line(ofRequest("@target-uri")) : base.line("@target-uri");
    if (!url.startsWith(at + "/")) {
      throw new BadSignature("it did not go to " + at);
    }
    ContractField contract = ContractField.parse(base.line("contract"));
    return record.receiver()
        + (pushed
            ? " agreed to take "
                + contract.size()
                + " bytes of "
                + base.line(ofRequest("repr-digest"))
                + " as "
            : " asked " + base.line("@method") + " ")
        + url
        + " at "
        + base.time()
        + (contract.terms().isEmpty()
            ? ", under no terms"
            : ", under the terms of sha-256 " + contract.terms());
  }

  private String properties(ContractRecord record, SignatureBase base) throws BadSignature {
    String text = base.line("host-properties");
    if (!ContractRecord.isHost(record.receiver())) {
      PersonProperties person = PersonProperties.verify(text, base.created());
      return record.receiver() + " said " + person.values();
    }
    HostProperties properties = HostProperties.verify(text, keys, base.created());
    if (!properties.issuer().equals(record.receiver())) {
      throw new BadSignature("they are of " + properties.issuer());
    }
    if (!(properties.attestation() instanceof Attestation.None)) {
      check("attestation", () -> record.receiver() + " has " + properties.attestation().line());
    }
    return record.receiver() + " said of itself " + properties.values();
  }

  private String answer(ContractRecord record, SignatureBase request, SignatureBase base)
      throws BadSignature {
    signedBySender(record, record.answer(), base);
    sameId(record, base.line("contract"));
    if (record.pushed()) {
      return delivery(record, request, base);
    }
    if (!base.line(ofRequest("@target-uri")).equals(request.line("@target-uri"))
        || !base.line(ofRequest("signature")).equals(record.request().signature())) {
      throw new BadSignature("it answers another request");
    }
    return record.sender()
        + " answered "
        + base.line("@status")
        + " with "
        + base.line("content-length")
        + " bytes of "
        + base.line("repr-digest")
        + " at "
        + base.time();
  }

  private static String delivery(ContractRecord record, SignatureBase agreement, SignatureBase base)
      throws BadSignature {
    ContractField agreed = ContractField.parse(agreement.line("contract"));
    ContractField brought = ContractField.parse(base.line("contract"));
    if (!agreement.line("@status").equals("200")
        || !base.line("@method").equals("PUT")
        || !brought.agreed().equals(record.request().hash())
        || !brought.terms().equals(agreed.terms())
        || !base.line("@target-uri").equals(agreement.line(ofRequest("@target-uri")))
        || !base.line("repr-digest").equals(agreement.line(ofRequest("repr-digest")))
        || !base.line("content-length").equals(String.valueOf(agreed.size()))) {
      throw new BadSignature("it brings something else than was agreed");
    }
    return record.sender()
        + " brought "
        + base.line("content-length")
        + " bytes of "
        + base.line("repr-digest")
        + " to "
        + base.line("@target-uri")
        + " at "
        + base.time();
  }

  private String receipt(ContractRecord record, SignatureBase answer, SignatureBase base)
      throws BadSignature {
    signedByReceiver(record, record.receipt(), base);
    sameId(record, base.line("contract"));
    byte[] body = record.received().getBytes(StandardCharsets.UTF_8);
    if (!base.line("content-digest").equals(digest(Hash.of(body)))) {
      throw new BadSignature("it says something else than is recorded");
    }
    Received received = Received.parse(record.received());
    if (received.kept()
        && !(answer.line("content-length").equals(String.valueOf(received.size()))
            && answer.line("repr-digest").equals(digest(received.sha256())))) {
      throw new BadSignature("it is of other bytes than were sent");
    }
    return record.receiver()
        + (received.kept() ? " received " : " threw away ")
        + received.size()
        + " bytes of sha-256 "
        + Base64.getEncoder().encodeToString(received.sha256())
        + " at "
        + received.time();
  }

  /**
   * The one hash of a {@code Repr-Digest} or {@code Content-Digest}.
   *
   * @throws BadSignature where the field has another, or more
   */
  public static byte[] sha256(@Nullable String field) throws BadSignature {
    if (field != null && field.startsWith("sha-256=:") && field.endsWith(":")) {
      try {
        byte[] hash =
            Base64.getDecoder().decode(field.substring("sha-256=:".length(), field.length() - 1));
        if (field.equals(digest(hash)) && hash.length == Hash.BYTES) {
          return hash;
        }
      } catch (IllegalArgumentException malformed) {
        // Told below.
      }
    }
    throw new BadSignature("the answer does not state one sha-256");
  }

  /** RFC 9530, as a field has it. */
  public static String digest(byte[] sha256) {
    return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
  }

  private void signedByReceiver(ContractRecord record, ContractRecord.Part part, SignatureBase base)
      throws BadSignature {
    if (!ContractRecord.isHost(record.receiver())) {
      signedByPerson(part, base);
      return;
    }
    PartyKey key = keys.get(base.key());
    if (key != null && ofReceiver != null && !key.ofOnePartyWith(ofReceiver)) {
      throw new BadSignature("it is signed by another than who asked");
    }
    signed(part, base, key);
    ofReceiver = key;
  }

  /** A person signs by the key that her property list names, and by no other. */
  private void signedByPerson(ContractRecord.Part part, SignatureBase base) throws BadSignature {
    PartyKey fresh = ofPerson;
    if (fresh == null || !fresh.id().equals(base.key())) {
      throw new BadSignature("it is not signed by the key that is vouched for as the person's");
    }
    signed(part, base, fresh);
  }

  /** Who received cannot sign for the sender, by none of the keys that came in one set. */
  private void signedBySender(ContractRecord record, ContractRecord.Part part, SignatureBase base)
      throws BadSignature {
    if (!ContractRecord.isHost(record.sender())) {
      signedByPerson(part, base);
      return;
    }
    PartyKey key = keys.get(base.key());
    if (key != null && ofReceiver != null && key.ofOnePartyWith(ofReceiver)) {
      throw new BadSignature("it is signed by the receiver");
    }
    signed(part, base, key);
  }

  private static void signed(ContractRecord.Part part, SignatureBase base, @Nullable PartyKey key)
      throws BadSignature {
    int colon = part.signature().indexOf("=:");
    if (key == null || colon < 0 || !part.signature().endsWith(":")) {
      throw new BadSignature("it is signed by no key that is known");
    }
    if (!key.signsAt(base.created())) {
      throw new BadSignature("it was signed after its key had ended");
    }
    try {
      byte[] value =
          Base64.getDecoder()
              .decode(part.signature().substring(colon + 2, part.signature().length() - 1));
      if (key.verify(part.base().getBytes(StandardCharsets.US_ASCII), value)) {
        return;
      }
    } catch (IllegalArgumentException malformed) {
      // Told below.
    }
    throw new BadSignature("its signature is wrong");
  }

  private static void sameId(ContractRecord record, String field) throws BadSignature {
    if (!ContractField.parse(field).id().equals(record.id())) {
      throw new BadSignature("it is of another contract");
    }
  }
}
