package dev.staithe.xml;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that are put one after the other; grows. Reused, so for one thread at a time. */
public final class Octets {
  private static final int SHORT = 24;

  private byte[] array;
  private int size;

  /** Empty, with room for so many bytes at first. */
  public Octets(int room) {
    array = new byte[Math.max(room, 16)];
  }

  /** What holds them: valid up to {@link #size()} and until more is put. */
  public byte[] array() {
    return array;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Forgets all, and gives back room beyond a megabyte. */
  public void clear() {
    size = 0;
    if (array.length > 1 << 20) {
      array = new byte[1 << 14];
    }
  }

  /** Overwrites what was there, for secrets and what was decrypted, and forgets it. */
  public void wipe() {
    Arrays.fill(array, 0, size, (byte) 0);
    clear();
  }

  /** Forgets what was put after the first so many. */
  public void truncate(int length) {
    if (length > size) {
      throw new IllegalArgumentException("longer than it is");
    }
    size = length;
  }

  /** Puts one byte. */
  public void put(int octet) {
    if (size == array.length) {
      grow(1);
    }
    array[size++] = (byte) octet;
  }

  /** Puts all of an array. */
  public void put(byte[] from) {
    put(from, 0, from.length);
  }

  /** Puts a part of an array. */
  public void put(byte[] from, int at, int length) {
    if (length > array.length - size) {
      grow(length);
    }
    System.arraycopy(from, at, array, size, length);
    size += length;
  }

  /** Puts a text in UTF-8; of Latin letters at best. */
  public void put(String text) {
    int length = text.length();
    if (length > SHORT) {
      // The Java runtime copies what is of Latin letters at once.
      put(text.getBytes(StandardCharsets.UTF_8));
      return;
    }
    if (length > array.length - size) {
      grow(length);
    }
    byte[] to = array;
    int at = size;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        put(text.getBytes(StandardCharsets.UTF_8));
        return;
      }
      to[at + i] = (byte) c;
    }
    size = at + length;
  }

  /** Puts a code point in UTF-8. */
  void putCodePoint(int c) {
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xC0 | c >> 6);
      put(0x80 | c & 0x3F);
    } else if (c < 0x10000) {
      put(0xE0 | c >> 12);
      put(0x80 | c >> 6 & 0x3F);
      put(0x80 | c & 0x3F);
    } else {
      put(0xF0 | c >> 18);
      put(0x80 | c >> 12 & 0x3F);
      put(0x80 | c >> 6 & 0x3F);
      put(0x80 | c & 0x3F);
    }
  }

  /** Makes room that {@link #array()} has from {@link #size()} on. */
  public void reserve(int length) {
    if (length > array.length - size) {
      grow(length);
    }
  }

  /** Counts bytes that were written into reserved room. */
  public void advance(int length) {
    if (length < 0 || length > array.length - size) {
      throw new IllegalArgumentException("beyond what was reserved");
    }
    size += length;
  }

  /** A copy. */
  public byte[] toByteArray() {
    return Arrays.copyOf(array, size);
  }

  /** A copy of a part. */
  public byte[] toByteArray(int from, int to) {
    return Arrays.copyOfRange(array, from, to);
  }

  private void grow(int more) {
    int wanted = Math.addExact(size, more);
    array = Arrays.copyOf(array, Math.max(wanted, (int) Math.min(2L * array.length, 0x7ffffff0)));
  }
}
