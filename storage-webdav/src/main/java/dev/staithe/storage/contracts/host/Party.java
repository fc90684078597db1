package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.http.HeaderField;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** This host as a party of contracts: its name, keys, properties and log. Thread-safe. */
public final class Party {
  /** The field that has a contract's id and terms, in both directions. */
  public static final String CONTRACT = "Contract";

  /** The field that has a host's signed property list, in both directions. */
  public static final String PROPERTIES = "Host-Properties";

  /** The field that asks for a checksum of the file (RFC 9530 section 4). */
  public static final String WANTED = "Want-Repr-Digest";

  /** The field that has it (RFC 9530 section 3). */
  public static final String DIGEST = "Repr-Digest";

  /** The field that asks for a part of a file (RFC 9110 section 14.2). */
  public static final String RANGE = "Range";

  /** By which a refusal says that it is one of a host that signs. */
  public static final String WANTED_PROPERTIES = "Want-Host-Properties";

  /** What signatures of requests cover or are in. */
  public static final List<String> FIELDS =
      List.of(
          CONTRACT,
          PROPERTIES,
          WANTED,
          DIGEST,
          RANGE,
          "Content-Length",
          "Signature-Input",
          "Signature");

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Duration LIFETIME = Duration.ofMinutes(5);

  /** What a statement has beside its record: signatures, and the proof of the log. */
  private static final int PROOF_BYTES = 4 * 1024;

  private final String origin;
  private final ContractKey key;
  private final List<PartyKey> oldKeys;
  private final LogKey logKey;
  private final TileLog log;
  private final Clock clock;
  private final OwnProperties properties;

  /** The host of an origin, as {@code a.example:8443}; empty where that is none by https. */
  public static String peer(String origin) {
    return origin.startsWith("https://") ? origin.substring("https://".length()) : "";
  }

  /**
   * Makes it.
   *
   * @param origin by which partners know this host, as {@code https://a.example:8443}
   */
  public Party(
      String origin,
      ContractKey key,
      List<PartyKey> oldKeys,
      OwnProperties properties,
      LogKey logKey,
      TileLog log,
      Clock clock) {
    this.origin = origin;
    this.key = key;
    this.oldKeys = List.copyOf(oldKeys);
    this.properties = properties;
    this.logKey = logKey;
    this.log = log;
    this.clock = clock;
  }

  /** By which partners know this host, as {@code https://a.example:8443}. */
  public String origin() {
    return origin;
  }

  /** {@code host:port}. */
  public String name() {
    return origin.substring("https://".length());
  }

  /** All keys that are published: the one that signs, and those before it with their end. */
  public List<PartyKey> published() {
    List<PartyKey> all = new ArrayList<>(oldKeys);
    all.addFirst(key.publicKey());
    return all;
  }

  /** The log of its statements. */
  public TileLog log() {
    return log;
  }

  /** By the clock of all that it signs. */
  public Instant now() {
    return clock.instant();
  }

  /** What this host says of itself, good for half an hour or nearly that. */
  public HostProperties properties() {
    return properties.now();
  }

  /**
   * Signs a request, and adds to its fields what that gives.
   *
   * @throws IOException with one line where it cannot be signed
   */
  public MessageSignature signRequest(
      String method, String url, List<HeaderField> fields, SignatureProfile profile)
      throws IOException {
    try {
      MessageSignature signature =
          sign(SignedMessage.request(method, url, ContractFields.map(fields)), profile);
      fields.add(new HeaderField("Signature-Input", signature.inputField()));
      fields.add(new HeaderField("Signature", signature.signatureField()));
      return signature;
    } catch (BadSignature bad) {
      throw new IOException("the request cannot be signed: " + bad.line(), bad);
    }
  }

  /** Signs a message. */
  public MessageSignature sign(SignedMessage message, SignatureProfile profile)
      throws BadSignature {
    return MessageSignature.sign(
        message,
        key,
        new MessageSignature.Wanted(
            "contract",
            profile.covered(),
            now(),
            LIFETIME,
            UUID.randomUUID().toString(),
            profile.tag()));
  }

  /**
   * States a record, and has the log keep its hash.
   *
   * @throws IOException with one line where the log does not take it, or nobody would read it
   */
  public Statement state(String id, byte[] record) throws IOException {
    if (record.length > Statement.MOST_BYTES - PROOF_BYTES) {
      throw new IOException("the contract says more than a statement has room for");
    }
    Statement statement = Statement.sign(origin, id, record, key, now());
    long index = log.append(statement.entry());
    return statement.logged(log, logKey, index, id, now());
  }

  /** A UUID of version 7 (RFC 9562 section 5.7): those of one time stand together in the index. */
  public String newId() {
    long low = RANDOM.nextLong();
    return new UUID(
            now().toEpochMilli() << 16 | 0x7000L | low & 0xfffL,
            Long.MIN_VALUE | low >>> 2 & Long.MAX_VALUE >>> 1)
        .toString();
  }
}
