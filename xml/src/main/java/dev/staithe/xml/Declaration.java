package dev.staithe.xml;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The XML declaration (XML 1.0 section 2.8) of a document that is in UTF-8 by now. */
final class Declaration {
  static final Pattern PATTERN =
      Pattern.compile(
          "<\\?xml\\s+version\\s*=\\s*(\"1\\.0\"|'1\\.0')"
              + "(\\s+encoding\\s*=\\s*(\"[A-Za-z][A-Za-z0-9._-]*\"|'[A-Za-z][A-Za-z0-9._-]*'))?"
              + "(\\s+standalone\\s*=\\s*(\"(yes|no)\"|'(yes|no)'))?\\s*\\?>");

  private static final byte[][] USUAL =
      Stream.of(
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
              "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
              "<?xml version='1.0' encoding='UTF-8'?>",
              "<?xml version='1.0' encoding='utf-8'?>",
              "<?xml version=\"1.0\"?>")
          .map(line -> line.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  private Declaration() {}

  /** Whether a processing instruction is one, and no declaration in the wrong place. */
  static boolean isTarget(byte[] in, int from, int to) {
    var text = new String(in, from, Math.min(to - from, 1_000), StandardCharsets.UTF_8);
    return text.matches("(?s)[\\p{L}_][\\p{L}\\p{N}._-]*(\\s.*)?")
        && !text.matches("(?is)xml(\\s.*)?");
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
}
