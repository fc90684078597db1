package dev.staithe.gateway.mime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A {@code multipart/related} body (RFC 2387, MTOM), of which the first part is the envelope. The
 * others are looked for only where somebody asks for them.
 *
 * @param whole the body
 * @param boundary between its parts
 * @param root the envelope
 */
public record MimeParts(byte[] whole, String boundary, MimePart root) {
  /** What the head of a part may have. */
  private static final int LONGEST_HEAD = 4096;

  /** Parts beside the root. */
  private static final int MOST = 100;

  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

  /**
   * Finds the envelope.
   *
   * @return empty where the body is not what its type says, or its root part is encoded, is not the
   *     first, or has a media type that two readers read in two ways
   */
  public static Optional<MimeParts> of(byte[] body, String contentType) {
    String boundary = MediaType.parameter(contentType, "boundary");
    if (boundary == null || boundary.isEmpty() || boundary.length() > 70) {
      return Optional.empty();
    }
    byte[] delimiter = delimiter(boundary);
    int first = 0;
    // A preamble of an empty line is what some clients send.
    while (first + 1 < body.length && body[first] == '\r' && body[first + 1] == '\n') {
      first += 2;
    }
    // Without the line break of the delimiter.
    if (!startsWith(body, first, delimiter, 2)) {
      return Optional.empty();
    }
    String start = MediaType.parameter(contentType, "start");
    return part(body, delimiter, first + delimiter.length - 2)
        .filter(root -> start == null || start.equals(root.id()))
        .filter(root -> root.type().isEmpty() || MediaType.isUnambiguous(root.contentType()))
        .map(root -> new MimeParts(body, boundary, root));
  }

  /**
   * All parts beside the envelope.
   *
   * @return empty where the body does not go on as such bodies do, up to the delimiter that closes
   *     it, or has more parts than anybody sends, or one whose head is too long, says something
   *     twice, or tells of an encoding
   */
  Optional<List<MimePart>> others() {
    byte[] delimiter = delimiter(boundary);
    List<MimePart> found = new ArrayList<>();
    int at = root.to() + delimiter.length;
    while (!closes(at)) {
      MimePart part = found.size() < MOST ? part(whole, delimiter, at).orElse(null) : null;
      if (part == null) {
        return Optional.empty();
      }
      found.add(part);
      at = part.to() + delimiter.length;
    }
    // What follows is nobody's (RFC 2046 section 5.1.1).
    return Optional.of(found);
  }

  /** Where the envelope begins. */
  public int from() {
    return root.from();
  }

  /** Where it ends. */
  public int to() {
    return root.to();
  }

  /** The envelope alone. */
  public byte[] envelope() {
    return Arrays.copyOfRange(whole, root.from(), root.to());
  }

  private static byte[] delimiter(String boundary) {
    return ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
  }

  private boolean closes(int at) {
    return at + 1 < whole.length && whole[at] == '-' && whole[at + 1] == '-';
  }

  /** The part whose delimiter ends there. */
  private static Optional<MimePart> part(byte[] in, byte[] delimiter, int at) {
    int head = at;
    while (head < in.length && (in[head] == ' ' || in[head] == '\t')) {
      head++;
    }
    int end = indexOf(in, HEAD_END, head, head + LONGEST_HEAD);
    // Where more follows it was another boundary that only begins like ours.
    if (end < 0 || in[head] != '\r' || in[head + 1] != '\n') {
      return Optional.empty();
    }
    // Of a part without content the line break of its head may be that of the delimiter.
    int to = indexOf(in, delimiter, end + 2, in.length);
    if (to < 0) {
      return Optional.empty();
    }
    String lines = new String(in, head, end - head, StandardCharsets.ISO_8859_1);
    return MimePart.of(lines, Math.min(end + HEAD_END.length, to), to);
  }

  private static boolean startsWith(byte[] in, int from, byte[] what, int skipped) {
    int length = what.length - skipped;
    return from + length <= in.length
        && Arrays.equals(in, from, from + length, what, skipped, what.length);
  }

  private static int indexOf(byte[] in, byte[] what, int from, int to) {
    int last = Math.min(to, in.length) - what.length;
    for (int i = from; i <= last; i++) {
      if (in[i] == what[0] && startsWith(in, i, what, 0)) {
        return i;
      }
    }
    return -1;
  }
}
