package dev.staithe.xml;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The namespace declarations in force at one place of a document (Namespaces in XML 1.0). It keeps
 * its own copies of prefixes and names, so it outlives the document's bytes, and content that was
 * encrypted is read in the scope of what surrounds it. For one thread at a time.
 */
public final class NamespaceScope {
  /** The number of no namespace. */
  public static final int NONE = 0;

  /**
   * Declarations in force at one place, the shadowed ones too, before a document is refused. Each
   * name is looked up among them; nobody writes more than a few dozen.
   */
  static final int MOST = 512;

  /** The number of the namespace of {@code xml:}. */
  static final int XML = -1;

  private static final byte[] XML_PREFIX = {'x', 'm', 'l'};
  static final byte[] XML_NAMESPACE =
      "http://www.w3.org/XML/1998/namespace".getBytes(StandardCharsets.US_ASCII);

  private final ByteNames known;
  byte[] store = new byte[1024];
  int[] prefixAt = new int[32];
  int[] prefixLength = new int[32];
  int[] prefixKey = new int[32];
  int[] nameAt = new int[32];
  int[] nameLength = new int[32];
  int[] number = new int[32];
  private int[] shadowed = new int[32];
  int count;
  int fallback = -1;
  private int stored;

  /**
   * A scope with nothing but {@code xml:}.
   *
   * @param known namespaces that have the same number in every scope: their place there
   */
  public NamespaceScope(ByteNames known) {
    this.known = known;
    clear();
  }

  /** Forgets all declarations. */
  void clear() {
    count = 0;
    stored = 0;
    fallback = -1;
    add(XML_PREFIX, 0, 3, key(XML_PREFIX, 0, 3), XML_NAMESPACE, 0, XML_NAMESPACE.length);
  }

  /** Takes over all of another's. */
  public void set(NamespaceScope other) {
    if (prefixAt.length < other.count) {
      resize(other.prefixAt.length);
    }
    if (store.length < other.stored) {
      store = new byte[other.store.length];
    }
    count = other.count;
    stored = other.stored;
    fallback = other.fallback;
    System.arraycopy(other.store, 0, store, 0, stored);
    System.arraycopy(other.prefixAt, 0, prefixAt, 0, count);
    System.arraycopy(other.prefixLength, 0, prefixLength, 0, count);
    System.arraycopy(other.prefixKey, 0, prefixKey, 0, count);
    System.arraycopy(other.nameAt, 0, nameAt, 0, count);
    System.arraycopy(other.nameLength, 0, nameLength, 0, count);
    System.arraycopy(other.number, 0, number, 0, count);
    System.arraycopy(other.shadowed, 0, shadowed, 0, count);
  }

  /** Adds a declaration; an empty prefix is the default namespace's. */
  void add(byte[] in, int prefix, int length, int key, byte[] name, int nameFrom, int nameTo) {
    if (count == prefixAt.length) {
      resize(2 * count);
    }
    int size = nameTo - nameFrom;
    if (store.length - stored < length + size) {
      store = Arrays.copyOf(store, Math.max(2 * store.length, stored + length + size));
    }
    int at = count;
    System.arraycopy(in, prefix, store, stored, length);
    prefixAt[at] = stored;
    prefixLength[at] = length;
    prefixKey[at] = key;
    stored += length;
    System.arraycopy(name, nameFrom, store, stored, size);
    nameAt[at] = stored;
    nameLength[at] = size;
    stored += size;
    number[at] = numberOf(at);
    if (length == 0) {
      shadowed[at] = fallback;
      fallback = at;
    }
    count++;
  }

  /** Forgets the declarations after the first so many. */
  void truncate(int mark) {
    while (count > mark) {
      count--;
      stored = prefixAt[count];
      if (prefixLength[count] == 0) {
        fallback = shadowed[count];
      }
    }
  }

  /** The place of the declaration in force; -1 for none. */
  int find(byte[] in, int prefix, int length, int key) {
    for (int i = count - 1; i >= 0; i--) {
      if (prefixKey[i] == key && prefixLength[i] == length && same(i, in, prefix, length)) {
        return i;
      }
    }
    return -1;
  }

  /** The place of the declaration in force of a prefix; -1 for none. */
  int find(byte[] prefix) {
    return prefix.length == 0
        ? fallback
        : find(prefix, 0, prefix.length, key(prefix, 0, prefix.length));
  }

  /** Whether the declaration at a place is that of a prefix. */
  boolean declares(int place, byte[] prefix) {
    int at = prefixAt[place];
    return prefixLength[place] == prefix.length
        && Arrays.equals(store, at, at + prefix.length, prefix, 0, prefix.length);
  }

  /** The namespace's number at a place; that of none for none. */
  int numberAt(int place) {
    return place < 0 ? NONE : number[place];
  }

  /** The namespace's name at a place; empty for none. */
  String nameAt(int place) {
    if (place < 0 || number[place] == NONE) {
      return "";
    }
    return number[place] > 0
        ? known.name(number[place])
        : new String(store, nameAt[place], nameLength[place], StandardCharsets.UTF_8);
  }

  /**
   * The namespace that a prefix stands for.
   *
   * @param prefix empty for the default namespace
   * @return empty where it stands for none
   */
  public String namespace(String prefix) {
    return nameAt(find(prefix.getBytes(StandardCharsets.UTF_8)));
  }

  /** A number of a prefix that tells short ones apart. */
  static int key(byte[] in, int at, int length) {
    int key = length << 24;
    if (length > 0) {
      key |= (in[at] & 0xff) << 16;
    }
    if (length > 1) {
      key |= (in[at + 1] & 0xff) << 8;
    }
    if (length > 2) {
      key |= in[at + length - 1] & 0xff;
    }
    return key;
  }

  private boolean same(int place, byte[] in, int prefix, int length) {
    int at = prefixAt[place];
    // The key has compared the first two and the last.
    for (int i = 2; i < length - 1; i++) {
      if (store[at + i] != in[prefix + i]) {
        return false;
      }
    }
    return true;
  }

  private int numberOf(int place) {
    int from = nameAt[place];
    int length = nameLength[place];
    if (length == 0) {
      return NONE;
    }
    int place0 = known.find(store, from, from + length);
    if (place0 > 0) {
      return place0;
    }
    for (int i = 0; i < place; i++) {
      if (nameLength[i] == length
          && Arrays.equals(store, from, from + length, store, nameAt[i], nameAt[i] + length)) {
        return number[i];
      }
    }
    return -place - 1;
  }

  private void resize(int size) {
    prefixAt = Arrays.copyOf(prefixAt, size);
    prefixLength = Arrays.copyOf(prefixLength, size);
    prefixKey = Arrays.copyOf(prefixKey, size);
    nameAt = Arrays.copyOf(nameAt, size);
    nameLength = Arrays.copyOf(nameLength, size);
    number = Arrays.copyOf(number, size);
    shadowed = Arrays.copyOf(shadowed, size);
  }
}
