package dev.staithe.contracts;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person's side of one download under contract: what she sends, and what she believes of what
 * comes back. It knows no connection. For one thread.
 */
public final class PersonContract {
  private static final Duration LIFETIME = Duration.ofMinutes(5);

  private final String url;
  private final String origin;
  private final ContractKey key;
  private final PersonProperties properties;
  private final Clock clock;
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

  private PersonContract(
      String url, String origin, ContractKey key, PersonProperties properties, Clock clock) {
    this.url = url;
    this.origin = origin;
    this.key = key;
    this.properties = properties;
    this.clock = clock;
  }

  /**
   * Makes a key for it, which the person's own signs.
   *
   * @param url of the file, as it is asked for
   * @param origin of the host that has it, as {@code https://a.example:8443}
   * @param values that the person states
   * @throws BadSignature with one line where the certificate does not fit
   */
  public static PersonContract of(
      String url, String origin, Credential person, Map<String, Object> values, Clock clock)
      throws BadSignature {
    KeyPair pair = KeyKind.EC_P256.generate();
    ContractKey key =
        ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic());
    return new PersonContract(
        url,
        origin,
        key,
        PersonProperties.sign(person, key.publicKey(), values, clock.instant()),
        clock);
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
    String token =
        authorization.isEmpty()
            ? ""
            : HexFormat.of().formatHex(Hash.of(authorization.getBytes(StandardCharsets.UTF_8)));
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Contract", new ContractField(id, terms, token).encode());
    fields.put("Host-Properties", properties.text());
    fields.put("Want-Repr-Digest", "sha-256=10");
    MessageSignature signature =
        sign(SignedMessage.request("GET", url, lists(fields)), SignatureProfile.REQUEST);
    signed(fields, signature);
    asked = new Asked(id, SignedMessage.request("GET", url, lists(fields)), signature);
    agreed = null;
    return fields;
  }

  private MessageSignature sign(SignedMessage message, SignatureProfile profile)
      throws BadSignature {
    return MessageSignature.sign(
        message,
        key,
        new MessageSignature.Wanted(
            "person",
            profile.covered(),
            clock.instant(),
            LIFETIME,
            UUID.randomUUID().toString(),
            profile.tag()));
  }

  private static void signed(Map<String, String> fields, MessageSignature signature) {
    fields.put("Signature-Input", signature.inputField());
    fields.put("Signature", signature.signatureField());
  }

  private static Map<String, List<String>> lists(Map<String, String> fields) {
    Map<String, List<String>> lists = new HashMap<>();
    fields.forEach((name, value) -> lists.put(name, List.of(value)));
    return lists;
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
    signature.verify(sender, Set.copyOf(SignatureProfile.ANSWER.covered()), clock.instant());
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
    signed(
        fields,
        sign(SignedMessage.request("POST", receiptUrl(), lists(fields)), SignatureProfile.RECEIPT));
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
        || !record.receiver().equals(properties.subject().name())
        || !record.id().equals(last().id())
        || !record.request().equals(ContractRecord.Part.of(last().signature()))
        || !record.answer().equals(agreed.answer())
        || !record.received().equals(received.encode())) {
      throw new BadSignature("its statement is of something else");
    }
  }
}
