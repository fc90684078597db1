package dev.staithe.gateway.route;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where the envelope is within a {@code multipart/related} body (RFC 2387, MTOM): the first part.
 * Nothing is taken apart beyond that; the other parts pass as they are.
 *
 * @param whole the body
 * @param from where the envelope begins
 * @param to where it ends
 */
record MimeParts(byte[] whole, int from, int to) {
  /** Headers of a part that are looked at. */
  private static final int LONGEST_HEAD = 4096;

  /**
   * Finds it.
   *
   * @return empty where the body is not what its type says, or its root part is encoded or is not
   *     the first
   */
  static Optional<MimeParts> of(byte[] body, String contentType) {
    String boundary = Incoming.parameter(contentType, "boundary");
    if (boundary == null || boundary.isEmpty() || boundary.length() > 70) {
      return Optional.empty();
    }
    byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    int first = 0;
    // A preamble of an empty line is what some clients send.
    while (first + 1 < body.length && body[first] == '\r' && body[first + 1] == '\n') {
      first += 2;
    }
    if (!startsWith(body, first, delimiter)) {
      return Optional.empty();
    }
    int head = first + delimiter.length;
    int end = indexOf(body, new byte[] {'\r', '\n', '\r', '\n'}, head, head + LONGEST_HEAD);
    if (end < 0) {
      return Optional.empty();
    }
    String headers = new String(body, head, end - head, StandardCharsets.ISO_8859_1);
    if (!isFirst(headers, contentType)) {
      return Optional.empty();
    }
    byte[] next = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    int to = indexOf(body, next, end + 4, body.length);
    return to < 0 ? Optional.empty() : Optional.of(new MimeParts(body, end + 4, to));
  }

  private static boolean isFirst(String headers, String contentType) {
    String start = Incoming.parameter(contentType, "start");
    String id = null;
    for (String line : headers.split("\r\n")) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      String name = line.substring(0, colon).strip();
      String value = line.substring(colon + 1).strip();
      if (name.equalsIgnoreCase("content-id")) {
        id = value;
      } else if (name.equalsIgnoreCase("content-transfer-encoding")
          && !value.equalsIgnoreCase("binary")
          && !value.equalsIgnoreCase("8bit")) {
        return false;
      }
    }
    return start == null || start.equals(id);
  }

  /** The envelope alone. */
  byte[] envelope() {
    byte[] envelope = new byte[to - from];
    System.arraycopy(whole, from, envelope, 0, envelope.length);
    return envelope;
  }

  private static boolean startsWith(byte[] in, int from, byte[] what) {
    if (from + what.length > in.length) {
      return false;
    }
    for (int i = 0; i < what.length; i++) {
      if (in[from + i] != what[i]) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(byte[] in, byte[] what, int from, int to) {
    int last = Math.min(to, in.length) - what.length;
    for (int i = from; i <= last; i++) {
      if (in[i] == what[0] && startsWith(in, i, what)) {
        return i;
      }
    }
    return -1;
  }
}
