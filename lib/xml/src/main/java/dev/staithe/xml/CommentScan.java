package dev.staithe.xml;

/** Comments and processing instructions, where they are passed over. */
final class CommentScan {
  private CommentScan() {}

  /** Passes a comment or a processing instruction (XML 1.0 sections 2.5 and 2.6). */
  static int pass(byte[] in, int pos, int end) throws XmlRefused {
    boolean comment = in[pos + 1] == '!';
    int p = pos + (comment ? 4 : 2);
    int from = p;
    while (true) {
      if (end - p < 2) {
        throw XmlScanner.malformed("it ends within a remark");
      }
      boolean stop = comment ? in[p] == '-' && in[p + 1] == '-' : in[p] == '?' && in[p + 1] == '>';
      if (stop) {
        break;
      }
      int c = in[p] < 0 ? CharacterData.character(in, p, end) : in[p];
      if (!XmlBytes.isCharacter(c)) {
        throw XmlScanner.malformed("a character that XML does not have");
      }
      p += XmlBytes.length(c);
    }
    if (comment ? end - p < 3 || in[p + 2] != '>' : !Declaration.isTarget(in, from, p)) {
      throw XmlScanner.malformed("no remark");
    }
    return p + (comment ? 3 : 2);
  }
}
