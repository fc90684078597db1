package dev.staithe.slcs.issue;

import java.text.Normalizer;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes what people are called with the letters of ASCII, because the software of the grid
 * compares names byte by byte and shows others differently. It makes a name readable and never
 * makes it unique: another part of the rule does.
 */
final class SpokenName {
  /** Letters that are not others with a mark. */
  private static final Map<Integer, String> WRITTEN_AS =
      Map.ofEntries(
          Map.entry((int) 'ß', "ss"),
          Map.entry((int) 'Æ', "Ae"),
          Map.entry((int) 'æ', "ae"),
          Map.entry((int) 'Œ', "Oe"),
          Map.entry((int) 'œ', "oe"),
          Map.entry((int) 'Ø', "O"),
          Map.entry((int) 'ø', "o"),
          Map.entry((int) 'Ł', "L"),
          Map.entry((int) 'ł', "l"),
          Map.entry((int) 'Đ', "D"),
          Map.entry((int) 'đ', "d"),
          Map.entry((int) 'Ð', "D"),
          Map.entry((int) 'ð', "d"),
          Map.entry((int) 'Þ', "Th"),
          Map.entry((int) 'þ', "th"),
          Map.entry((int) 'ı', "i"),
          Map.entry((int) '’', "'"),
          Map.entry((int) '‐', "-"));

  private static final Pattern SPACES = Pattern.compile(" +");

  private SpokenName() {}

  /**
   * Letters without their marks, digits, single spaces, and {@code . ' -}; what has no such form is
   * left out. Holds no {@code @}, so that nobody's calling name ends like another's principal name.
   *
   * @return maybe empty
   */
  static String inAscii(String name) {
    var ascii = new StringBuilder();
    Normalizer.normalize(name, Normalizer.Form.NFKD)
        .codePoints()
        .forEach(
            c -> {
              String written = WRITTEN_AS.get(c);
              if (written != null) {
                ascii.append(written);
              } else if (c < 0x80 && (Character.isLetterOrDigit(c) || ".'-".indexOf(c) >= 0)) {
                ascii.append((char) c);
              } else if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                ascii.append(' ');
              }
            });
    return SPACES.matcher(ascii).replaceAll(" ").strip();
  }
}
