package dev.staithe.storage.contracts;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.http.HeaderField;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.ContractFields;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of one copy: asks under contract, believes the answer only with the partner's
 * signature, and acknowledges what came. A redirect to another host begins another contract with
 * that one. For one thread, until there is an answer: then parts may be asked for by several.
 */
public final class PullContract {
  private static final HeaderField WANTED = new HeaderField(Party.WANTED, "sha-256=10");

  private final Contracts contracts;
  private final Party party;
  private final AreaContracts area;
  private final String areaName;
  private final String path;
  private @Nullable Asked asked;
  private @Nullable Wanted wanted;
  private @Nullable ContractRow row;
  private @Nullable MessageSignature receipt;
  private boolean settled;

  /** What was asked last. */
  private record Asked(
      String id, String peer, String terms, SignedMessage request, MessageSignature signature) {}

  /**
   * The terms by which a partner refused what was asked last: other areas of it may have others.
   */
  private record Wanted(String peer, String terms) {}

  PullContract(Contracts contracts, Party party, AreaContracts area, String areaName, String path) {
    this.contracts = contracts;
    this.party = party;
    this.area = area;
    this.areaName = areaName;
    this.path = path;
  }

  /**
   * What a request has beside the other fields; empty where there is to be no contract with that
   * host. Once there is an answer, GET is for a part of its file.
   *
   * @param method HEAD where the file is to come in parts, or GET
   * @param host {@code host:port}
   * @param url absolute, as it is asked for
   * @param fields that are sent along
   * @throws IOException with one line, where the area takes nothing from that host
   */
  public List<HeaderField> ask(String method, String host, String url, List<HeaderField> fields)
      throws IOException {
    ContractRow agreed = row;
    if (agreed != null) {
      return part(agreed, url, fields);
    }
    asked = null;
    if (!contracts.partner(area, host, url)) {
      return List.of();
    }
    String token = ContractFields.token(fields);
    String id = party.newId();
    String terms = terms(host);
    List<HeaderField> own =
        new ArrayList<>(
            List.of(
                new HeaderField(Party.CONTRACT, new ContractField(id, terms, token).encode()),
                new HeaderField(Party.PROPERTIES, party.properties().text()),
                WANTED));
    MessageSignature signature = party.signRequest(method, url, own, SignatureProfile.REQUEST);
    asked =
        new Asked(
            id,
            host,
            terms,
            SignedMessage.request(method, url, ContractFields.map(own)),
            signature);
    return own;
  }

  private String terms(String host) {
    Wanted last = wanted;
    return last != null && last.peer().equals(host) ? last.terms() : contracts.agreedTerms(host);
  }

  private List<HeaderField> part(ContractRow agreed, String url, List<HeaderField> fields)
      throws IOException {
    if (!agreed.request().line("@target-uri").orElse("").equals(url)) {
      throw new IOException(agreed.peer() + " sends a part on to where nothing was agreed");
    }
    List<HeaderField> own = new ArrayList<>();
    own.add(
        new HeaderField(
            Party.CONTRACT,
            new ContractField(
                    agreed.id(), "", ContractFields.token(fields), -1, agreed.answer().hash())
                .encode()));
    own.add(WANTED);
    fields.stream().filter(field -> field.name().equals(Party.RANGE)).forEach(own::add);
    party.signRequest("GET", url, own, SignatureProfile.PART);
    return own;
  }

  /**
   * Whether the same may be asked again: the partner names terms, and they are accepted here and
   * not what was agreed to.
   */
  public boolean mayAskAgain(int status, List<HeaderField> fields) {
    Asked last = asked;
    if (last == null || status != 403) {
      return false;
    }
    Optional<String> terms =
        ContractFields.map(fields)
            .getOrDefault(Contracts.TERMS.toLowerCase(Locale.ROOT), List.of())
            .stream()
            .findFirst()
            .flatMap(named -> contracts.learnTerms(last.peer(), named));
    if (terms.isEmpty() || terms.get().equals(last.terms())) {
      return false;
    }
    wanted = new Wanted(last.peer(), terms.get());
    return true;
  }

  /**
   * Judges the answer, of status 200.
   *
   * @throws IOException with one line, where it is not what the area needs
   */
  public void answered(List<HeaderField> fields) throws IOException {
    Asked last = asked;
    if (last == null) {
      return;
    }
    Map<String, List<String>> map = ContractFields.map(fields);
    if (!map.containsKey("contract") && area.mode() == AreaContracts.Mode.OFFER) {
      return;
    }
    try {
      SignedMessage answer = SignedMessage.answer(200, map, last.request());
      MessageSignature signature = MessageSignature.find(answer, SignatureProfile.ANSWER.tag());
      Partners.Known known = contracts.partners().of(last.peer(), signature.keyId());
      signature.verify(
          known.key(last.peer(), signature.keyId()), SignatureProfile.ANSWER, party.now());
      if (!ContractField.parse(answer.field("contract")).id().equals(last.id())) {
        throw new BadSignature("the answer is of another contract");
      }
      ContractRow agreed =
          new ContractRow(
              ContractRow.Side.RECEIVER,
              last.id(),
              ContractRow.State.AGREED,
              areaName,
              path,
              last.peer(),
              party.now(),
              Long.parseLong(String.valueOf(answer.field("content-length"))),
              HexFormat.of().formatHex(ContractAudit.sha256(answer.field("repr-digest"))),
              ContractRecord.Part.of(last.signature()),
              ContractRecord.Part.of(signature),
              "",
              null,
              null);
      contracts.store().add(agreed);
      row = agreed;
    } catch (BadSignature bad) {
      contracts.failedVerification();
      throw new IOException(last.peer() + " does not sign as it should: " + bad.line(), bad);
    } catch (NumberFormatException e) {
      throw new IOException(last.peer() + " announces no length", e);
    }
  }

  /** Its id, once there is an answer to it; empty: none. */
  public Optional<String> id() {
    return Optional.ofNullable(row).map(ContractRow::id);
  }

  /** Whether the bytes that come are under contract. */
  public boolean agreed() {
    return row != null;
  }

  /** Whether the file waits for the sender's word. */
  public boolean waits() {
    return agreed() && area.receipts() == AreaContracts.Receipts.SYNC;
  }

  /**
   * All bytes came, and are those that the sender signed: keeps that, and has the log keep it.
   *
   * @throws IOException where they are not, or it cannot be kept
   */
  public void verified(long size, byte[] sha256) throws IOException {
    ContractRow agreed = row;
    if (agreed == null) {
      return;
    }
    if (agreed.size() != size || !agreed.sha256().equals(HexFormat.of().formatHex(sha256))) {
      throw new IOException("what came is not what " + agreed.peer() + " signed");
    }
    receipt =
        contracts.acknowledging().verified(agreed, new Received(true, size, sha256, party.now()));
    settled = true;
  }

  /** The copy is over; where the bytes were not verified, the sender is told that none are kept. */
  public void ended() {
    ContractRow agreed = row;
    if (agreed == null) {
      return;
    }
    contracts.acknowledging().later(agreed.id());
    if (!settled) {
      contracts.acknowledging().refused(agreed, contracts.acknowledging().nothing());
    }
  }

  /** The bytes were thrown away, and the sender is told. */
  public void refused(long size, byte[] sha256) {
    ContractRow agreed = row;
    if (agreed != null) {
      settled = true;
      contracts.acknowledging().refused(agreed, new Received(false, size, sha256, party.now()));
    }
  }

  /**
   * Acknowledges the receipt and keeps the sender's word for it.
   *
   * @throws IOException with one line, where the sender does not take it now: it is told again
   */
  public void acknowledge() throws IOException {
    ContractRow agreed = row;
    MessageSignature signed = receipt;
    if (agreed != null && signed != null) {
      contracts.acknowledging().acknowledge(agreed.id(), signed);
    }
  }

  /** The same when there is time, and again until the sender takes it. */
  public void acknowledgeSoon() {
    ContractRow agreed = row;
    if (agreed != null) {
      contracts.acknowledging().later(agreed.id());
    }
  }
}
