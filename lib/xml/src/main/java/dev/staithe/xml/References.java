package dev.staithe.xml;

import dev.staithe.xml.XmlRefused.Kind;

/** References to characters: by number, and the five that need no declaration (XML 1.0, 4.6). */
final class References {
  private References() {}

  /** Reads one that begins at an ampersand: its character and how long it is, in one number. */
  static int read(byte[] in, int at, int end) throws XmlRefused {
    int p = at + 1;
    if (p < end && in[p] == '#') {
      return numbered(in, at, end);
    }
    while (p < end && p - at < 8 && in[p] != ';') {
      p++;
    }
    if (p >= end || in[p] != ';') {
      throw XmlScanner.malformed("an ampersand that begins no reference");
    }
    int length = p + 1 - at;
    int character =
        is(in, at, length, "lt")
            ? '<'
            : is(in, at, length, "gt")
                ? '>'
                : is(in, at, length, "amp")
                    ? '&'
                    : is(in, at, length, "quot") ? '"' : is(in, at, length, "apos") ? '\'' : -1;
    if (character < 0) {
      throw new XmlRefused(
          Kind.FORBIDDEN, "document type declarations and entities are not accepted");
    }
    return length << 21 | character;
  }

  static int character(int reference) {
    return reference & 0x1FFFFF;
  }

  static int length(int reference) {
    return reference >>> 21;
  }

  private static int numbered(byte[] in, int at, int end) throws XmlRefused {
    int p = at + 2;
    boolean hexadecimal = p < end && in[p] == 'x';
    if (hexadecimal) {
      p++;
    }
    int digits = p;
    int character = 0;
    // No more zeros in front than anybody writes, so that the length fits beside the character.
    while (p < end && p - at < 500 && in[p] != ';') {
      int digit = in[p] < 0 ? -1 : Character.digit(in[p], hexadecimal ? 16 : 10);
      character =
          digit < 0 || character > 0x10FFFF
              ? 0x7fffff
              : character * (hexadecimal ? 16 : 10) + digit;
      p++;
    }
    if (p >= end || in[p] != ';' || p == digits || !XmlBytes.isCharacter(character)) {
      throw XmlScanner.malformed("a reference to no character that XML has");
    }
    return p + 1 - at << 21 | character;
  }

  private static boolean is(byte[] in, int at, int length, String name) {
    if (length != name.length() + 2) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (in[at + 1 + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
