package dev.staithe.contracts.record;

import dev.staithe.contracts.log.Checkpoint;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.log.Merkle;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Cbor;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.PartyKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A signed statement (RFC 9943): a COSE_Sign1 (RFC 9052 section 4.2) by ES256 over a record of a
 * contract, and the receipts of logs that hold its hash (RFC 9942). Immutable.
 *
 * @param signed without receipts, as its maker signed it: what the log has the hash of
 * @param receipts each a COSE_Sign1 by the log
 */
public record Statement(byte[] signed, List<byte[]> receipts) {
  /** The media type of one. */
  public static final String MEDIA_TYPE = "application/cose";

  /** The media type of what is stated. */
  private static final String CONTENT = "application/vnd.staithe.contract+json";

  /** More bytes than any. */
  public static final int MOST_BYTES = 64 * 1024;

  private static final long SIGN1 = 18;
  private static final long ALG = 1;
  private static final long CONTENT_TYPE = 3;
  private static final long KID = 4;
  private static final long CLAIMS = 15;
  private static final long RECEIPTS = 394;
  private static final long TREE = 395;
  private static final long PROOFS = 396;
  private static final long ES256 = -7;
  private static final long EDDSA = -8;

  /** RFC9162_SHA256, the tree of {@link Merkle}. */
  private static final long RFC9162_SHA256 = 1;

  private static final long INCLUSION = -1;

  /** Takes a copy of the list. */
  public Statement {
    receipts = List.copyOf(receipts);
  }

  /** Signs a statement of {@code issuer} about the contract {@code id}; it has no receipt yet. */
  public static Statement sign(
      String issuer, String id, byte[] content, ContractKey key, Instant now) {
    Map<Object, Object> claims = new LinkedHashMap<>();
    claims.put(1L, issuer);
    claims.put(2L, subject(id));
    claims.put(6L, now.getEpochSecond());
    Map<Object, Object> header = new LinkedHashMap<>();
    header.put(ALG, ES256);
    header.put(CONTENT_TYPE, CONTENT);
    header.put(KID, key.id().getBytes(StandardCharsets.US_ASCII));
    header.put(CLAIMS, claims);
    byte[] written = Cbor.encode(header);
    return new Statement(
        message(written, Map.of(), content, key.sign(toBeSigned(written, content))), List.of());
  }

  private static String subject(String id) {
    return "urn:uuid:" + id;
  }

  private static byte[] message(
      byte[] header, Map<?, ?> unprotected, byte @Nullable [] payload, byte[] signature) {
    List<Object> parts = new ArrayList<>();
    parts.add(header);
    parts.add(unprotected);
    parts.add(payload);
    parts.add(signature);
    return Cbor.encode(new Cbor.Tagged(SIGN1, parts));
  }

  /** RFC 9052 section 4.4, without external data. */
  private static byte[] toBeSigned(byte[] header, byte[] payload) {
    return Cbor.encode(List.of("Signature1", header, new byte[0], payload));
  }

  /** What the log has of it. */
  public byte[] entry() {
    return Hash.of(signed);
  }

  /**
   * The same with a receipt: that the log's tree of now has it.
   *
   * @param index of its entry
   * @throws IOException where the log cannot be read
   */
  public Statement logged(TileLog log, LogKey key, long index, String id, Instant now)
      throws IOException {
    Checkpoint checkpoint = log.checkpoint();
    Map<Object, Object> claims = new LinkedHashMap<>();
    claims.put(1L, key.verifier().name());
    claims.put(2L, subject(id));
    claims.put(6L, now.getEpochSecond());
    Map<Object, Object> header = new LinkedHashMap<>();
    header.put(ALG, EDDSA);
    header.put(KID, key.verifier().id());
    header.put(CLAIMS, claims);
    header.put(TREE, RFC9162_SHA256);
    byte[] written = Cbor.encode(header);
    byte[] proof =
        Cbor.encode(
            List.of(checkpoint.size(), index, Merkle.inclusion(log, index, checkpoint.size())));
    byte[] receipt =
        message(
            written,
            Map.of(PROOFS, Map.of(INCLUSION, List.of(proof))),
            null,
            key.sign(toBeSigned(written, checkpoint.root())));
    List<byte[]> all = new ArrayList<>(receipts);
    all.add(receipt);
    return new Statement(signed, all);
  }

  /** As a file: with its receipts in the unprotected header. */
  public byte[] encode() {
    try {
      Sign1 parts = Sign1.of(signed);
      return message(
          parts.header(),
          receipts.isEmpty() ? Map.of() : Map.of(RECEIPTS, receipts),
          parts.payload(),
          parts.signature());
    } catch (BadSignature impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Reads a statement with its receipts; nothing of it is verified.
   *
   * @throws BadSignature where it cannot be read
   */
  public static Statement parse(byte[] bytes) throws BadSignature {
    if (bytes.length > MOST_BYTES) {
      throw new BadSignature("the statement is longer than " + MOST_BYTES + " bytes");
    }
    Sign1 parts = Sign1.of(bytes);
    List<byte[]> receipts = new ArrayList<>();
    if (parts.unprotected().get(RECEIPTS) instanceof List<?> list) {
      for (Object each : list) {
        if (!(each instanceof byte[] receipt)) {
          throw new BadSignature("the statement has a receipt that is none");
        }
        receipts.add(receipt);
      }
    }
    return new Statement(
        message(parts.header(), Map.of(), parts.payload(), parts.signature()), receipts);
  }

  /**
   * What a statement says, once its signature is verified.
   *
   * @param issuer who states it
   * @param subject what it is about
   * @param stated when
   * @param content what is stated
   */
  public record Content(String issuer, String subject, Instant stated, byte[] content) {}

  /**
   * Verifies who made the statement.
   *
   * @throws BadSignature where it is by none of the keys
   */
  public Content verify(Map<String, PartyKey> keys) throws BadSignature {
    Sign1 parts = Sign1.of(signed);
    Map<?, ?> header = parts.protectedHeader();
    PartyKey key =
        header.get(KID) instanceof byte[] kid
            ? keys.get(new String(kid, StandardCharsets.US_ASCII))
            : null;
    byte[] payload = parts.payload();
    if (key == null
        || payload == null
        || !Long.valueOf(ES256).equals(header.get(ALG))
        || !key.verify(toBeSigned(parts.header(), payload), parts.signature())) {
      throw new BadSignature("the statement is not signed by a key that is known");
    }
    Content content = content(header, payload);
    if (!key.signsAt(content.stated())) {
      throw new BadSignature("the statement was made after its key had ended");
    }
    return content;
  }

  /** The id of the key that is to have signed it, unverified; empty where it names none. */
  public String keyId() throws BadSignature {
    return Sign1.of(signed).protectedHeader().get(KID) instanceof byte[] kid
        ? new String(kid, StandardCharsets.US_ASCII)
        : "";
  }

  /**
   * What it says it is, to find it among others; nothing of it is verified.
   *
   * @throws BadSignature where it cannot be read
   */
  public Content claimed() throws BadSignature {
    Sign1 parts = Sign1.of(signed);
    byte[] payload = parts.payload();
    return content(parts.protectedHeader(), payload == null ? new byte[0] : payload);
  }

  private static Content content(Map<?, ?> header, byte[] payload) throws BadSignature {
    if (!(header.get(CLAIMS) instanceof Map<?, ?> claims
        && claims.get(1L) instanceof String issuer
        && claims.get(2L) instanceof String subject
        && claims.get(6L) instanceof Long stated
        && CONTENT.equals(header.get(CONTENT_TYPE)))) {
      throw new BadSignature("the statement does not say whose it is, or is of another kind");
    }
    try {
      return new Content(issuer, subject, Instant.ofEpochSecond(stated), payload);
    } catch (DateTimeException beyond) {
      throw new BadSignature("the statement was made at no time that there is");
    }
  }

  /**
   * A place in a log.
   *
   * @param size of the log's tree
   * @param index of the entry
   * @param root of that tree, as the log signed it
   */
  public record Place(long size, long index, byte[] root) {}

  /**
   * Verifies that the log has the statement.
   *
   * @throws BadSignature where no receipt proves it
   */
  public Place verifyReceipt(LogVerifier log) throws BadSignature {
    BadSignature last = new BadSignature("the statement has no receipt");
    for (byte[] receipt : receipts) {
      try {
        return verifyReceipt(Sign1.of(receipt), log);
      } catch (BadSignature bad) {
        last = bad;
      }
    }
    throw last;
  }

  private Place verifyReceipt(Sign1 receipt, LogVerifier log) throws BadSignature {
    Map<?, ?> header = receipt.protectedHeader();
    if (!Long.valueOf(EDDSA).equals(header.get(ALG))
        || !Long.valueOf(RFC9162_SHA256).equals(header.get(TREE))
        || receipt.payload() != null) {
      throw new BadSignature("the receipt is of another kind of log");
    }
    if (!(receipt.unprotected().get(PROOFS) instanceof Map<?, ?> proofs
        && proofs.get(INCLUSION) instanceof List<?> inclusions
        && inclusions.size() == 1
        && inclusions.getFirst() instanceof byte[] encoded
        && Cbor.decode(encoded) instanceof List<?> proof
        && proof.size() == 3
        && proof.get(0) instanceof Long size
        && proof.get(1) instanceof Long index
        && proof.get(2) instanceof List<?> path
        && path.stream().allMatch(byte[].class::isInstance))) {
      throw new BadSignature("the receipt has no inclusion proof");
    }
    byte[] root =
        Merkle.rootOf(
            Merkle.leaf(entry()), index, size, path.stream().map(byte[].class::cast).toList());
    if (!log.verify(toBeSigned(receipt.header(), root), receipt.signature())) {
      throw new BadSignature("the receipt is not by the log's key, or of another statement");
    }
    return new Place(size, index, root);
  }

  /** The four parts of a COSE_Sign1. */
  private record Sign1(
      byte[] header, Map<?, ?> unprotected, byte @Nullable [] payload, byte[] signature) {
    static Sign1 of(byte[] bytes) throws BadSignature {
      if (Cbor.decode(bytes) instanceof Cbor.Tagged(long tag, Object item)
          && tag == SIGN1
          && item instanceof List<?> parts
          && parts.size() == 4
          && parts.get(0) instanceof byte[] header
          && parts.get(1) instanceof Map<?, ?> unprotected
          && parts.get(3) instanceof byte[] signature) {
        Object payload = parts.get(2);
        if (payload == null) {
          return new Sign1(header, unprotected, null, signature);
        }
        if (payload instanceof byte[] content) {
          return new Sign1(header, unprotected, content, signature);
        }
      }
      throw new BadSignature("this is no COSE_Sign1");
    }

    Map<?, ?> protectedHeader() throws BadSignature {
      if (Cbor.decode(header) instanceof Map<?, ?> map) {
        return map;
      }
      throw new BadSignature("the protected header is no map");
    }
  }
}
