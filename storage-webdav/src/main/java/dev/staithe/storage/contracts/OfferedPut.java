package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractRefusal;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.RootCollection;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * POST to a file's URL, by which a partner or a person offers to put it there: size and digest are
 * told before a byte moves. Rights are those of the PUT; the answer agrees, by signature, with what
 * this host says of itself. Stateless.
 */
final class OfferedPut implements DavMethod {
  private final Contracts contracts;
  private final Party party;
  private final ContractJudge judge;
  private final OfferElsewhere elsewhere;

  OfferedPut(Contracts contracts, Party party, OfferElsewhere elsewhere) {
    this.contracts = contracts;
    this.party = party;
    this.elsewhere = elsewhere;
    this.judge = new ContractJudge(contracts, party);
  }

  /** The answer's fields. */
  private record Agreed(MessageSignature signature, String contract, String properties) {}

  @Override
  public void handle(Exchange exchange) throws IOException {
    AreaContracts area = contracts.of(exchange.area().name());
    if (area.mode() == AreaContracts.Mode.OFF || exchange.header(Party.CONTRACT) == null) {
      exchange.response().getHeaders().put(HttpHeader.ALLOW, RootCollection.ALLOW);
      exchange.refuse(405, "the method POST is not supported");
      return;
    }
    Exchange put = exchange.judgedAs("PUT");
    if (!exchange.admitted(put.admissionToWrite(exchange.path()))) {
      return;
    }
    if (sentOn(exchange, area)) {
      return;
    }
    Optional<Agreed> agreed =
        judge.judged(exchange, area, message -> agree(exchange, area, message));
    if (agreed.isPresent()) {
      HttpFields.Mutable headers = exchange.response().getHeaders();
      headers.put(Party.CONTRACT, agreed.get().contract());
      headers.put(Party.PROPERTIES, agreed.get().properties());
      headers.put("Signature-Input", agreed.get().signature().inputField());
      headers.put("Signature", agreed.get().signature().signatureField());
      exchange.reply(200);
    }
  }

  /** What is not as it should be is left to who judges it. */
  private boolean sentOn(Exchange exchange, AreaContracts area) throws IOException {
    long size;
    String signer;
    try {
      size = ContractField.parse(exchange.header(Party.CONTRACT)).size();
      signer =
          Party.peer(
              contracts
                  .verifiedProperties()
                  .issuer(String.valueOf(exchange.header(Party.PROPERTIES))));
    } catch (BadSignature told) {
      return false;
    }
    return area.hosts().contains(signer) && elsewhere.send(exchange, size, signer);
  }

  private Agreed agree(Exchange exchange, AreaContracts area, SignedMessage message)
      throws ContractRefusal, BadSignature, IOException {
    ContractField field = ContractField.parse(message.field("contract"));
    MessageSignature offer = SignatureProfile.OFFER.find(message);
    ContractJudge.Asking sender =
        judge.asking(exchange, area, offer, String.valueOf(message.field("host-properties")));
    if (exchange.caller() instanceof TicketCaller ticket
        && !ticket.signer().equals(sender.peer())) {
      throw new ContractRefusal(
          403, "contract-host", "the ticket is for another host's offer than " + sender.peer());
    }
    judge.verify(message, offer, SignatureProfile.OFFER, sender.key());
    ContractJudge.requireToken(exchange, field);
    byte[] sha256 = ContractAudit.sha256(message.field("repr-digest"));
    if (field.size() < 0) {
      throw new BadSignature("the offer names no size");
    }
    if (!field.terms().isEmpty() && !contracts.accepts(field.terms())) {
      throw new ContractRefusal(
          403,
          "contract-terms",
          "the terms of sha-256 " + field.terms() + " are not accepted here");
    }
    if (contracts.agreements().with(sender.peer(), party.now()) >= area.mostOpen()) {
      throw new ContractRefusal(
          403, "contracts-open", sender.peer() + " offers too much that it does not bring");
    }
    String properties = party.properties().text();
    String contract = new ContractField(field.id(), field.terms(), "", field.size(), "").encode();
    MessageSignature signature =
        party.sign(
            SignedMessage.answer(
                200,
                Map.of("contract", List.of(contract), "host-properties", List.of(properties)),
                message),
            SignatureProfile.AGREEMENT);
    Agreements.Agreement agreement =
        new Agreements.Agreement(
            field.id(),
            sender.peer(),
            sender.attestation() instanceof Attestation.OfPerson ? sender.key().id() : "",
            String.valueOf(message.targetUri()),
            field.size(),
            HexFormat.of().formatHex(sha256),
            field.terms(),
            ContractRecord.Part.of(signature),
            party.now());
    if (!contracts.store().isFresh(field.id()) || !contracts.agreements().add(agreement)) {
      throw new ContractRefusal(409, "contract-replayed", "this contract was offered before");
    }
    exchange.request().setAttribute(DavHandler.CONTRACT, field.id());
    return new Agreed(signature, contract, properties);
  }
}
