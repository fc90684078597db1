package dev.staithe.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Status line and header fields of a response (RFC 9112 sections 4 and 5).
 *
 * @param status 100 to 599
 * @param reason the server's words, which may be empty
 * @param keepsAlive whether the connection may serve another request when the body is read
 * @param fields in the order of the wire
 */
public record ResponseHead(int status, String reason, boolean keepsAlive, Fields fields) {
  /** "HTTP/1.1 200" */
  private static final int SHORTEST = 12;

  /** Reads a whole head. */
  static ResponseHead read(String text, int mostFields) throws HttpFailure {
    int next = text.indexOf('\n') + 1;
    int end = Fields.endOfLine(text, 0, next);
    // Section 4; the space after the status is left out by many where no words follow.
    if (end < SHORTEST
        || !text.startsWith("HTTP/1.")
        || (text.charAt(7) != '1' && text.charAt(7) != '0')
        || text.charAt(8) != ' '
        || (end > SHORTEST && text.charAt(SHORTEST) != ' ')) {
      throw otherProtocol();
    }
    int status = 0;
    for (int i = 9; i < SHORTEST; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw otherProtocol();
      }
      status = 10 * status + digit;
    }
    if (status < 100 || status > 599) {
      throw otherProtocol();
    }
    Fields.checkText(text, SHORTEST, end);
    Fields fields = Fields.read(text, next, mostFields);
    boolean old = text.charAt(7) == '0';
    if (old && fields.first("Transfer-Encoding") != null) {
      // Section 6.1: its sender does not know what it says.
      throw lengthNotAllowed();
    }
    // Section 9.3 lets HTTP/1.0 keep a connection that says so; appendix C.2.2 tells what came of
    // it.
    boolean keepsAlive = !old && !fields.lists("Connection", "close");
    return new ResponseHead(status, text.substring(SHORTEST, end).strip(), keepsAlive, fields);
  }

  static HttpFailure otherProtocol() {
    return new HttpFailure(
        HttpFailure.Kind.OTHER_PROTOCOL, "the remote server does not speak HTTP/1");
  }

  static HttpFailure lengthNotAllowed() {
    return HttpFailure.malformed("the response's length is announced in a way that is not allowed");
  }

  /** The field's first value. */
  public @Nullable String field(String name) {
    return fields.first(name);
  }

  /** All values of the field, joined as RFC 9110 section 5.3 has it. */
  public Optional<String> all(String name) {
    return fields.all(name);
  }

  /**
   * The length that {@code Content-Length} announces, or -1. Said twice in one way it counts once,
   * as RFC 9112 section 6.3 allows: there are proxies that double it, and nobody reads it in two
   * ways.
   *
   * @throws HttpFailure where it is no number, or several that differ
   */
  public long contentLength() throws HttpFailure {
    String text = fields.all("Content-Length").orElse(null);
    if (text == null) {
      return -1;
    }
    long length = -1;
    for (String one : text.split(",", -1)) {
      String digits = one.strip();
      if (digits.isEmpty()
          || digits.length() > 18
          || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
        throw HttpFailure.malformed("the response's Content-Length is no number");
      }
      long value = Long.parseLong(digits);
      if (length >= 0 && value != length) {
        throw HttpFailure.malformed("the response has two different lengths");
      }
      length = value;
    }
    return length;
  }
}
