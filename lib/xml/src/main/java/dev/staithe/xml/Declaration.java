package dev.staithe.xml;

import dev.staithe.xml.XmlRefused.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How a document begins: its encoding and its declaration (XML 1.0 section 2.8). */
final class Declaration {
  // Java's own space is also a vertical tab and a form feed, which XML does not have.
  private static final Pattern PATTERN =
      Pattern.compile(
          "<\\?xml[ \\t\\r\\n]+version[ \\t\\r\\n]*=[ \\t\\r\\n]*(\"1\\.0\"|'1\\.0')"
              + "([ \\t\\r\\n]+encoding[ \\t\\r\\n]*=[ \\t\\r\\n]*(\"[A-Za-z][A-Za-z0-9._-]*\"|'[A-Za-z][A-Za-z0-9._-]*'))?"
              + "([ \\t\\r\\n]+standalone[ \\t\\r\\n]*=[ \\t\\r\\n]*(\"(yes|no)\"|'(yes|no)'))?[ \\t\\r\\n]*\\?>");

  private static final byte[][] USUAL =
      Stream.of(
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
              "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
              "<?xml version='1.0' encoding='UTF-8'?>",
              "<?xml version='1.0' encoding='utf-8'?>",
              "<?xml version=\"1.0\"?>")
          .map(line -> line.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  private static final byte[] BEGIN = "<?xml".getBytes(StandardCharsets.US_ASCII);

  /** More than any declaration needs. */
  static final int LONGEST = 256;

  private Declaration() {}

  /** Whether a text begins with one that is right. */
  static boolean isOne(String text) {
    int close = text.indexOf("?>");
    return close >= 0 && close < LONGEST && PATTERN.matcher(text.substring(0, close + 2)).matches();
  }

  /** Whether a processing instruction is one, and no declaration in the wrong place. */
  static boolean isTarget(byte[] in, int from, int to) {
    var text = new String(in, from, Math.min(to - from, 1_000), StandardCharsets.UTF_8);
    return text.matches("(?s)[\\p{L}_][\\p{L}\\p{N}._-]*([ \\t\\r\\n].*)?")
        && !text.matches("(?is)xml([ \\t\\r\\n].*)?");
  }

  /** How long a declaration is that needs no closer look, as nearly all; zero for another. */
  static int usual(byte[] document) {
    for (byte[] each : USUAL) {
      if (document.length > each.length
          && Arrays.equals(each, 0, each.length, document, 0, each.length)) {
        return each.length;
      }
    }
    return 0;
  }

  /**
   * Where a document goes on after its declaration.
   *
   * @return zero where there is none
   */
  static int read(byte[] document) throws XmlRefused {
    int usual = usual(document);
    if (usual > 0
        || document.length <= BEGIN.length
        || !Arrays.equals(BEGIN, 0, BEGIN.length, document, 0, BEGIN.length)
        || !XmlBytes.is(document[BEGIN.length], XmlBytes.SPACE)) {
      return usual;
    }
    var text =
        new String(
            document, 0, Math.min(document.length, LONGEST + 2), StandardCharsets.ISO_8859_1);
    if (!isOne(text)) {
      throw XmlScanner.malformed("no declaration of XML 1.0");
    }
    return text.indexOf("?>") + 2;
  }

  /**
   * A document in UTF-8 without byte order mark: the same bytes where it is so already.
   *
   * @throws XmlRefused where it is in no accepted encoding
   */
  static byte[] utf8(byte[] document) throws XmlRefused {
    if (document.length > 1 && document[0] == '<' && document[1] != 0) {
      if (document[1] != '?' || usual(document) > 0) {
        return document;
      }
      String head =
          new String(document, 0, Math.min(document.length, 256), StandardCharsets.ISO_8859_1);
      int close = head.indexOf("?>");
      String declaration = close < 0 ? head : head.substring(0, close);
      if (!declaration.contains("encoding")
          || declaration.matches("(?s).*[\"'][uU][tT][fF]-8[\"'].*")) {
        return document;
      }
    }
    try {
      Reader reader = XmlEncoding.decode(new ByteArrayInputStream(document));
      var text = new StringBuilder(document.length);
      char[] piece = new char[8192];
      for (int n = reader.read(piece); n >= 0; n = reader.read(piece)) {
        text.append(piece, 0, n);
      }
      return text.toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new XmlRefused(Kind.MALFORMED, "not in the encoding that it declares");
    }
  }
}
