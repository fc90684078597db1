package dev.staithe.storage.tpc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Status line and header fields of a response (RFC 9112 sections 4 and 5).
 *
 * @param status 100 to 599
 * @param keepsAlive whether the connection may serve another request when the body is read
 * @param fields in the order of the wire
 */
record ResponseHead(int status, String reason, boolean keepsAlive, HttpFields fields) {
  /** Longest head in bytes. */
  static final int MAX_BYTES = 64 * 1024;

  private static final int MAX_FIELDS = 500;

  /**
   * Reads a head from the buffer if it is complete there, and consumes it.
   *
   * @return the head, or null where more bytes are needed
   * @throws RemoteFailure where this is no HTTP/1 head, or none that ends
   */
  static @Nullable ResponseHead read(ByteBuffer input) throws RemoteFailure {
    int end = end(input);
    if (end < 0) {
      if (input.remaining() >= MAX_BYTES) {
        throw RemoteFailure.late("the response's header is longer than " + MAX_BYTES + " bytes");
      }
      checkBeginning(input);
      return null;
    }
    byte[] bytes = new byte[end - input.position()];
    input.get(bytes);
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        int to = i > from && bytes[i - 1] == '\r' ? i - 1 : i;
        lines.add(line(bytes, from, to));
        from = i + 1;
      }
    }
    return parse(lines);
  }

  /** Index after the empty line, or -1. */
  private static int end(ByteBuffer input) {
    int limit = Math.min(input.limit(), input.position() + MAX_BYTES);
    for (int i = input.position(); i < limit; i++) {
      if (input.get(i) == '\n') {
        int next = i + 1;
        if (next < limit && input.get(next) == '\r') {
          next++;
        }
        if (next < limit && input.get(next) == '\n') {
          return next + 1;
        }
      }
    }
    return -1;
  }

  /** Gives up on another protocol at its first bytes instead of waiting for an empty line. */
  private static void checkBeginning(ByteBuffer input) throws RemoteFailure {
    byte[] wanted = {'H', 'T', 'T', 'P', '/', '1', '.'};
    for (int i = 0; i < Math.min(wanted.length, input.remaining()); i++) {
      if (input.get(input.position() + i) != wanted[i]) {
        throw notHttp();
      }
    }
  }

  private static String line(byte[] bytes, int from, int to) throws RemoteFailure {
    StringBuilder text = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      char c = (char) (bytes[i] & 0xff);
      if (c < 0x20 && c != '\t' || c == 0x7f) {
        throw RemoteFailure.late("the response's header has a control character");
      }
      text.append(c);
    }
    return text.toString();
  }

  private static ResponseHead parse(List<String> lines) throws RemoteFailure {
    String start = lines.getFirst();
    if (!start.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw notHttp();
    }
    List<HttpField> fields = new ArrayList<>();
    for (String line : lines.subList(1, lines.size() - 1)) {
      if (line.startsWith(" ") || line.startsWith("\t")) {
        if (fields.isEmpty()) {
          throw RemoteFailure.late("the response's header begins with a continuation line");
        }
        HttpField folded = fields.removeLast();
        fields.add(new HttpField(folded.getName(), folded.getValue() + " " + line.strip()));
        continue;
      }
      int colon = line.indexOf(':');
      if (colon < 1 || line.charAt(colon - 1) == ' ' || line.charAt(colon - 1) == '\t') {
        throw RemoteFailure.late("the response has a malformed header line");
      }
      if (fields.size() == MAX_FIELDS) {
        throw RemoteFailure.late("the response has more than " + MAX_FIELDS + " header lines");
      }
      fields.add(new HttpField(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    int status = Integer.parseInt(start.substring(9, 12));
    String reason = start.length() > 13 ? start.substring(13).strip() : "";
    HttpFields.Mutable all = HttpFields.build();
    fields.forEach(all::add);
    boolean keepsAlive =
        start.charAt(7) == '1'
            ? !all.contains(HttpHeader.CONNECTION, "close")
            : all.contains(HttpHeader.CONNECTION, "keep-alive");
    return new ResponseHead(status, reason, keepsAlive, all.asImmutable());
  }

  private static RemoteFailure notHttp() {
    return new RemoteFailure("the remote server does not speak HTTP/1", 400);
  }

  /** The field's first value. */
  @Nullable String field(String name) {
    return fields.get(name);
  }

  /** All values of the field, joined as RFC 9110 section 5.3 has it. */
  Optional<String> all(String name) {
    List<String> values = fields.getValuesList(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", values));
  }

  /**
   * The length that {@code Content-Length} announces, or -1.
   *
   * @throws RemoteFailure where it is no number, or several that differ
   */
  long contentLength() throws RemoteFailure {
    Optional<String> text = all("Content-Length");
    if (text.isEmpty()) {
      return -1;
    }
    long length = -1;
    for (String one : text.get().split(",", -1)) {
      String digits = one.strip();
      if (!digits.matches("[0-9]{1,18}")) {
        throw RemoteFailure.late("the response's Content-Length is no number");
      }
      long value = Long.parseLong(digits);
      if (length >= 0 && value != length) {
        throw RemoteFailure.late("the response has two different lengths");
      }
      length = value;
    }
    return length;
  }

  /** Whether it sends the client elsewhere. */
  boolean redirects() {
    return switch (status) {
      case 300, 301, 302, 303, 307, 308 -> field("Location") != null;
      default -> false;
    };
  }

  /** {@code 404 Not Found}, with the registry's words where the server used none. */
  String statusLine() {
    String words = reason.isEmpty() ? HttpStatus.getMessage(status) : reason;
    return status + (words.equals(String.valueOf(status)) ? "" : " " + words);
  }
}
