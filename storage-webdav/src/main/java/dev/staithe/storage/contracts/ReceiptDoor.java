package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The sending side of receipts: judges them, and states what became of the transfer. People, who
 * have no door of their own, ask here for the statement of what they brought. Stateless.
 */
final class ReceiptDoor {
  private static final Logger log = LoggerFactory.getLogger(ReceiptDoor.class);
  private static final List<ContractRow.State> OPEN =
      List.of(ContractRow.State.SENDING, ContractRow.State.SENT, ContractRow.State.BROKEN);

  private final Contracts contracts;
  private final Party party;

  ReceiptDoor(Contracts contracts, Party party) {
    this.contracts = contracts;
    this.party = party;
  }

  /** What a receipt is answered with. */
  sealed interface Answer {
    /** Our statement, with the receipt of our log. */
    record Stated(byte[] statement) implements Answer {}

    /** Not taken; the line is safe to show. */
    record Refused(int status, String line) implements Answer {}
  }

  /** Takes the receipt of a contract. */
  Answer take(String id, SignedMessage message, String body) {
    try {
      return judged(id, message, body);
    } catch (BadSignature bad) {
      contracts.failedVerification();
      return new Answer.Refused(403, bad.line());
    } catch (IOException | UncheckedIOException | DataAccessException e) {
      log.warn("contract {}: no receipt now: {}", id, e.getMessage());
      return new Answer.Refused(503, "the receipt cannot be taken now");
    }
  }

  private Answer judged(String id, SignedMessage message, String body)
      throws BadSignature, IOException {
    Optional<ContractRow> sent = contracts.store().find(ContractRow.Side.SENDER, id);
    Optional<ContractRow> brought =
        contracts.store().find(ContractRow.Side.RECEIVER, id).filter(ContractRow::ofPerson);
    if (sent.isEmpty() && brought.isEmpty()) {
      return new Answer.Refused(404, "there is no such contract");
    }
    return sent.isPresent() ? take(sent.get(), message, body) : stated(brought.get(), message);
  }

  /** Gives a person our statement of what she brought. */
  private Answer stated(ContractRow row, SignedMessage message) throws BadSignature {
    MessageSignature signature = SignatureProfile.STATEMENT.find(message);
    signature.verify(
        Contracts.personsKey(row.answer(), signature.keyId()),
        SignatureProfile.STATEMENT,
        party.now());
    requireOf(row, message);
    byte[] own = row.own();
    if (row.state() != ContractRow.State.ACKNOWLEDGED || own == null) {
      return new Answer.Refused(409, "no file has its name by this contract");
    }
    contracts.store().force();
    return new Answer.Stated(own);
  }

  private void requireOf(ContractRow row, SignedMessage message) throws BadSignature {
    if (!ContractField.parse(message.field("contract")).id().equals(row.id())
        || !(party.origin() + ContractController.CONTRACTS + row.id())
            .equals(message.targetUri())) {
      throw new BadSignature("the receipt is of another contract");
    }
  }

  private Answer take(ContractRow row, SignedMessage message, String body)
      throws BadSignature, IOException {
    MessageSignature signature = SignatureProfile.RECEIPT.find(message);
    signature.verify(
        contracts.receiverKey(row, signature.keyId()), SignatureProfile.RECEIPT, party.now());
    requireOf(row, message);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (!ContractAudit.digest(Hash.of(bytes)).equals(message.field("content-digest"))) {
      throw new BadSignature("the receipt is not what was signed");
    }
    Received received = Received.parse(body);
    if (received.kept() && !received.of(row.size(), HexFormat.of().parseHex(row.sha256()))) {
      return new Answer.Refused(409, "the receipt is for other bytes than were sent");
    }
    byte[] before = row.own();
    if (before != null) {
      if (!row.received().equals(body)) {
        return new Answer.Refused(409, "this contract has another receipt already");
      }
      // Its first answer may still wait for the device, or have failed to get there.
      contracts.store().force();
      return new Answer.Stated(before);
    }
    if (received.kept() && !contracts.parts().allAskedFor(row.id())) {
      return new Answer.Refused(409, "the receipt is for a file of which parts were not asked for");
    }
    return conclude(row, signature, body, received);
  }

  private Answer conclude(
      ContractRow row, MessageSignature signature, String body, Received received)
      throws IOException {
    ContractRecord record =
        new ContractRecord(
            row.id(),
            party.origin(),
            row.party(),
            row.request(),
            row.answer(),
            ContractRecord.Part.of(signature),
            body);
    byte[] statement = party.state(row.id(), record.encode()).encode();
    boolean first =
        contracts
            .store()
            .conclude(
                row,
                OPEN,
                received.kept() ? ContractRow.State.RECEIVED : ContractRow.State.REFUSED,
                body,
                statement,
                party.now());
    if (!first) {
      // Told twice at once: the other's word counts.
      ContractRow now = contracts.store().find(row.side(), row.id()).orElse(row);
      contracts.store().force();
      byte[] stated = now.own();
      return stated != null && now.received().equals(body)
          ? new Answer.Stated(stated)
          : new Answer.Refused(409, "this contract has another receipt already");
    }
    contracts.parts().end(row.id());
    log.info(
        "contract {}: {} by {}",
        row.id(),
        received.kept() ? "received" : "thrown away",
        row.peer());
    return new Answer.Stated(statement);
  }
}
