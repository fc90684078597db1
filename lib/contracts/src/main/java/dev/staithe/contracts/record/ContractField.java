package dev.staithe.contracts.record;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.Dictionary;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

/**
 * The field {@code Contract}, a dictionary (RFC 8941 section 3.2).
 *
 * @param id of the contract, a UUID in lower case
 * @param terms SHA-256 of the terms that are agreed to, in hexadecimal; empty: none
 * @param token SHA-256 of the request's {@code Authorization}, in hexadecimal; empty: there is none
 * @param size bytes of the file, where it is offered and not asked for; negative: not said
 * @param agreed SHA-256 of the signature base by which the other side agreed to what is now
 *     brought, or asked for in part, in hexadecimal; empty: there was none
 */
public record ContractField(String id, String terms, String token, long size, String agreed) {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** Of a contract that the receiver asks for. */
  public ContractField(String id, String terms, String token) {
    this(id, terms, token, -1, "");
  }

  /**
   * Reads it.
   *
   * @throws BadSignature where it is none
   */
  public static ContractField parse(@Nullable String text) throws BadSignature {
    if (text == null) {
      throw new BadSignature("the message has no Contract field");
    }
    try {
      Map<String, ListElement<?>> members = Parser.parseDictionary(text).get();
      if (members.get("id") instanceof StringItem id && UUID.matcher(id.get()).matches()) {
        return new ContractField(
            id.get(),
            hash(members, "terms"),
            hash(members, "token"),
            members.get("size") instanceof IntegerItem size ? size.getAsLong() : -1,
            hash(members, "agreed"));
      }
    } catch (IllegalArgumentException malformed) {
      // Told below.
    }
    throw new BadSignature("the Contract field names no id");
  }

  private static String hash(Map<String, ListElement<?>> members, String name) throws BadSignature {
    ListElement<?> member = members.get(name);
    if (member == null) {
      return "";
    }
    if (member instanceof ByteSequenceItem item && item.get().remaining() == Hash.BYTES) {
      ByteBuffer bytes = item.get().duplicate();
      byte[] copy = new byte[Hash.BYTES];
      bytes.get(copy);
      return HexFormat.of().formatHex(copy);
    }
    throw new BadSignature("the Contract field has " + name + " that are no SHA-256");
  }

  /** As the field's value. */
  public String encode() {
    Map<String, ListElement<?>> members = new LinkedHashMap<>();
    members.put("id", StringItem.valueOf(id));
    put(members, "terms", terms);
    put(members, "token", token);
    if (size >= 0) {
      members.put("size", IntegerItem.valueOf(size));
    }
    put(members, "agreed", agreed);
    return Dictionary.valueOf(members).serialize();
  }

  private static void put(Map<String, ListElement<?>> members, String name, String hash) {
    if (!hash.isEmpty()) {
      members.put(name, ByteSequenceItem.valueOf(HexFormat.of().parseHex(hash)));
    }
  }
}
