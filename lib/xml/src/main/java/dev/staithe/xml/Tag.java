package dev.staithe.xml;

import dev.staithe.xml.XmlRefused.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The start of an element as {@link XmlScanner} reads it: its attributes, by their place. */
public final class Tag {
  private static final byte[] XMLNS = {'x', 'm', 'l', 'n', 's'};
  private static final byte[] XMLNS_NAMESPACE =
      "http://www.w3.org/2000/xmlns/".getBytes(StandardCharsets.US_ASCII);

  XmlLimits limits = XmlLimits.ofBytes(Integer.MAX_VALUE);
  private @Nullable Set<String> identifiers;
  private int utility;
  boolean ambiguous;
  boolean crowded;
  private byte[] in = XmlScanner.NOTHING;
  private final Octets decoded = new Octets(256);
  int nameLength;
  int prefixLength;
  int place;
  int number;
  boolean empty;
  boolean unusual;
  private int colon;
  private int count;
  private int declarations;
  int[] nameAt = new int[16];
  int[] nameEnd = new int[16];
  int[] prefix = new int[16];
  int[] namespaceAt = new int[16];
  int[] valueAt = new int[16];
  int[] valueEnd = new int[16];
  // Bit 0: the value is in the decoded bytes; bit 1: it must be escaped.
  private byte[] state = new byte[16];

  Tag() {}

  void identify(@Nullable Set<String> into, int utilityNamespace) {
    identifiers = into;
    utility = utilityNamespace;
    ambiguous = false;
    crowded = false;
  }

  void forget() {
    in = XmlScanner.NOTHING;
    decoded.clear();
    count = 0;
  }

  /** Reads from the name on to after the tag, and takes its declarations into the scope. */
  int read(byte[] bytes, int at, int end, NamespaceScope scope) throws XmlRefused {
    in = bytes;
    decoded.clear();
    count = 0;
    declarations = 0;
    unusual = false;
    int p = name(at, end);
    nameLength = p - at;
    prefixLength = colon < 0 ? 0 : colon - at;
    while (true) {
      int spaces = p;
      while (p < end && XmlBytes.is(in[p], XmlBytes.SPACE)) {
        p++;
      }
      if (p >= end) {
        throw XmlScanner.malformed("it ends within a tag");
      }
      byte c = in[p];
      if (c == '>') {
        empty = false;
        p++;
        break;
      }
      if (c == '/') {
        if (p + 1 >= end || in[p + 1] != '>') {
          throw XmlScanner.malformed("a stroke within a tag");
        }
        empty = true;
        p += 2;
        break;
      }
      if (p == spaces) {
        throw XmlScanner.malformed("no space before an attribute");
      }
      p = attribute(p, end, scope);
    }
    place = resolve(at, prefixLength, scope);
    number = scope.numberAt(place);
    resolveAttributes(scope);
    if (identifiers != null) {
      for (int i = 0; i < count; i++) {
        if (isIdentifier(i, scope)) {
          put(value(i), identifiers);
        }
      }
    }
    return p;
  }

  private void put(String identifier, Set<String> into) {
    if (into.size() == XmlLimits.IDENTIFIERS) {
      crowded = true;
    } else if (!into.add(identifier)) {
      ambiguous = true;
    }
  }

  private boolean isIdentifier(int attribute, NamespaceScope scope) {
    int at = localAt(attribute);
    if (nameEnd[attribute] - at != 2) {
      return false;
    }
    byte first = in[at];
    byte second = in[at + 1];
    int namespace = scope.numberAt(namespaceAt[attribute]);
    if (first == 'I') {
      return second == 'd'
          ? namespace == NamespaceScope.NONE || namespace == utility
          : second == 'D' && namespace == NamespaceScope.NONE;
    }
    return first == 'i' && second == 'd' && namespace == NamespaceScope.XML;
  }

  /**
   * The identifier of the element, by whichever attribute is one.
   *
   * @return null for none; what nothing can refer to where there are several
   */
  public @Nullable String identifier(NamespaceScope scope) {
    String found = null;
    for (int i = 0; i < count; i++) {
      if (isIdentifier(i, scope)) {
        found = found == null ? value(i) : "\0";
      }
    }
    return found;
  }

  private int attribute(int at, int end, NamespaceScope scope) throws XmlRefused {
    if (count + declarations >= limits.attributes()) {
      throw new XmlRefused(
          Kind.OVER_LIMIT, "attributes beyond the limit of " + limits.attributes());
    }
    int p = name(at, end);
    int nameStop = p;
    int nameColon = colon;
    while (p < end && XmlBytes.is(in[p], XmlBytes.SPACE)) {
      p++;
    }
    if (p >= end || in[p] != '=') {
      throw XmlScanner.malformed("an attribute without a value");
    }
    p++;
    while (p < end && XmlBytes.is(in[p], XmlBytes.SPACE)) {
      p++;
    }
    if (p >= end || in[p] != '"' && in[p] != '\'') {
      throw XmlScanner.malformed("a value without quotes");
    }
    if (count == nameAt.length) {
      widen();
    }
    p = value(p + 1, end, in[p]);
    boolean plain = nameColon < 0 && ByteNames.same(XMLNS, in, at, nameStop);
    if (plain || nameColon >= 0 && ByteNames.same(XMLNS, in, at, nameColon)) {
      declare(plain ? nameStop : nameColon + 1, nameStop, scope);
      declarations++;
      return p;
    }
    for (int i = 0; i < count; i++) {
      if (nameEnd[i] - nameAt[i] == nameStop - at
          && Arrays.equals(in, nameAt[i], nameEnd[i], in, at, nameStop)) {
        throw XmlScanner.malformed("an attribute twice");
      }
    }
    nameAt[count] = at;
    nameEnd[count] = nameStop;
    prefix[count] = nameColon < 0 ? 0 : nameColon - at;
    count++;
    return p;
  }

  /** Namespaces in XML 1.0 section 3: what may be declared. */
  private void declare(int from, int to, NamespaceScope scope) throws XmlRefused {
    byte[] value = (state[count] & 1) == 0 ? in : decoded.array();
    int start = valueAt[count];
    int stop = valueEnd[count];
    int length = to - from;
    int key = NamespaceScope.key(in, from, length);
    boolean xml = length == 3 && in[from] == 'x' && in[from + 1] == 'm' && in[from + 2] == 'l';
    boolean toXml = ByteNames.same(NamespaceScope.XML_NAMESPACE, value, start, stop);
    if (xml != toXml
        || ByteNames.same(XMLNS, in, from, to)
        || ByteNames.same(XMLNS_NAMESPACE, value, start, stop)
        || length > 0 && start == stop) {
      throw XmlScanner.malformed("a namespace that must not be declared so");
    }
    for (int i = scope.count - 1; i >= scope.count - declarations && i > 0; i--) {
      if (scope.prefixKey[i] == key && scope.find(in, from, length, key) == i) {
        throw XmlScanner.malformed("an attribute twice");
      }
    }
    if (stop - start > limits.nameLength()) {
      throw new XmlRefused(Kind.OVER_LIMIT, "namespace beyond the limit of " + limits.nameLength());
    }
    // The first is that of xml.
    if (scope.count > NamespaceScope.MOST) {
      throw new XmlRefused(
          Kind.OVER_LIMIT, "declarations of namespaces beyond the limit of " + NamespaceScope.MOST);
    }
    // Also for xml itself, so that what is declared here can be counted; it is never written.
    scope.add(in, from, length, key, value, start, stop);
  }

  private int resolve(int at, int length, NamespaceScope scope) throws XmlRefused {
    if (length == 0) {
      return scope.fallback;
    }
    int found = scope.find(in, at, length, NamespaceScope.key(in, at, length));
    if (found < 0) {
      throw XmlScanner.malformed("a prefix that is not declared");
    }
    return found;
  }

  private void resolveAttributes(NamespaceScope scope) throws XmlRefused {
    for (int i = 0; i < count; i++) {
      if (prefix[i] == 0) {
        namespaceAt[i] = -1;
        continue;
      }
      namespaceAt[i] = resolve(nameAt[i], prefix[i], scope);
      for (int j = 0; j < i; j++) {
        if (prefix[j] > 0
            && scope.number[namespaceAt[j]] == scope.number[namespaceAt[i]]
            && Arrays.equals(in, localAt(i), nameEnd[i], in, localAt(j), nameEnd[j])) {
          throw XmlScanner.malformed("an attribute twice");
        }
      }
    }
  }

  /** Passes a name with at most one colon within, and remembers where that is. */
  private int name(int at, int end) throws XmlRefused {
    int p = at;
    int first = at;
    colon = -1;
    while (true) {
      while (p < end && XmlBytes.is(in[p], XmlBytes.NAME)) {
        p++;
      }
      if (p >= end) {
        throw XmlScanner.malformed("it ends within a tag");
      }
      if (in[p] == ':' && colon < 0 && p > first) {
        begins(first, end);
        colon = p;
        first = ++p;
      } else if (in[p] < 0) {
        int c = XmlBytes.decode(in, p, end);
        if (c < 0 || !XmlBytes.continuesName(c)) {
          throw XmlScanner.malformed("a character that is not of names");
        }
        unusual = true;
        p += XmlBytes.length(c);
      } else {
        break;
      }
    }
    if (p == first) {
      throw XmlScanner.malformed("no name where one is due");
    }
    begins(first, end);
    if (p - at > limits.nameLength()) {
      throw new XmlRefused(Kind.OVER_LIMIT, "name beyond the limit of " + limits.nameLength());
    }
    return p;
  }

  private void begins(int at, int end) throws XmlRefused {
    if (!XmlBytes.is(in[at], XmlBytes.BEGIN)
        && (in[at] >= 0 || !XmlBytes.beginsName(XmlBytes.decode(in, at, end)))) {
      throw XmlScanner.malformed("a character that begins no name");
    }
  }

  /** Passes a value, and decodes it where it is not meant as it stands (XML 1.0 section 3.3.3). */
  private int value(int from, int end, byte quote) throws XmlRefused {
    int p = from;
    boolean escape = false;
    while (true) {
      while (p < end && XmlBytes.is(in[p], XmlBytes.VALUE)) {
        p++;
      }
      if (p >= end) {
        throw XmlScanner.malformed("it ends within a tag");
      }
      byte c = in[p];
      if (c == quote) {
        break;
      } else if (c == '"' || c == '\'') {
        escape |= c == '"';
        p++;
      } else if (c < 0) {
        int character = XmlBytes.decode(in, p, end);
        if (character < 0) {
          throw XmlScanner.malformed("not UTF-8, or a character that XML does not have");
        }
        p += XmlBytes.length(character);
      } else {
        return decode(from, p, end, quote);
      }
    }
    valueAt[count] = from;
    valueEnd[count] = p;
    state[count] = (byte) (escape ? 2 : 0);
    if (p - from > limits.textLength()) {
      throw new XmlRefused(
          Kind.OVER_LIMIT, "attribute value beyond the limit of " + limits.textLength());
    }
    return p + 1;
  }

  private int decode(int from, int special, int end, byte quote) throws XmlRefused {
    int start = decoded.size();
    decoded.put(in, from, special - from);
    int p = special;
    while (true) {
      if (p >= end) {
        throw XmlScanner.malformed("it ends within a tag");
      }
      byte c = in[p];
      if (c == quote) {
        break;
      } else if (c == '<') {
        throw XmlScanner.malformed("a tag within a value");
      } else if (c == '&') {
        int reference = References.read(in, p, end);
        decoded.putCodePoint(References.character(reference));
        p += References.length(reference);
      } else if (XmlBytes.is(c, XmlBytes.SPACE)) {
        decoded.put(' ');
        p += c == '\r' && p + 1 < end && in[p + 1] == '\n' ? 2 : 1;
      } else {
        int character = c < 0 ? XmlBytes.decode(in, p, end) : c;
        if (character < 0 || !XmlBytes.isCharacter(character)) {
          throw XmlScanner.malformed("not UTF-8, or a character that XML does not have");
        }
        decoded.putCodePoint(character);
        p += XmlBytes.length(character);
      }
    }
    valueAt[count] = start;
    valueEnd[count] = decoded.size();
    state[count] = 3;
    if (decoded.size() - start > limits.textLength()) {
      throw new XmlRefused(
          Kind.OVER_LIMIT, "attribute value beyond the limit of " + limits.textLength());
    }
    return p + 1;
  }

  /** How many attributes there are; declarations of namespaces are none. */
  public int count() {
    return count;
  }

  /** How many namespaces are declared. */
  public int declarations() {
    return declarations;
  }

  /** The place of the attribute of a local name in no namespace, or -1. */
  public int find(byte[] localName) {
    for (int i = 0; i < count; i++) {
      if (prefix[i] == 0 && ByteNames.same(localName, in, nameAt[i], nameEnd[i])) {
        return i;
      }
    }
    return -1;
  }

  /** Whether an attribute has a local name, whatever its namespace. */
  public boolean hasLocalName(int attribute, byte[] localName) {
    return ByteNames.same(localName, in, localAt(attribute), nameEnd[attribute]);
  }

  /** Whether an attribute has a prefix. */
  public boolean hasPrefix(int attribute) {
    return prefix[attribute] > 0;
  }

  /** The number of an attribute's namespace. */
  public int namespace(int attribute, NamespaceScope scope) {
    return scope.numberAt(namespaceAt[attribute]);
  }

  /** The bytes that a value is in, from {@link #valueAt} to {@link #valueEnd}. */
  public byte[] valueIn(int attribute) {
    return (state[attribute] & 1) == 0 ? in : decoded.array();
  }

  /** Where a value begins. */
  public int valueAt(int attribute) {
    return valueAt[attribute];
  }

  /** Where a value ends. */
  public int valueEnd(int attribute) {
    return valueEnd[attribute];
  }

  /** A value. */
  public String value(int attribute) {
    return new String(
        valueIn(attribute),
        valueAt[attribute],
        valueEnd[attribute] - valueAt[attribute],
        StandardCharsets.UTF_8);
  }

  /** Whether a value holds what canonical form escapes. */
  boolean mustEscape(int attribute) {
    return (state[attribute] & 2) != 0;
  }

  int localAt(int attribute) {
    return nameAt[attribute] + prefix[attribute] + (prefix[attribute] == 0 ? 0 : 1);
  }

  private void widen() {
    int size = 2 * nameAt.length;
    nameAt = Arrays.copyOf(nameAt, size);
    nameEnd = Arrays.copyOf(nameEnd, size);
    prefix = Arrays.copyOf(prefix, size);
    namespaceAt = Arrays.copyOf(namespaceAt, size);
    valueAt = Arrays.copyOf(valueAt, size);
    valueEnd = Arrays.copyOf(valueEnd, size);
    state = Arrays.copyOf(state, size);
  }
}
