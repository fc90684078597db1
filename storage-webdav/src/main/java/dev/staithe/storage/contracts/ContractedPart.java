package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractRefusal;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GET of a part of a file, by the contract that HEAD was answered to: by who asked for it, with the
 * same credential, of the file that was signed, each byte once. The answer is not signed: the one
 * to HEAD states the whole, by which each byte is judged in the end. Stateless.
 */
final class ContractedPart {
  private static final Logger log = LoggerFactory.getLogger(ContractedPart.class);

  private final DavMethod here;
  private final Contracts contracts;
  private final Party party;
  private final ContractJudge judge;

  ContractedPart(DavMethod here, Contracts contracts, Party party, ContractJudge judge) {
    this.here = here;
    this.contracts = contracts;
    this.party = party;
    this.judge = judge;
  }

  /** What would be sent is not of the file that was signed; nothing of it has gone out. */
  private static final class FileChanged extends IOException {
    private static final long serialVersionUID = 1;
    private static final String LINE = "the file is not any more what was signed";

    FileChanged() {
      super(LINE);
    }
  }

  /** A part that may go out. */
  private record Agreed(ContractRow row, FilePart part) {}

  /** Answers a request that has {@code Range} and {@code Contract}, and may read the file. */
  void handle(Exchange exchange, AreaContracts area) throws IOException {
    Optional<Agreed> judged = judge.judged(exchange, area, message -> judge(exchange, message));
    if (judged.isEmpty()) {
      return;
    }
    ContractRow row = judged.get().row();
    FilePart part = judged.get().part();
    exchange.sealed(() -> requireThatPart(exchange, row, part));
    boolean gone = false;
    try {
      here.handle(exchange);
      gone = exchange.response().getStatus() == 206;
    } catch (FileChanged changed) {
      broken(row);
      exchange.response().reset();
      exchange.refuse(412, FileChanged.LINE);
    } finally {
      if (!gone) {
        broken(row);
      } else if (contracts.parts().sent(row.id(), part)) {
        move(row, ContractRow.State.SENT);
      }
    }
  }

  /** Nothing more goes out by the contract; the receiver says that it has kept nothing. */
  private void broken(ContractRow row) {
    contracts.parts().stop(row.id());
    move(row, ContractRow.State.BROKEN);
  }

  private void move(ContractRow row, ContractRow.State to) {
    contracts.store().ended(row.id(), to, party.now());
  }

  private Agreed judge(Exchange exchange, SignedMessage message)
      throws ContractRefusal, BadSignature, IOException {
    ContractField field = ContractField.parse(message.field("contract"));
    if (field.agreed().isEmpty()) {
      throw new ContractRefusal(
          400,
          "contract",
          "a contract is for the whole file, without Range; HEAD makes one for parts");
    }
    ContractRow row =
        contracts
            .store()
            .find(ContractRow.Side.SENDER, field.id())
            .filter(found -> found.state() == ContractRow.State.SENDING)
            .orElseThrow(
                () ->
                    new ContractRefusal(
                        403,
                        "contract-unknown",
                        "nothing may be asked for by this contract, or not any more"));
    MessageSignature signature = SignatureProfile.PART.find(message);
    judge.verify(
        message, signature, SignatureProfile.PART, contracts.receiverKey(row, signature.keyId()));
    ContractJudge.requireToken(exchange, field);
    String asked = row.request().line("contract").orElse("");
    if (!row.answer().hash().equals(field.agreed())
        || !row.request().line("@target-uri").orElse("").equals(message.targetUri())
        || !ContractField.parse(asked).token().equals(field.token())) {
      throw new BadSignature("a part is asked for of something else than was agreed");
    }
    FilePart part =
        FilePart.of(String.valueOf(message.field("range")), row.size())
            .orElseThrow(
                () ->
                    new ContractRefusal(416, "contract-part", "there is no such part of the file"));
    if (!contracts.parts().begin(row.id(), part, party.now())) {
      throw new ContractRefusal(
          409,
          "contract-replayed",
          "a byte of this part was asked for before, or the parts before it leave too many gaps");
    }
    log.debug("contract {}: bytes {} to {}", row.id(), part.first(), part.last());
    exchange.request().setAttribute(DavHandler.CONTRACT, row.id());
    return new Agreed(row, part);
  }

  /** Before the first byte: it is that part, of the file whose digest was signed. */
  private static void requireThatPart(Exchange exchange, ContractRow row, FilePart part)
      throws FileChanged {
    HttpFields headers = exchange.response().getHeaders();
    if (exchange.response().getStatus() != 206
        || !part.contentRange(row.size()).equals(headers.get(HttpHeader.CONTENT_RANGE))
        || !ContractAudit.digest(HexFormat.of().parseHex(row.sha256()))
            .equals(headers.get(Party.DIGEST))) {
      log.info("contract {}: {}", row.id(), FileChanged.LINE);
      throw new FileChanged();
    }
  }
}
