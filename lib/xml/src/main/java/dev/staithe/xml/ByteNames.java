package dev.staithe.xml;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A fixed set of names that are recognized in bytes, so that no text is made of them. Immutable and
 * thread-safe.
 */
public final class ByteNames {
  private final String[] names;
  private final byte[][] bytes;
  private final int[] table;
  private final int mask;

  /** The names; each is known by its place, the first by one. */
  public ByteNames(List<String> names) {
    this.names = names.toArray(String[]::new);
    this.bytes = new byte[this.names.length][];
    int size = Integer.highestOneBit(Math.max(this.names.length, 4)) << 2;
    this.table = new int[size];
    this.mask = size - 1;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = this.names[i].getBytes(StandardCharsets.UTF_8);
      int at = hash(bytes[i], 0, bytes[i].length) & mask;
      while (table[at] != 0) {
        at = at + 1 & mask;
      }
      table[at] = i + 1;
    }
  }

  /** The place of a name, from one on; zero where it is not among them. */
  public int find(byte[] in, int from, int to) {
    int at = hash(in, from, to) & mask;
    while (table[at] != 0) {
      byte[] name = bytes[table[at] - 1];
      if (same(name, in, from, to)) {
        return table[at];
      }
      at = at + 1 & mask;
    }
    return 0;
  }

  /** The name at a place that {@link #find} gave. */
  public String name(int place) {
    return names[place - 1];
  }

  static boolean same(byte[] name, byte[] in, int from, int to) {
    if (name.length != to - from) {
      return false;
    }
    // Names of one specification begin alike, so the end is looked at first.
    for (int i = name.length - 1; i >= 0; i--) {
      if (name[i] != in[from + i]) {
        return false;
      }
    }
    return true;
  }

  private static int hash(byte[] in, int from, int to) {
    // Length and the last bytes tell the names apart well enough; the set is fixed, and small.
    int hash = to - from;
    for (int i = Math.max(from, to - 12); i < to; i++) {
      hash = hash * 31 + in[i];
    }
    return hash ^ hash >>> 15;
  }
}
