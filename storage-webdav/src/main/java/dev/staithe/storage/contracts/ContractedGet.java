package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractRefusal;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GET from an area with contracts: the request is verified and the asking host's properties are
 * compared before the file is opened, the answer is signed before its first byte. HEAD is the same
 * where it asks for a contract: then the file may be had in parts. Stateless.
 */
final class ContractedGet implements DavMethod {
  private static final Logger log = LoggerFactory.getLogger(ContractedGet.class);

  private final DavMethod here;
  private final Contracts contracts;
  private final Party party;
  private final ContractJudge judge;
  private final ContractedPart part;

  ContractedGet(DavMethod here, Contracts contracts, Party party) {
    this.here = here;
    this.contracts = contracts;
    this.party = party;
    this.judge = new ContractJudge(contracts, party);
    this.part = new ContractedPart(here, contracts, party, judge);
  }

  /** A file would be sent that was not there as the request was judged; nothing has gone out. */
  private static final class FileAppeared extends IOException {
    private static final long serialVersionUID = 1;
    private static final String LINE = "a file has just come here: ask for it again";

    FileAppeared() {
      super(LINE);
    }
  }

  /** A request that is good. */
  private record Agreed(
      String id, String peer, SignedMessage request, MessageSignature signature) {}

  @Override
  public void handle(Exchange exchange) throws IOException {
    AreaContracts area = contracts.of(exchange.area().name());
    boolean asks = exchange.header(Party.CONTRACT) != null;
    boolean head = exchange.request().getMethod().equals("HEAD");
    boolean mayRead = exchange.admission(exchange.path(), Right.READ) instanceof Admission.Allowed;
    if (area.mode() == AreaContracts.Mode.OFF
        || (area.mode() == AreaContracts.Mode.OFFER || head) && !asks
        || !mayRead
        || exchange.area().store().find(exchange.path()).filter(f -> !f.collection()).isEmpty()) {
      if (area.mode() == AreaContracts.Mode.REQUIRE && !head) {
        handleNoFile(exchange);
      } else {
        here.handle(exchange);
      }
      return;
    }
    if (asks && !head && exchange.header(Party.RANGE) != null) {
      part.handle(exchange, area);
      return;
    }
    Optional<Agreed> judged =
        judge.judged(exchange, area, message -> judge(exchange, area, message));
    if (judged.isEmpty()) {
      return;
    }
    Agreed agreed = judged.get();
    exchange.sealed(() -> seal(exchange, agreed));
    boolean whole = false;
    try {
      here.handle(exchange);
      whole = true;
    } finally {
      contracts.store().release(agreed.id());
      if (!whole) {
        contracts.parts().stop(agreed.id());
      }
      // What HEAD was answered to is sent once all parts are.
      if (!whole || !head) {
        contracts
            .store()
            .ended(
                agreed.id(),
                whole ? ContractRow.State.SENT : ContractRow.State.BROKEN,
                party.now());
      }
    }
  }

  /** Answers where no file is, and sends none that has come since that was looked at. */
  private void handleNoFile(Exchange exchange) throws IOException {
    exchange.sealed(
        () -> {
          if (exchange.response().getHeaders().contains(HttpHeader.ETAG)) {
            throw new FileAppeared();
          }
        });
    try {
      here.handle(exchange);
    } catch (FileAppeared appeared) {
      exchange.response().reset();
      exchange.refuseForNow(FileAppeared.LINE);
    }
  }

  private Agreed judge(Exchange exchange, AreaContracts area, SignedMessage message)
      throws ContractRefusal, BadSignature, IOException {
    if (exchange.header(Party.CONTRACT) == null) {
      throw new ContractRefusal(
          403,
          "contract-required",
          "files of this area leave by contract only: sign the request (RFC 9421) with Contract and"
              + " Host-Properties"
              + (area.people() == null ? "" : ", as 'staithe get URL' does for people"));
    }
    if (exchange.header(Party.RANGE) != null) {
      throw new ContractRefusal(400, "contract", "a contract is for the whole file, without Range");
    }
    ContractField field = ContractField.parse(message.field("contract"));
    MessageSignature signature = SignatureProfile.REQUEST.find(message);
    ContractJudge.Asking asking =
        judge.asking(exchange, area, signature, String.valueOf(message.field("host-properties")));
    judge.verify(message, signature, SignatureProfile.REQUEST, asking.key());
    ContractJudge.requireToken(exchange, field);
    checkTerms(area, field);
    area.demand(asking.peer(), asking.values(), asking.attestation());
    String peer = asking.peer();
    if (contracts.store().open(peer) >= area.mostOpen()) {
      throw new ContractRefusal(
          403, "contracts-open", peer + " has too many contracts that it has not acknowledged");
    }
    if (!contracts.store().claim(field.id())) {
      throw new ContractRefusal(409, "contract-replayed", "this contract was asked for before");
    }
    exchange.request().setAttribute(DavHandler.CONTRACT, field.id());
    return new Agreed(field.id(), peer, message, signature);
  }

  private static void checkTerms(AreaContracts area, ContractField field) throws ContractRefusal {
    if (!area.terms().equals(field.terms())) {
      throw new ContractRefusal(
          403,
          "contract-terms",
          area.terms().isEmpty()
              ? "this area has no terms to agree to"
              : "agree to the terms of sha-256 " + area.terms() + " at " + area.termsUrl());
    }
  }

  /** Signs the answer, and keeps the contract before the first byte goes out. */
  private void seal(Exchange exchange, Agreed agreed) throws IOException {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    String contract = new ContractField(agreed.id(), "", "").encode();
    headers.put(Party.CONTRACT, contract);
    int status = exchange.response().getStatus();
    String length = headers.get(HttpHeader.CONTENT_LENGTH);
    String digest = headers.get("Repr-Digest");
    if (status != 200 || length == null || digest == null) {
      throw new IOException("an answer under contract lacks what is to be signed");
    }
    try {
      SignedMessage answer =
          SignedMessage.answer(
              status,
              Map.of(
                  "contract",
                  List.of(contract),
                  "content-length",
                  List.of(length),
                  "repr-digest",
                  List.of(digest)),
              agreed.request());
      MessageSignature signature = party.sign(answer, SignatureProfile.ANSWER);
      contracts
          .store()
          .add(
              new ContractRow(
                  ContractRow.Side.SENDER,
                  agreed.id(),
                  ContractRow.State.SENDING,
                  exchange.area().name(),
                  exchange.path().toString(),
                  agreed.peer(),
                  party.now(),
                  Long.parseLong(length),
                  HexFormat.of().formatHex(ContractAudit.sha256(digest)),
                  ContractRecord.Part.of(agreed.signature()),
                  ContractRecord.Part.of(signature),
                  "",
                  null,
                  null));
      if (exchange.request().getMethod().equals("HEAD")) {
        contracts.parts().open(agreed.id(), Long.parseLong(length), party.now());
      }
      headers.put("Signature-Input", signature.inputField());
      headers.put("Signature", signature.signatureField());
      log.info("contract {}: {} bytes to {}", agreed.id(), length, agreed.peer());
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }
}
