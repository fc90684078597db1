package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractRefusal;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.PutMethod;
import dev.staithe.storage.exchange.BeforeCommit;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.Upload;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PUT by which a partner or a person brings what this host has agreed to take: nothing else than
 * that, and it gets its name after its receipt. A PUT without contract is an upload like any other.
 * Stateless.
 */
final class ContractedPut implements DavMethod {
  private static final Logger log = LoggerFactory.getLogger(ContractedPut.class);

  private final PutMethod here;
  private final Contracts contracts;
  private final Party party;
  private final ContractJudge judge;

  ContractedPut(PutMethod here, Contracts contracts, Party party) {
    this.here = here;
    this.contracts = contracts;
    this.party = party;
    this.judge = new ContractJudge(contracts, party);
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    AreaContracts area = contracts.of(exchange.area().name());
    if (area.mode() == AreaContracts.Mode.OFF || exchange.header(Party.CONTRACT) == null) {
      here.handle(exchange);
      return;
    }
    if (!exchange.admitted(exchange.admissionToWrite(exchange.path()))) {
      return;
    }
    Optional<ContractRow> begun = judge.judged(exchange, area, message -> begin(exchange, message));
    if (begun.isPresent()) {
      Delivery delivery = new Delivery(begun.get(), area);
      try {
        here.handle(exchange, delivery);
      } finally {
        delivery.ended();
      }
    }
  }

  private ContractRow begin(Exchange exchange, SignedMessage message)
      throws ContractRefusal, BadSignature, IOException {
    if (exchange.header(HttpHeader.CONTENT_RANGE.asString()) != null
        || exchange.header("Upload-Complete") != null) {
      throw new ContractRefusal(400, "contract", "a contract is for the whole file, in one PUT");
    }
    ContractField field = ContractField.parse(message.field("contract"));
    Agreements.Agreement agreement =
        contracts
            .agreements()
            .find(field.id(), party.now())
            .orElseThrow(
                () ->
                    new ContractRefusal(
                        403,
                        "contract-unknown",
                        "nothing was agreed by this contract, or it was used, or is too old"));
    SignatureProfile profile =
        agreement.ofPerson() ? SignatureProfile.PERSON_DELIVERY : SignatureProfile.DELIVERY;
    MessageSignature signature = profile.find(message);
    judge.verify(message, signature, profile, key(exchange, agreement, message, signature));
    ContractJudge.requireToken(exchange, field);
    if (!agreement.url().equals(message.targetUri())
        || !agreement.signed().hash().equals(field.agreed())
        || !agreement.terms().equals(field.terms())) {
      throw new BadSignature("the file is brought by another contract than was agreed");
    }
    String sha256 = HexFormat.of().formatHex(ContractAudit.sha256(message.field("repr-digest")));
    if (!agreement.sha256().equals(sha256)
        || !String.valueOf(agreement.size()).equals(message.field("content-length"))) {
      throw new BadSignature("another file is brought than was agreed");
    }
    ContractRow row =
        new ContractRow(
            ContractRow.Side.RECEIVER,
            agreement.id(),
            ContractRow.State.AGREED,
            exchange.area().name(),
            exchange.path().toString(),
            agreement.peer(),
            party.now(),
            agreement.size(),
            sha256,
            agreement.signed(),
            ContractRecord.Part.of(signature),
            "",
            null,
            null);
    // Only one takes the agreement.
    if (!contracts.agreements().take(agreement) || !contracts.store().isFresh(row.id())) {
      throw new ContractRefusal(409, "contract-replayed", "this contract is used already");
    }
    contracts.store().add(row);
    exchange.request().setAttribute(DavHandler.CONTRACT, row.id());
    log.info("contract {}: {} bytes from {}", row.id(), row.size(), row.peer());
    return row;
  }

  /** By which the file must be brought: one that its host publishes, or the person's of before. */
  private PartyKey key(
      Exchange exchange,
      Agreements.Agreement agreement,
      SignedMessage message,
      MessageSignature signature)
      throws ContractRefusal, BadSignature, IOException {
    if (!agreement.ofPerson()) {
      return contracts
          .partners()
          .of(agreement.peer(), signature.keyId())
          .key(agreement.peer(), signature.keyId());
    }
    ContractJudge.Asking person =
        judge.person(exchange, signature, String.valueOf(message.field("host-properties")));
    if (!person.peer().equals(agreement.peer()) || !person.key().id().equals(agreement.key())) {
      throw new BadSignature("the file is brought by another than offered it");
    }
    return person.key();
  }

  /** The receiving side of one push; for one thread. */
  private final class Delivery implements BeforeCommit {
    private final ContractRow row;
    private final AreaContracts area;
    private boolean settled;
    private boolean named;

    Delivery(ContractRow row, AreaContracts area) {
      this.row = row;
      this.area = area;
    }

    @Override
    public void staged(Upload upload) {
      upload.beside(ChecksumAlgorithm.SHA_256);
    }

    @Override
    public Optional<String> complete(Upload upload) throws IOException {
      byte[] sha256 = upload.checksum(ChecksumAlgorithm.SHA_256).value();
      Received received = new Received(true, upload.written(), sha256, party.now());
      if (!received.of(row.size(), HexFormat.of().parseHex(row.sha256()))) {
        return Optional.of("what came is not what was signed");
      }
      MessageSignature receipt = contracts.acknowledging().verified(row, received);
      settled = true;
      if (row.ofPerson()) {
        // She asks for what is stated when she is told that the file has its name.
        return Optional.empty();
      }
      try {
        contracts.acknowledging().acknowledge(row.id(), receipt);
      } catch (IOException later) {
        log.warn("contract {} is still to be told: {}", row.id(), later.getMessage());
        contracts.acknowledging().later(row.id());
        if (area.receipts() == AreaContracts.Receipts.SYNC) {
          return Optional.of("the sender does not take the receipt now");
        }
      }
      return Optional.empty();
    }

    @Override
    public void named() {
      if (row.ofPerson()) {
        contracts
            .store()
            .move(
                row.side(),
                row.id(),
                List.of(ContractRow.State.LOGGED),
                ContractRow.State.ACKNOWLEDGED,
                party.now());
      }
      named = true;
    }

    /**
     * Where the bytes were not verified the sender is told that none are kept. A person has no
     * statement before the file has its name, and none where it gets none.
     */
    void ended() {
      contracts.acknowledging().later(row.id());
      if (row.ofPerson() ? !named : !settled) {
        contracts.acknowledging().refused(row, contracts.acknowledging().nothing());
      }
    }
  }
}
