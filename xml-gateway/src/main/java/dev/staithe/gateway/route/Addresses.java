package dev.staithe.gateway.route;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts one address in place of another in the header of an envelope (WS-Addressing 1.0 core section
 * 3). Works on bytes: where the address does not occur, which is nearly always, nothing is read.
 */
final class Addresses {
  private static final byte[] BODY = ":Body".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BARE_BODY = "<Body".getBytes(StandardCharsets.US_ASCII);

  private Addresses() {}

  /**
   * Replaces a whole address, or the beginning of one that goes on below it.
   *
   * @param envelope in UTF-8
   * @return the same array where there was nothing to replace
   */
  static byte[] replace(byte[] envelope, String from, String to) {
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
      if (ends(envelope[end])) {
        out.write(envelope, done, at - done);
        out.writeBytes(fresh);
        done = end;
      }
      at = indexOf(envelope, old, end, header);
    }
    out.write(envelope, done, envelope.length - done);
    return out.toByteArray();
  }

  private static byte[] escaped(String address) {
    return address.replace("&", "&amp;").getBytes(StandardCharsets.UTF_8);
  }

  private static boolean ends(byte next) {
    return next == '<' || next == '"' || next == '\'' || next == '/' || next == '?' || next <= ' ';
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

  private static int indexOf(byte[] in, byte[] what, int from, int to) {
    int last = Math.min(to, in.length - 1) - what.length;
    outer:
    for (int i = from; i <= last; i++) {
      for (int j = 0; j < what.length; j++) {
        if (in[i + j] != what[j]) {
          continue outer;
        }
      }
      return i;
    }
    return -1;
  }
}
