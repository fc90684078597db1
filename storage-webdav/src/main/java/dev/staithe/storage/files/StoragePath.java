package dev.staithe.storage.files;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of the storage namespace: decoded segments, none of which is empty, {@code .}, {@code ..}
 * or reserved. It never holds a separator inside a segment, so comparing segments is comparing
 * names; nothing in the storage element compares paths as strings.
 *
 * <p>Immutable. The root is the path without segments.
 */
public final class StoragePath {
  /** Names beginning so belong to the storage element and are neither listed nor reachable. */
  public static final String RESERVED_PREFIX = ".staithe";

  /** Longest segment in UTF-8 bytes: NAME_MAX of every file system in use. */
  public static final int MAX_SEGMENT_BYTES = 255;

  /** Longest path in decoded characters. */
  public static final int MAX_PATH = 3072;

  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$()*+,;=:@";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();
  private static final StoragePath ROOT = new StoragePath(List.of(), true);

  private final List<String> segments;
  private final boolean collectionForm;

  private StoragePath(List<String> segments, boolean collectionForm) {
    this.segments = segments;
    this.collectionForm = collectionForm;
  }

  /** What came of reading a path. */
  public sealed interface Parsed {
    /** The path is usable. */
    record Valid(StoragePath path) implements Parsed {}

    /** The path is refused; {@code reason} is one line, safe to show to the caller. */
    record Invalid(String reason) implements Parsed {}
  }

  /** The root path. */
  public static StoragePath root() {
    return ROOT;
  }

  /**
   * Reads the path component of a URI as it came over the wire: percent-decoding once (RFC 3986
   * section 2.1), UTF-8 strictly, dot segments refused rather than resolved.
   *
   * @param rawPath begins with {@code /}, has neither query nor fragment
   */
  public static Parsed parse(String rawPath) {
    if (!rawPath.startsWith("/")) {
      return new Parsed.Invalid("the path does not begin with a slash");
    }
    List<String> segments = new ArrayList<>();
    int from = 1;
    int total = 0;
    while (from <= rawPath.length()) {
      int slash = rawPath.indexOf('/', from);
      int to = slash < 0 ? rawPath.length() : slash;
      if (to == from) {
        if (slash >= 0) {
          return new Parsed.Invalid("the path has an empty segment");
        }
        break;
      }
      String decoded = decode(rawPath, from, to);
      String problem = decoded == null ? "the path is not valid UTF-8" : problemOf(decoded);
      if (problem != null || decoded == null) {
        return new Parsed.Invalid(problem == null ? "the path is not valid UTF-8" : problem);
      }
      total += decoded.length() + 1;
      if (total > MAX_PATH) {
        return new Parsed.Invalid("the path is longer than " + MAX_PATH + " characters");
      }
      segments.add(decoded);
      from = to + 1;
    }
    return new Parsed.Valid(
        segments.isEmpty() ? ROOT : new StoragePath(List.copyOf(segments), rawPath.endsWith("/")));
  }

  /**
   * Reads a path written in a configuration or a token scope: not percent-encoded.
   *
   * @throws IllegalArgumentException with a one-line reason where it is no path
   */
  public static StoragePath of(String path) {
    if (path.equals("/")) {
      return ROOT;
    }
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("\"" + path + "\" does not begin with a slash");
    }
    List<String> segments = new ArrayList<>();
    boolean collection = path.endsWith("/");
    String body = collection ? path.substring(1, path.length() - 1) : path.substring(1);
    for (String segment : body.split("/", -1)) {
      String problem = segment.isEmpty() ? "the path has an empty segment" : problemOf(segment);
      if (problem != null) {
        throw new IllegalArgumentException("\"" + path + "\": " + problem);
      }
      segments.add(segment);
    }
    return new StoragePath(List.copyOf(segments), collection);
  }

  private static @Nullable String problemOf(String segment) {
    if (segment.equals(".") || segment.equals("..")) {
      return "the path has a dot segment";
    }
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '/' || c == 0) {
        return "the path has an encoded slash or NUL";
      }
      if (c < 0x20 || c == 0x7f) {
        return "the path has a control character";
      }
    }
    int bytes = utf8Length(segment);
    if (bytes < 0) {
      return "the path is not valid Unicode";
    }
    if (bytes > MAX_SEGMENT_BYTES) {
      return "a name is longer than " + MAX_SEGMENT_BYTES + " bytes";
    }
    if (isReserved(segment)) {
      return "the name begins with " + RESERVED_PREFIX + ", which is reserved";
    }
    return null;
  }

  /** Whether a name belongs to the storage element itself. */
  public static boolean isReserved(String name) {
    if (name.regionMatches(true, 0, RESERVED_PREFIX, 0, RESERVED_PREFIX.length())) {
      return true;
    }
    if (name.chars().allMatch(c -> c < 0x80)) {
      return false;
    }
    // Compatibility forms and invisible characters too: a file system that folds case or width must
    // not find the folder (ext4's casefold ignores what is invisible and spells ligatures out).
    StringBuilder visible = new StringBuilder(name.length());
    name.codePoints()
        .filter(
            c -> !Character.isIdentifierIgnorable(c) && Character.getType(c) != Character.FORMAT)
        .forEach(visible::appendCodePoint);
    return Normalizer.normalize(visible, Normalizer.Form.NFKC)
        .regionMatches(true, 0, RESERVED_PREFIX, 0, RESERVED_PREFIX.length());
  }

  private static int utf8Length(String text) {
    try {
      return StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .encode(CharBuffer.wrap(text))
          .remaining();
    } catch (CharacterCodingException unpairedSurrogate) {
      return -1;
    }
  }

  private static @Nullable String decode(String raw, int from, int to) {
    boolean plain = true;
    for (int i = from; i < to && plain; i++) {
      char c = raw.charAt(i);
      plain = c != '%' && c < 0x80;
    }
    if (plain) {
      return raw.substring(from, to);
    }
    byte[] bytes = new byte[(to - from) * 3];
    int n = 0;
    for (int i = from; i < to; i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        // HexFormat, because Character.digit takes the digits of every script.
        if (i + 2 >= to
            || !HexFormat.isHexDigit(raw.charAt(i + 1))
            || !HexFormat.isHexDigit(raw.charAt(i + 2))) {
          return null;
        }
        bytes[n++] = (byte) HexFormat.fromHexDigits(raw, i + 1, i + 3);
        i += 2;
      } else if (c < 0x80) {
        bytes[n++] = (byte) c;
      } else if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 >= to
            || !Character.isLowSurrogate(raw.charAt(i + 1))) {
          return null;
        }
        byte[] pair = raw.substring(i, i + 2).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(pair, 0, bytes, n, pair.length);
        n += pair.length;
        i++;
      } else {
        byte[] encoded = String.valueOf(c).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(encoded, 0, bytes, n, encoded.length);
        n += encoded.length;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, 0, n))
          .toString();
    } catch (CharacterCodingException malformed) {
      return null;
    }
  }

  /** The decoded names, outermost first. */
  public List<String> segments() {
    return segments;
  }

  /** Whether the path was written with a trailing slash (always so for the root). */
  public boolean collectionForm() {
    return collectionForm;
  }

  /** Whether this is the root. */
  public boolean isRoot() {
    return segments.isEmpty();
  }

  /** The last name, or the empty string for the root. */
  public String name() {
    return segments.isEmpty() ? "" : segments.getLast();
  }

  /** The enclosing collection; the root is its own parent. */
  public StoragePath parent() {
    return segments.size() <= 1
        ? ROOT
        : new StoragePath(segments.subList(0, segments.size() - 1), true);
  }

  /**
   * The member {@code name} of this collection.
   *
   * @throws IllegalArgumentException where the name is none
   */
  public StoragePath child(String name) {
    String problem = name.isEmpty() ? "the name is empty" : problemOf(name);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    List<String> longer = new ArrayList<>(segments.size() + 1);
    longer.addAll(segments);
    longer.add(name);
    return new StoragePath(List.copyOf(longer), false);
  }

  /** This path below {@code prefix}: the segments of both, with this path's form. */
  public StoragePath under(StoragePath prefix) {
    if (prefix.isRoot()) {
      return this;
    }
    List<String> joined = new ArrayList<>(prefix.segments);
    joined.addAll(segments);
    return new StoragePath(List.copyOf(joined), collectionForm);
  }

  /** Whether {@code prefix} is this path or one of its ancestors, compared by whole segments. */
  public boolean startsWith(StoragePath prefix) {
    return segments.size() >= prefix.segments.size()
        && segments.subList(0, prefix.segments.size()).equals(prefix.segments);
  }

  /** What is left after the first {@code count} segments. */
  public StoragePath without(int count) {
    return count == segments.size()
        ? ROOT
        : new StoragePath(segments.subList(count, segments.size()), collectionForm);
  }

  /** The same path with or without a trailing slash; the root always has one. */
  public StoragePath asCollection(boolean collection) {
    return collection == collectionForm || isRoot() ? this : new StoragePath(segments, collection);
  }

  /** The path as it stands in a URI: percent-encoded, with a trailing slash where it has one. */
  public String href() {
    StringBuilder out = new StringBuilder(64);
    for (String segment : segments) {
      out.append('/');
      for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
        if (b > 0 && UNRESERVED.indexOf(b) >= 0) {
          out.append((char) b);
        } else {
          out.append('%').append(HEX[b >> 4 & 15]).append(HEX[b & 15]);
        }
      }
    }
    if (collectionForm) {
      out.append('/');
    }
    return out.toString();
  }

  /** Two paths are equal where their segments are; the trailing slash does not count. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoragePath path && segments.equals(path.segments);
  }

  @Override
  public int hashCode() {
    return segments.hashCode();
  }

  /** The decoded path, for logs. */
  @Override
  public String toString() {
    return "/" + String.join("/", segments) + (collectionForm && !isRoot() ? "/" : "");
  }
}
