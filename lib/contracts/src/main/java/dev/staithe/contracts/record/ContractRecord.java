package dev.staithe.contracts.record;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignedMessage;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a statement states: the three messages of one transfer, as they were signed.
 *
 * @param id of the contract, a UUID
 * @param sender the origin of the host that sent the bytes, or the name of the person who did
 * @param receiver the origin of the host that asked for them, or to which they were pushed; or the
 *     name of the person who asked
 * @param request by which the receiver asked, or agreed to an offer
 * @param answer by which the sender answered, or brought them
 * @param receipt by which the receiver says what it received
 * @param received the content of that, JSON
 */
public record ContractRecord(
    String id,
    String sender,
    String receiver,
    Part request,
    Part answer,
    Part receipt,
    String received) {
  /**
   * One signed message.
   *
   * @param base what was signed (RFC 9421 section 2.5)
   * @param signature as its field has it: {@code label=:…:}
   */
  public record Part(String base, String signature) {
    /** Of a signature that was made or found. */
    public static Part of(MessageSignature signature) {
      return new Part(signature.base(), signature.signatureField());
    }

    /** SHA-256 of what was signed, in hexadecimal. */
    public String hash() {
      return HexFormat.of().formatHex(Hash.of(base.getBytes(StandardCharsets.US_ASCII)));
    }

    /** What was signed as that component, as {@code @target-uri}; empty where it is not covered. */
    public Optional<String> line(String component) {
      String begin = SignedMessage.Component.of(component) + ": ";
      return base.lines()
          .filter(line -> line.startsWith(begin))
          .map(line -> line.substring(begin.length()))
          .findFirst();
    }
  }

  /** Whether the sender brought the bytes by PUT; else the receiver asked for them by GET. */
  public boolean pushed() {
    return answer.line("@method").isPresent();
  }

  /** Whether a host is that party; else a person is. */
  public static boolean isHost(String party) {
    return party.startsWith("https://");
  }

  /** Of the file: at the sender, or where it was pushed to; empty where nothing names it. */
  public String url() {
    return url(request, answer);
  }

  /** The same of a contract's first two messages. */
  public static String url(Part request, Part answer) {
    return answer.line("@target-uri").or(() -> request.line("@target-uri")).orElse("");
  }

  /** As the payload of a statement. */
  public byte[] encode() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("contract", id);
    json.put("sender", sender);
    json.put("receiver", receiver);
    json.put("request", json(request));
    json.put("answer", json(answer));
    json.put("receipt", json(receipt));
    json.put("received", received);
    return JSONObjectUtils.toJSONString(json).getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, Object> json(Part part) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("base", part.base());
    json.put("signature", part.signature());
    return json;
  }

  /**
   * Reads a payload.
   *
   * @throws BadSignature where it is none
   */
  public static ContractRecord parse(byte[] payload) throws BadSignature {
    try {
      Map<String, Object> json =
          JSONObjectUtils.parse(new String(payload, StandardCharsets.UTF_8), Statement.MOST_BYTES);
      return new ContractRecord(
          text(json, "contract"),
          text(json, "sender"),
          text(json, "receiver"),
          part(json, "request"),
          part(json, "answer"),
          part(json, "receipt"),
          text(json, "received"));
    } catch (ParseException e) {
      throw new BadSignature("the statement is of no contract");
    }
  }

  private static Part part(Map<String, Object> json, String name)
      throws ParseException, BadSignature {
    Map<String, Object> part = JSONObjectUtils.getJSONObject(json, name);
    if (part == null) {
      throw new BadSignature("the statement has no " + name);
    }
    return new Part(text(part, "base"), text(part, "signature"));
  }

  private static String text(Map<String, Object> json, String name)
      throws ParseException, BadSignature {
    String text = JSONObjectUtils.getString(json, name);
    if (text == null) {
      throw new BadSignature("the statement has no " + name);
    }
    return text;
  }
}
