package dev.staithe.contracts;

import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person's side of one download under contract: what she sends, and what she believes of what
 * comes back. It knows no connection. For one thread.
 */
public final class PersonContract {
  private final String url;
  private final String origin;
  private final PersonSigner signer;
  private @Nullable Asked asked;
  private @Nullable Agreed agreed;

  private record Asked(String id, SignedMessage request, MessageSignature signature) {}

  /**
   * What the sender has signed to send.
   *
   * @param size in bytes
   * @param sha256 of the file
   */
  public record Agreed(long size, byte[] sha256, ContractRecord.Part answer) {}

  private PersonContract(String url, String origin, PersonSigner signer) {
    this.url = url;
    this.origin = origin;
    this.signer = signer;
  }

  /**
   * Asks nobody yet.
   *
   * @param url of the file, as it is asked for
   * @param origin of the host that has it, as {@code https://a.example:8443}
   * @param signer the person
   */
  public static PersonContract of(String url, String origin, PersonSigner signer) {
    return new PersonContract(url, origin, signer);
  }

  /** The contract that was asked for last; empty before. */
  public String id() {
    return asked == null ? "" : asked.id();
  }

  /**
   * What GET has beside its other fields, by a contract with a new id.
   *
   * @param terms that are agreed to, as SHA-256 in hexadecimal; empty: none
   * @param authorization as it is sent; empty: none is
   */
  public Map<String, String> ask(String terms, String authorization) throws BadSignature {
    String id = UUID.randomUUID().toString();
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(
        "Contract", new ContractField(id, terms, PersonSigner.token(authorization)).encode());
    fields.put("Host-Properties", signer.properties().text());
    fields.put("Want-Repr-Digest", "sha-256=10");
    MessageSignature signature = signer.sign("GET", url, fields, SignatureProfile.REQUEST);
    asked = new Asked(id, PersonSigner.request("GET", url, fields), signature);
    agreed = null;
    return fields;
  }

  /**
   * Judges an answer of status 200.
   *
   * @param fields of the answer
   * @param keys of the host that has the file
   * @throws BadSignature where it is not signed for this request
   */
  public Agreed answered(Map<String, List<String>> fields, Map<String, PartyKey> keys)
      throws BadSignature {
    Asked last = last();
    SignedMessage answer = SignedMessage.answer(200, fields, last.request());
    MessageSignature signature = SignatureProfile.ANSWER.find(answer);
    PartyKey sender = keys.get(signature.keyId());
    if (sender == null) {
      throw new BadSignature("the answer is signed by no key that " + origin + " publishes");
    }
    signature.verify(sender, SignatureProfile.ANSWER, signer.clock().instant());
    if (!ContractField.parse(answer.field("contract")).id().equals(last.id())) {
      throw new BadSignature("the answer is of another contract");
    }
    try {
      Agreed now =
          new Agreed(
              Long.parseLong(String.valueOf(answer.field("content-length"))),
              ContractAudit.sha256(answer.field("repr-digest")),
              ContractRecord.Part.of(signature));
      agreed = now;
      return now;
    } catch (NumberFormatException e) {
      throw new BadSignature("the answer announces no length");
    }
  }

  private Asked last() {
    if (asked == null) {
      throw new IllegalStateException("nothing was asked for");
    }
    return asked;
  }

  /** Where the receipt goes by POST. */
  public String receiptUrl() {
    return origin + "/.staithe/contracts/" + last().id();
  }

  /** The fields of the receipt's request, whose body is {@link Received#encode}. */
  public Map<String, String> receipt(Received received) throws BadSignature {
    byte[] body = received.encode().getBytes(StandardCharsets.UTF_8);
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Contract", new ContractField(last().id(), "", "").encode());
    fields.put("Content-Digest", ContractAudit.digest(Hash.of(body)));
    signer.sign("POST", receiptUrl(), fields, SignatureProfile.RECEIPT);
    return fields;
  }

  /**
   * Whether the sender's statement is of this very download, and in its log.
   *
   * @throws BadSignature where it is not
   */
  public void acknowledged(
      byte[] statement, Received received, Map<String, PartyKey> keys, LogVerifier log)
      throws BadSignature {
    Statement parsed = Statement.parse(statement);
    Statement.Content content = parsed.verify(keys);
    parsed.verifyReceipt(log);
    ContractRecord record = ContractRecord.parse(content.content());
    if (agreed == null
        || !content.issuer().equals(origin)
        || !record.sender().equals(origin)
        || !record.receiver().equals(signer.properties().name())
        || !record.id().equals(last().id())
        || !record.request().equals(ContractRecord.Part.of(last().signature()))
        || !record.answer().equals(agreed.answer())
        || !record.received().equals(received.encode())) {
      throw new BadSignature("its statement is of something else");
    }
  }
}
