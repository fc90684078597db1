package dev.staithe.gateway.route;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Puts one address in place of another in the header of an envelope (WS-Addressing 1.0 core section
 * 3). Works on bytes: where the address does not occur, which is nearly always, nothing is read.
 */
final class Addresses {
  private static final byte[] BODY = ":Body".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BARE_BODY = "<Body".getBytes(StandardCharsets.US_ASCII);

  /** What is longer is no address. */
  private static final int LONGEST = 4_096;

  /** Stands for whoever asks: in other places of the header it is to stay. */
  private static final Set<String> NOWHERE =
      Set.of(
          "http://www.w3.org/2005/08/addressing/anonymous",
          "http://www.w3.org/2005/08/addressing/none",
          "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous");

  private Addresses() {}

  /**
   * Replaces a whole address, or the beginning of one that goes on below it, where it is text.
   *
   * @param envelope in UTF-8
   * @return the same array where there was nothing to replace
   */
  static byte[] replace(byte[] envelope, String from, String to) {
    if (!isAddress(from)) {
      return envelope;
    }
    byte[] old = escaped(from);
    int at = indexOf(envelope, old, 0, envelope.length);
    if (at < 0) {
      return envelope;
    }
    int header = headerEnd(envelope);
    if (at >= header) {
      return envelope;
    }
    byte[] fresh = escaped(to);
    var out = new ByteArrayOutputStream(envelope.length + 64);
    int done = 0;
    while (at >= 0 && at < header) {
      int end = at + old.length;
      if (at > 0 && !isQuote(envelope[at - 1]) && ends(envelope[end])) {
        out.write(envelope, done, at - done);
        out.writeBytes(fresh);
        done = end;
      }
      at = indexOf(envelope, old, end, header);
    }
    out.write(envelope, done, envelope.length - done);
    return out.toByteArray();
  }

  /**
   * Whether it may be replaced. It comes from the message, and perhaps nobody signed it: markup, as
   * the beginning of a comment, would be taken out of what has been judged by now; and any piece of
   * an address that stands for whoever asks would lead its answers elsewhere.
   */
  private static boolean isAddress(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.indexOf('<') < 0
        && text.indexOf('>') < 0
        && NOWHERE.stream().noneMatch(each -> each.contains(text));
  }

  private static byte[] escaped(String address) {
    return address.replace("&", "&amp;").getBytes(StandardCharsets.UTF_8);
  }

  /** What begins behind one is no text: a namespace, perhaps of the same name as the service. */
  private static boolean isQuote(byte before) {
    return before == '"' || before == '\'';
  }

  private static boolean ends(byte next) {
    return next == '<' || next == '/' || next == '?' || next <= ' ';
  }

  /** Where the body begins; a header that mentions one earlier is only rewritten up to there. */
  private static int headerEnd(byte[] envelope) {
    int prefixed = indexOf(envelope, BODY, 0, envelope.length);
    int bare = indexOf(envelope, BARE_BODY, 0, envelope.length);
    if (prefixed < 0) {
      return bare < 0 ? envelope.length - 1 : bare;
    }
    return bare < 0 ? prefixed : Math.min(prefixed, bare);
  }

  /**
   * In one pass, whatever stands in either: an address comes from the message (Knuth, Morris,
   * Pratt).
   */
  private static int indexOf(byte[] in, byte[] what, int from, int to) {
    int end = Math.min(to, in.length - 1);
    if (end - from < what.length) {
      return -1;
    }
    int[] border = borders(what);
    int matched = 0;
    for (int i = from; i < end; i++) {
      while (matched > 0 && in[i] != what[matched]) {
        matched = border[matched - 1];
      }
      if (in[i] == what[matched] && ++matched == what.length) {
        return i + 1 - what.length;
      }
    }
    return -1;
  }

  /** For each beginning, how much of its own beginning it ends with. */
  private static int[] borders(byte[] what) {
    int[] border = new int[what.length];
    int matched = 0;
    for (int i = 1; i < what.length; i++) {
      while (matched > 0 && what[i] != what[matched]) {
        matched = border[matched - 1];
      }
      if (what[i] == what[matched]) {
        matched++;
      }
      border[i] = matched;
    }
    return border;
  }
}
