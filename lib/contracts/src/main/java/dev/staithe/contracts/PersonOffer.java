package dev.staithe.contracts;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person's side of one upload under contract: what she sends, and what she believes of what comes
 * back. It knows no connection. For one thread.
 */
public final class PersonOffer {
  private final String url;
  private final String origin;
  private final PersonSigner signer;
  private @Nullable Offered offered;
  private ContractRecord.@Nullable Part agreement;
  private ContractRecord.@Nullable Part delivery;

  private record Offered(
      String id, String terms, String token, long size, byte[] sha256, SignedMessage message) {}

  private PersonOffer(String url, String origin, PersonSigner signer) {
    this.url = url;
    this.origin = origin;
    this.signer = signer;
  }

  /**
   * Asks nobody yet.
   *
   * @param url where the file is to go, as it is asked for
   * @param origin of the host that is to have it, as {@code https://a.example:8443}
   * @param signer the person
   */
  public static PersonOffer of(String url, String origin, PersonSigner signer) {
    return new PersonOffer(url, origin, signer);
  }

  private Offered last() {
    Offered last = offered;
    if (last == null) {
      throw new IllegalStateException("nothing was offered");
    }
    return last;
  }

  /** The contract that was offered. */
  public String id() {
    return last().id();
  }

  /**
   * What POST has beside its other fields, by a contract with a new id.
   *
   * @param size in bytes
   * @param sha256 of the file
   * @param terms that it is given under, as SHA-256 in hexadecimal; empty: none
   * @param authorization as it is sent with both requests; empty: none is
   */
  public Map<String, String> offer(long size, byte[] sha256, String terms, String authorization)
      throws BadSignature {
    String id = UUID.randomUUID().toString();
    String token = PersonSigner.token(authorization);
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Contract", new ContractField(id, terms, token, size, "").encode());
    fields.put("Host-Properties", signer.properties().text());
    fields.put("Repr-Digest", ContractAudit.digest(sha256));
    signer.sign("POST", url, fields, SignatureProfile.OFFER);
    offered =
        new Offered(id, terms, token, size, sha256, PersonSigner.request("POST", url, fields));
    agreement = null;
    delivery = null;
    return fields;
  }

  /**
   * Judges an answer of status 200 to the offer.
   *
   * @param fields of the answer
   * @param keys of the host that is to have the file
   * @return what that host says of itself
   * @throws BadSignature where it does not agree to this very offer
   */
  public HostProperties agreed(Map<String, List<String>> fields, Map<String, PartyKey> keys)
      throws BadSignature {
    Offered last = last();
    SignedMessage answer = SignedMessage.answer(200, fields, last.message());
    MessageSignature signature = SignatureProfile.AGREEMENT.find(answer);
    PartyKey receiver = keys.get(signature.keyId());
    if (receiver == null) {
      throw new BadSignature("the answer is signed by no key that " + origin + " publishes");
    }
    signature.verify(receiver, SignatureProfile.AGREEMENT, signer.clock().instant());
    ContractField field = ContractField.parse(answer.field("contract"));
    if (!field.id().equals(last.id())
        || field.size() != last.size()
        || !field.terms().equals(last.terms())) {
      throw new BadSignature("it agrees to something else than was offered");
    }
    HostProperties host =
        HostProperties.verify(
            String.valueOf(answer.field("host-properties")), keys, signer.clock().instant());
    if (!host.issuer().equals(origin)) {
      throw new BadSignature("the host properties are of " + host.issuer());
    }
    agreement = ContractRecord.Part.of(signature);
    return host;
  }

  /** What PUT has beside its other fields; its length and content are those of the offer. */
  public Map<String, String> deliver() throws BadSignature {
    Offered last = last();
    ContractRecord.Part agreed = agreement;
    if (agreed == null) {
      throw new IllegalStateException("nothing was agreed");
    }
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(
        "Contract",
        new ContractField(last.id(), last.terms(), last.token(), -1, agreed.hash()).encode());
    fields.put("Host-Properties", signer.properties().text());
    fields.put("Repr-Digest", ContractAudit.digest(last.sha256()));
    fields.put("Content-Length", String.valueOf(last.size()));
    delivery =
        ContractRecord.Part.of(signer.sign("PUT", url, fields, SignatureProfile.PERSON_DELIVERY));
    fields.remove("Content-Length");
    return fields;
  }

  /** Where the host's statement is, by POST without a body. */
  public String statementUrl() {
    return origin + "/.staithe/contracts/" + last().id();
  }

  /** The fields of the request for it, which may be made again. */
  public Map<String, String> ask() throws BadSignature {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Contract", new ContractField(last().id(), "", "").encode());
    signer.sign("POST", statementUrl(), fields, SignatureProfile.STATEMENT);
    return fields;
  }

  /**
   * Whether the host's statement is of this very upload, says that all of it was received, and is
   * in its log.
   *
   * @throws BadSignature where it is not
   */
  public void stated(byte[] statement, Map<String, PartyKey> keys, LogVerifier log)
      throws BadSignature {
    Offered last = last();
    for (ContractAudit.Finding finding : new ContractAudit(keys, log).run(statement)) {
      if (!finding.good()) {
        throw new BadSignature(finding.line());
      }
    }
    Statement.Content content = Statement.parse(statement).verify(keys);
    ContractRecord record = ContractRecord.parse(content.content());
    Received received = Received.parse(record.received());
    if (!content.issuer().equals(origin)
        || !record.receiver().equals(origin)
        || !record.sender().equals(signer.properties().name())
        || !record.id().equals(last.id())
        || !record.request().equals(agreement)
        || !record.answer().equals(delivery)
        || !received.kept()
        || !received.of(last.size(), last.sha256())) {
      throw new BadSignature("its statement is of something else");
    }
  }
}
