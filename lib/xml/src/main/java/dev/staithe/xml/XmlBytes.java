package dev.staithe.xml;

/** Which bytes are what in XML 1.0, in UTF-8. */
final class XmlBytes {
  /** May stand in text as it is, and is the same in canonical form. */
  static final byte TEXT = 1;

  /** May stand in an attribute as it is, and is the same when normalized and in canonical form. */
  static final byte VALUE = 2;

  /** May stand in a name. */
  static final byte NAME = 4;

  /** May begin a name. */
  static final byte BEGIN = 8;

  /** White space. */
  static final byte SPACE = 16;

  private static final byte[] KINDS = kinds();

  private XmlBytes() {}

  static boolean is(byte octet, byte kind) {
    return (KINDS[octet & 0xff] & kind) != 0;
  }

  /**
   * Reads a character of more than one byte.
   *
   * @return the code point, or -1 where there is none that XML has (section 2.2)
   */
  static int decode(byte[] in, int at, int end) {
    int first = in[at] & 0xff;
    if (first < 0xC2 || first > 0xF4) {
      return -1;
    }
    int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (end - at <= more) {
      return -1;
    }
    int c = first & 0x3F >> more;
    for (int i = 1; i <= more; i++) {
      int next = in[at + i];
      if ((next & 0xC0) != 0x80) {
        return -1;
      }
      c = c << 6 | next & 0x3F;
    }
    boolean shortest = more == 1 || c >= (more == 2 ? 0x800 : 0x10000);
    return shortest && isCharacter(c) ? c : -1;
  }

  /** How many bytes a code point takes. */
  static int length(int c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  }

  static boolean isCharacter(int c) {
    return c >= 0x20
        ? c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
        : c == '\t' || c == '\n' || c == '\r';
  }

  /** Section 2.3 of the fifth edition, beyond ASCII. */
  static boolean beginsName(int c) {
    return c >= 0xC0 && c <= 0x2FF && c != 0xD7 && c != 0xF7
        || c >= 0x370 && c <= 0x1FFF && c != 0x37E
        || c == 0x200C
        || c == 0x200D
        || c >= 0x2070 && c <= 0x218F
        || c >= 0x2C00 && c <= 0x2FEF
        || c >= 0x3001 && c <= 0xD7FF
        || c >= 0xF900 && c <= 0xFDCF
        || c >= 0xFDF0 && c <= 0xFFFD
        || c >= 0x10000 && c <= 0xEFFFF;
  }

  static boolean continuesName(int c) {
    return beginsName(c) || c == 0xB7 || c >= 0x300 && c <= 0x36F || c == 0x203F || c == 0x2040;
  }

  private static byte[] kinds() {
    byte[] kinds = new byte[256];
    for (int c = 0x20; c < 0x80; c++) {
      byte kind = 0;
      // The bracket may begin what must not stand in text.
      if (c != '<' && c != '&' && c != '>' && c != ']') {
        kind |= TEXT;
      }
      if (c != '<' && c != '&' && c != '"' && c != '\'') {
        kind |= VALUE;
      }
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
      if (letter) {
        kind |= NAME | BEGIN;
      }
      if (c >= '0' && c <= '9' || c == '-' || c == '.') {
        kind |= NAME;
      }
      kinds[c] = kind;
    }
    kinds[' '] |= SPACE;
    kinds['\t'] = TEXT | SPACE;
    kinds['\n'] = TEXT | SPACE;
    kinds['\r'] = SPACE;
    return kinds;
  }
}
