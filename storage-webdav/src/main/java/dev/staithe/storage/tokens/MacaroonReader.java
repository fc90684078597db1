package dev.staithe.storage.tokens;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Reads macaroons as libmacaroons writes them: its binary format 1 (packets with a length in
 * hexadecimal digits) and 2 (fields with a length in seven-bit groups), in Base64 for URLs. For one
 * macaroon.
 */
final class MacaroonReader {
  /** Of a packet's length, in format 1. */
  static final int LENGTH_DIGITS = 4;

  /** Each costs an HMAC. */
  private static final int MOST_CAVEATS = 64;

  private static final int SIGNATURE_BYTES = 32;
  private static final byte VERSION_2 = 2;
  private static final byte[] FIRST_PACKET = "location ".getBytes(StandardCharsets.US_ASCII);

  /** The types of fields in format 2. */
  private static final int END = 0;

  private static final int LOCATION = 1;
  private static final int IDENTIFIER = 2;
  private static final int VERIFICATION = 4;
  private static final int SIGNATURE = 6;

  private final byte[] bytes;
  private int at;

  private MacaroonReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** What came of reading. */
  sealed interface Read {
    /** It is one; whether it is good is another question. */
    record Whole(Macaroon macaroon) implements Read {}

    /**
     * It begins as one.
     *
     * @param reason why it is none, one safe line
     */
    record Malformed(String reason) implements Read {}

    /** It is something else. */
    record Other() implements Read {}
  }

  /** A field or packet: whose content is in a part of the bytes. */
  private record Field(String name, int from, int to) {}

  private static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String reason) {
      super(reason, null, false, false);
    }
  }

  /**
   * Reads one.
   *
   * @param ours what the location of those begins with that this server has made: in format 2
   *     nothing else tells a macaroon from an opaque token of another kind
   */
  static Read read(String compact, String ours) {
    byte[] bytes;
    try {
      int end = compact.length();
      while (end > 0 && compact.charAt(end - 1) == '=') {
        end--;
      }
      // A letter of six bits in the end is what is left where the rest was cut.
      bytes = Base64.getUrlDecoder().decode(compact.substring(0, end % 4 == 1 ? end - 1 : end));
    } catch (IllegalArgumentException noBase64) {
      return new Read.Other();
    }
    MacaroonReader reader = new MacaroonReader(bytes);
    boolean first = reader.has(LENGTH_DIGITS, FIRST_PACKET);
    boolean second =
        bytes.length > 3
            && bytes[0] == VERSION_2
            && bytes[1] == LOCATION
            && reader.has(3, ours.getBytes(StandardCharsets.US_ASCII));
    if (!first && !second) {
      return new Read.Other();
    }
    try {
      return new Read.Whole(first ? reader.packets() : reader.fields());
    } catch (MalformedException e) {
      return new Read.Malformed(String.valueOf(e.getMessage()));
    }
  }

  private boolean has(int from, byte[] expected) {
    return bytes.length >= from + expected.length
        && Arrays.equals(bytes, from, from + expected.length, expected, 0, expected.length);
  }

  private Macaroon packets() throws MalformedException {
    String location = text(expect(packet(), "location"));
    String identifier = text(expect(packet(), "identifier"));
    List<String> caveats = new ArrayList<>();
    Field field = packet();
    while (!field.name().equals("signature")) {
      refuseThirdParty(field.name().equals("vid") || field.name().equals("cl"));
      add(caveats, text(expect(field, "cid")));
      field = packet();
    }
    return whole(location, identifier, caveats, field);
  }

  private Field packet() throws MalformedException {
    int start = at;
    int length = 0;
    for (int i = 0; i < LENGTH_DIGITS; i++) {
      int digit = at < bytes.length ? Character.digit(bytes[at++], 16) : -1;
      require(digit >= 0, "the macaroon is cut or damaged");
      length = length << 4 | digit;
    }
    int end = start + length;
    require(end <= bytes.length && length > LENGTH_DIGITS + 2, "the macaroon is cut or damaged");
    int blank = at;
    while (blank < end && bytes[blank] != ' ') {
      blank++;
    }
    require(blank < end - 1 && bytes[end - 1] == '\n', "the macaroon is cut or damaged");
    String name = new String(bytes, at, blank - at, StandardCharsets.ISO_8859_1);
    at = end;
    return new Field(name, blank + 1, end - 1);
  }

  private Macaroon fields() throws MalformedException {
    at = 1;
    String location = text(field(LOCATION));
    String identifier = text(field(IDENTIFIER));
    field(END);
    List<String> caveats = new ArrayList<>();
    while (peek() != END) {
      refuseThirdParty(peek() == LOCATION);
      add(caveats, text(field(IDENTIFIER)));
      refuseThirdParty(peek() == VERIFICATION);
      field(END);
    }
    field(END);
    return whole(location, identifier, caveats, field(SIGNATURE));
  }

  private int peek() throws MalformedException {
    require(at < bytes.length, "the macaroon is cut or damaged");
    return bytes[at];
  }

  private Field field(int type) throws MalformedException {
    require(peek() == type, "the macaroon is cut or damaged");
    at++;
    if (type == END) {
      return new Field("", at, at);
    }
    int length = 0;
    int shift = 0;
    int group;
    do {
      group = peek();
      at++;
      require(shift <= 14, "the macaroon is cut or damaged");
      length |= (group & 0x7f) << shift;
      shift += 7;
    } while (group < 0);
    require(length <= bytes.length - at, "the macaroon is cut or damaged");
    at += length;
    return new Field("", at - length, at);
  }

  private Macaroon whole(String location, String identifier, List<String> caveats, Field signature)
      throws MalformedException {
    require(
        at == bytes.length && signature.to() - signature.from() == SIGNATURE_BYTES,
        "the macaroon is cut or damaged");
    return new Macaroon(
        location, identifier, caveats, Arrays.copyOfRange(bytes, signature.from(), signature.to()));
  }

  private static Field expect(Field field, String name) throws MalformedException {
    require(field.name().equals(name), "the macaroon is cut or damaged");
    return field;
  }

  private String text(Field field) throws MalformedException {
    try {
      // What is no UTF-8 would be signed as something else.
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, field.from(), field.to() - field.from()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new MalformedException("the macaroon has a part that is no text");
    }
  }

  private static void add(List<String> caveats, String caveat) throws MalformedException {
    require(
        caveats.size() < MOST_CAVEATS, "the macaroon has more than " + MOST_CAVEATS + " caveats");
    caveats.add(caveat);
  }

  private static void refuseThirdParty(boolean isOne) throws MalformedException {
    require(!isOne, "the macaroon has a third-party caveat, and no discharge is taken here");
  }

  private static void require(boolean good, String reason) throws MalformedException {
    if (!good) {
      throw new MalformedException(reason);
    }
  }
}
