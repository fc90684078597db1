package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.http.HeaderField;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractFields;
import dev.staithe.storage.contracts.host.ContractRefusal;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of one copy: offers the file, compares what the receiver agrees to and says of
 * itself with what the area wants, and brings the bytes by a signature of its own. It holds with
 * the host that agreed: where an offer is sent on, the next one is another contract, and bytes that
 * are sent on go nowhere. For one thread.
 */
public final class PushContract {
  private final Contracts contracts;
  private final Party party;
  private final AreaContracts area;
  private final String areaName;
  private final String path;
  private @Nullable Offer offer;
  private ContractRecord.@Nullable Part agreement;
  private @Nullable ContractRow row;
  private List<HeaderField> delivery = List.of();

  /** What was offered. */
  private record Offer(
      String id, String peer, String url, long size, byte[] sha256, SignedMessage message) {}

  PushContract(Contracts contracts, Party party, AreaContracts area, String areaName, String path) {
    this.contracts = contracts;
    this.party = party;
    this.area = area;
    this.areaName = areaName;
    this.path = path;
  }

  /**
   * Whether there is to be a contract with that host.
   *
   * @param host {@code host:port}
   * @param url absolute, where the file is to go
   * @throws IOException with one line, where the area gives nothing to that host
   */
  public boolean with(String host, String url) throws IOException {
    boolean partner = contracts.partner(area, host, url);
    if (partner && contracts.store().open(host) >= area.mostOpen()) {
      throw new IOException(host + " has too many contracts that it has not acknowledged");
    }
    return partner;
  }

  /**
   * What POST has beside the other fields, to offer the file.
   *
   * @param host that is a partner, as {@code host:port}
   * @param url as it is posted to
   * @param fields that are sent along
   * @param size in bytes
   * @param sha256 of the file
   * @throws IOException with one line, where it cannot be signed
   */
  public List<HeaderField> offer(
      String host, String url, List<HeaderField> fields, long size, byte[] sha256)
      throws IOException {
    String id = party.newId();
    List<HeaderField> own = new ArrayList<>();
    own.add(
        new HeaderField(
            Party.CONTRACT,
            new ContractField(id, area.terms(), ContractFields.token(fields), size, "").encode()));
    own.add(new HeaderField(Party.PROPERTIES, party.properties().text()));
    own.add(new HeaderField(Party.DIGEST, ContractAudit.digest(sha256)));
    party.signRequest("POST", url, own, SignatureProfile.OFFER);
    offer =
        new Offer(
            id,
            host,
            url,
            size,
            sha256,
            SignedMessage.request("POST", url, ContractFields.map(own)));
    return own;
  }

  /**
   * Judges the answer to the offer. Where a host that does not sign answers, the file goes without
   * a contract, if the area lets it.
   *
   * @param detail what the answer says of itself, printable; empty: nothing
   * @throws IOException with one line, where the file must not go there
   */
  public void answered(int status, List<HeaderField> fields, String detail) throws IOException {
    Offer last = last();
    Map<String, List<String>> map = ContractFields.map(fields);
    if (status != 200 || !map.containsKey("contract")) {
      boolean signs = map.containsKey("want-host-properties");
      if (!signs && area.mode() == AreaContracts.Mode.OFFER) {
        return;
      }
      throw new IOException(
          last.peer()
              + " agrees to no contract: it answers "
              + status
              + (detail.isEmpty() ? "" : ", " + detail));
    }
    try {
      agreement = agreed(last, SignedMessage.answer(200, map, last.message()));
    } catch (ContractRefusal refused) {
      contracts.refused().add(refused);
      throw new IOException(last.peer() + " may not have the file: " + refused.line(), refused);
    } catch (BadSignature bad) {
      contracts.failedVerification();
      throw new IOException(last.peer() + " does not sign as it should: " + bad.line(), bad);
    }
  }

  private Offer last() {
    Offer last = offer;
    if (last == null) {
      throw new IllegalStateException("nothing was offered");
    }
    return last;
  }

  private ContractRecord.Part agreed(Offer last, SignedMessage answer)
      throws ContractRefusal, BadSignature, IOException {
    MessageSignature signature = SignatureProfile.AGREEMENT.find(answer);
    Partners.Known known = contracts.partners().of(last.peer(), signature.keyId());
    signature.verify(
        known.key(last.peer(), signature.keyId()), SignatureProfile.AGREEMENT, party.now());
    ContractField field = ContractField.parse(answer.field("contract"));
    if (!field.id().equals(last.id())
        || field.size() != last.size()
        || !field.terms().equals(area.terms())) {
      throw new BadSignature("it agrees to something else than was offered");
    }
    HostProperties properties =
        contracts
            .verifiedProperties()
            .of(String.valueOf(answer.field("host-properties")), known, party.now());
    if (!properties.issuer().equals("https://" + last.peer())) {
      throw new BadSignature("the host properties are of " + properties.issuer());
    }
    area.demand(last.peer(), properties.values(), properties.attestation());
    return ContractRecord.Part.of(signature);
  }

  /** Its id, once the file goes out under it; empty: none. */
  public Optional<String> id() {
    return Optional.ofNullable(row).map(ContractRow::id);
  }

  /** Whether the receiver has agreed. */
  public boolean agreed() {
    return agreement != null;
  }

  /**
   * What PUT has in place of other fields of the same names, to bring the file. Once it is asked
   * for, the contract is open; asked for again, it is the same.
   *
   * @param url as it is put
   * @param fields that are sent along
   * @throws IOException with one line, where that is another URL than was agreed
   */
  public List<HeaderField> deliver(String url, List<HeaderField> fields) throws IOException {
    ContractRecord.Part agreed = agreement;
    if (agreed == null) {
      return List.of();
    }
    Offer last = last();
    if (!last.url().equals(url)) {
      throw new IOException(last.peer() + " sends the file on to where nothing was agreed");
    }
    if (row != null) {
      return delivery;
    }
    List<HeaderField> own = new ArrayList<>();
    own.add(
        new HeaderField(
            Party.CONTRACT,
            new ContractField(
                    last.id(), area.terms(), ContractFields.token(fields), -1, agreed.hash())
                .encode()));
    own.add(new HeaderField(Party.DIGEST, ContractAudit.digest(last.sha256())));
    own.add(new HeaderField("Content-Length", String.valueOf(last.size())));
    ContractRecord.Part signed =
        ContractRecord.Part.of(party.signRequest("PUT", url, own, SignatureProfile.DELIVERY));
    ContractRow sending =
        new ContractRow(
            ContractRow.Side.SENDER,
            last.id(),
            ContractRow.State.SENDING,
            areaName,
            path,
            last.peer(),
            party.now(),
            last.size(),
            HexFormat.of().formatHex(last.sha256()),
            agreed,
            signed,
            "",
            null,
            null);
    contracts.store().add(sending);
    row = sending;
    delivery = own;
    return own;
  }

  /** All bytes have gone out: the contract is open until the receiver says what became of them. */
  public void sent() {
    move(ContractRow.State.SENT);
  }

  /**
   * The receiver says that it has the file: then its receipt is here, unless the area lets it come
   * later.
   *
   * @throws IOException with one line, where it is not, and the contract stays open
   */
  public void taken() throws IOException {
    ContractRow sending = row;
    if (sending == null) {
      return;
    }
    Optional<String> obstacle = contracts.obstacle();
    if (obstacle.isPresent()) {
      throw new IOException(obstacle.get());
    }
    ContractRow.State now =
        contracts
            .store()
            .find(sending.side(), sending.id())
            .map(ContractRow::state)
            .orElse(ContractRow.State.BROKEN);
    boolean later =
        now == ContractRow.State.SENT && area.receipts() == AreaContracts.Receipts.ASYNC;
    if (now != ContractRow.State.RECEIVED && !later) {
      throw new IOException(
          sending.peer() + " has not acknowledged what it took by contract " + sending.id());
    }
  }

  /** The copy is over; what was under way then broke off. */
  public void ended() {
    move(ContractRow.State.BROKEN);
  }

  private void move(ContractRow.State to) {
    ContractRow sending = row;
    if (sending != null) {
      contracts.store().ended(sending.id(), to, party.now());
    }
  }
}
