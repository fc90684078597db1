package dev.staithe.xml;

import org.jspecify.annotations.Nullable;

/** Text between tags, with what stands in CDATA sections (XML 1.0 sections 2.4 and 2.7). */
final class CharacterData {
  private static final byte[] SECTION = {'<', '!', '[', 'C', 'D', 'A', 'T', 'A', '['};

  private CharacterData() {}

  /**
   * Passes text up to the next tag or the end, and judges it.
   *
   * @param out where it is put; null for nowhere
   * @param canonical whether it is put escaped as canonical form says, else as it is meant
   * @return where it ends
   */
  static int read(byte[] b, int from, int stop, @Nullable Octets out, boolean canonical)
      throws XmlRefused {
    int p = from;
    int run = p;
    while (true) {
      while (p < stop && XmlBytes.is(b[p], XmlBytes.TEXT)) {
        p++;
      }
      if (p >= stop) {
        put(out, b, run, p);
        break;
      }
      byte c = b[p];
      if (c < 0) {
        p += XmlBytes.length(character(b, p, stop));
      } else if (c == '<') {
        put(out, b, run, p);
        if (!startsSection(b, p, stop)) {
          break;
        }
        p = section(b, p + 9, stop, out, canonical);
        run = p;
      } else if (c == '>') {
        if (canonical && out != null) {
          put(out, b, run, p);
          out.put("&gt;");
          run = p + 1;
        }
        p++;
      } else if (c == ']') {
        if (stop - p > 2 && b[p + 1] == ']' && b[p + 2] == '>') {
          throw XmlScanner.malformed("the end of a CDATA section in text");
        }
        p++;
      } else if (c == '&') {
        put(out, b, run, p);
        int reference = References.read(b, p, stop);
        if (out != null) {
          put(out, References.character(reference), canonical);
        }
        p += References.length(reference);
        run = p;
      } else if (c == '\r') {
        put(out, b, run, p);
        if (out != null) {
          out.put('\n');
        }
        p += stop - p > 1 && b[p + 1] == '\n' ? 2 : 1;
        run = p;
      } else {
        throw XmlScanner.malformed("a character that XML does not have");
      }
    }
    return p;
  }

  private static int section(byte[] b, int from, int end, @Nullable Octets out, boolean canonical)
      throws XmlRefused {
    int p = from;
    while (true) {
      if (p >= end) {
        throw XmlScanner.malformed("it ends within a CDATA section");
      }
      byte c = b[p];
      int length = 1;
      int character = c;
      if (c < 0) {
        character = character(b, p, end);
        length = XmlBytes.length(character);
      } else if (c == ']' && end - p > 2 && b[p + 1] == ']' && b[p + 2] == '>') {
        return p + 3;
      } else if (c == '\r') {
        character = '\n';
        length = end - p > 1 && b[p + 1] == '\n' ? 2 : 1;
      } else if (!XmlBytes.isCharacter(c)) {
        throw XmlScanner.malformed("a character that XML does not have");
      }
      if (out != null) {
        put(out, character, canonical);
      }
      p += length;
    }
  }

  private static void put(@Nullable Octets out, byte[] from, int start, int stop) {
    if (out != null && stop > start) {
      out.put(from, start, stop - start);
    }
  }

  private static void put(Octets out, int character, boolean canonical) {
    if (canonical && character == '<') {
      out.put("&lt;");
    } else if (canonical && character == '>') {
      out.put("&gt;");
    } else if (canonical && character == '&') {
      out.put("&amp;");
    } else if (canonical && character == '\r') {
      out.put("&#xD;");
    } else {
      out.putCodePoint(character);
    }
  }

  private static boolean startsSection(byte[] in, int at, int end) {
    if (end - at < SECTION.length) {
      return false;
    }
    // The first byte that differs is mostly the second.
    for (int i = 1; i < SECTION.length; i++) {
      if (in[at + i] != SECTION[i]) {
        return false;
      }
    }
    return true;
  }

  static int character(byte[] in, int at, int end) throws XmlRefused {
    int c = XmlBytes.decode(in, at, end);
    if (c < 0) {
      throw XmlScanner.malformed("not UTF-8, or a character that XML does not have");
    }
    return c;
  }
}
