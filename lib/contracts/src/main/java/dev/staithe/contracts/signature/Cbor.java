package dev.staithe.contracts.signature;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of CBOR (RFC 8949) that statements are made of, in its deterministic form (section 4.2):
 * integers, byte and text strings, arrays, maps, tags and null. Whatever else is refused, and so is
 * depth, as others wrote what is read here.
 */
public final class Cbor {
  private static final int DEEPEST = 8;

  /** A tagged item. */
  public record Tagged(long tag, @Nullable Object item) {}

  private final ByteBuffer in;

  private Cbor(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  /** Writes a {@link Long}, {@link Integer}, {@code byte[]}, {@link String}, list, map or tag. */
  public static byte[] encode(@Nullable Object item) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, item);
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, @Nullable Object item) {
    switch (item) {
      case null -> out.write(0xf6);
      case Integer number -> write(out, number.longValue());
      case Long number when number >= 0 -> head(out, 0, number);
      case Long number -> head(out, 1, -1 - number);
      case byte[] bytes -> {
        head(out, 2, bytes.length);
        out.writeBytes(bytes);
      }
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        head(out, 3, bytes.length);
        out.writeBytes(bytes);
      }
      case List<?> list -> {
        head(out, 4, list.size());
        list.forEach(each -> write(out, each));
      }
      case Map<?, ?> map -> {
        // Whoever makes a map puts its keys in their order.
        head(out, 5, map.size());
        map.forEach(
            (key, value) -> {
              write(out, key);
              write(out, value);
            });
      }
      case Tagged(long tag, Object tagged) -> {
        head(out, 6, tag);
        write(out, tagged);
      }
      default -> throw new IllegalArgumentException("no CBOR for " + item.getClass());
    }
  }

  private static void head(ByteArrayOutputStream out, int major, long value) {
    int bytes =
        value < 24 ? 0 : value < 1L << 8 ? 1 : value < 1L << 16 ? 2 : value < 1L << 32 ? 4 : 8;
    int additional =
        switch (bytes) {
          case 0 -> (int) value;
          case 1 -> 24;
          case 2 -> 25;
          case 4 -> 26;
          default -> 27;
        };
    out.write(major << 5 | additional);
    for (int i = bytes - 1; i >= 0; i--) {
      out.write((int) (value >>> 8 * i));
    }
  }

  /**
   * Reads one item that is all of the bytes.
   *
   * @throws BadSignature where they are anything else
   */
  public static @Nullable Object decode(byte[] bytes) throws BadSignature {
    Cbor reader = new Cbor(bytes);
    Object item = reader.read(0);
    if (reader.in.hasRemaining()) {
      throw malformed();
    }
    return item;
  }

  /** The items of a sequence (RFC 8742), as they stand there, up to one that is not whole. */
  public static List<byte[]> sequence(byte[] bytes) {
    List<byte[]> items = new ArrayList<>();
    Cbor reader = new Cbor(bytes);
    try {
      while (reader.in.hasRemaining()) {
        int from = reader.in.position();
        reader.read(0);
        items.add(Arrays.copyOfRange(bytes, from, reader.in.position()));
      }
    } catch (BadSignature torn) {
      // A machine ended as it was written.
    }
    return items;
  }

  private @Nullable Object read(int depth) throws BadSignature {
    if (depth > DEEPEST || !in.hasRemaining()) {
      throw malformed();
    }
    int first = in.get() & 0xff;
    if (first == 0xf6) {
      return null;
    }
    long value = value(first & 0x1f);
    switch (first >> 5) {
      case 0 -> {
        return value;
      }
      case 1 -> {
        return -1 - value;
      }
      case 2 -> {
        return bytes(value);
      }
      case 3 -> {
        try {
          return StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes(value)))
              .toString();
        } catch (CharacterCodingException e) {
          throw malformed();
        }
      }
      case 4 -> {
        List<Object> list = new ArrayList<>();
        for (long i = 0; i < value; i++) {
          list.add(read(depth + 1));
        }
        return list;
      }
      case 5 -> {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (long i = 0; i < value; i++) {
          Object key = read(depth + 1);
          if (!(key instanceof Long || key instanceof String) || map.containsKey(key)) {
            throw malformed();
          }
          map.put(key, read(depth + 1));
        }
        return map;
      }
      case 6 -> {
        return new Tagged(value, read(depth + 1));
      }
      default -> throw malformed();
    }
  }

  private long value(int additional) throws BadSignature {
    if (additional < 24) {
      return additional;
    }
    if (additional > 27 || in.remaining() < 1 << additional - 24) {
      throw malformed();
    }
    int bytes = 1 << additional - 24;
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | in.get() & 0xff;
    }
    boolean shortest =
        switch (bytes) {
          case 1 -> value >= 24;
          case 2 -> value >= 1L << 8;
          case 4 -> value >= 1L << 16;
          default -> value >= 1L << 32;
        };
    if (!shortest) {
      // Which covers numbers beyond a long: they are negative here.
      throw malformed();
    }
    return value;
  }

  private byte[] bytes(long length) throws BadSignature {
    if (length > in.remaining()) {
      throw malformed();
    }
    byte[] bytes = new byte[(int) length];
    in.get(bytes);
    return bytes;
  }

  private static BadSignature malformed() {
    return new BadSignature("the statement is no CBOR of the form that statements have");
  }
}
