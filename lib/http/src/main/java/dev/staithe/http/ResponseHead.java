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
  private static final String PROTOCOL = "HTTP/1.";
  private static final int AFTER_STATUS = "HTTP/1.1 200".length();

  /** Reads a whole head. */
  static ResponseHead read(String text, int mostFields) throws HttpFailure {
    int end = Fields.endOfLine(text, 0);
    int status = status(text, end);
    Fields.checkText(text, 0, end);
    Fields fields = Fields.read(text, text.indexOf('\n') + 1, mostFields);
    boolean old = text.charAt(PROTOCOL.length()) == '0';
    if (old && fields.first("Transfer-Encoding") != null) {
      // Section 6.1: its sender does not know what it says.
      throw lengthNotAllowed();
    }
    // Section 9.3 lets HTTP/1.0 keep a connection that says so; appendix C.2.2 tells what came of
    // it.
    boolean keepsAlive = !old && !closes(fields);
    return new ResponseHead(status, text.substring(AFTER_STATUS, end).strip(), keepsAlive, fields);
  }

  /** Section 4; the space after the status is left out by many where no words follow. */
  private static int status(String text, int end) throws HttpFailure {
    if (end < AFTER_STATUS
        || !text.startsWith(PROTOCOL)
        || (text.charAt(PROTOCOL.length()) & ~1) != '0'
        || text.charAt(PROTOCOL.length() + 1) != ' '
        || (end > AFTER_STATUS && text.charAt(AFTER_STATUS) != ' ')) {
      throw otherProtocol();
    }
    int status = 0;
    for (int i = AFTER_STATUS - 3; i < AFTER_STATUS; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw otherProtocol();
      }
      status = 10 * status + digit;
    }
    if (status < 100 || status > 599) {
      throw otherProtocol();
    }
    return status;
  }

  private static boolean closes(Fields fields) {
    String options = fields.joined("Connection");
    if (options == null) {
      return false;
    }
    for (String option : options.split(",")) {
      if (option.strip().equalsIgnoreCase("close")) {
        return true;
      }
    }
    return false;
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
    String text = fields.joined("Content-Length");
    if (text == null) {
      return -1;
    }
    long length = -1;
    for (String one : text.split(",", -1)) {
      String digits = one.strip();
      if (digits.isEmpty() || digits.length() > 18) {
        throw notANumber();
      }
      long value = 0;
      for (int i = 0; i < digits.length(); i++) {
        int digit = digits.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
          throw notANumber();
        }
        value = 10 * value + digit;
      }
      if (length >= 0 && value != length) {
        throw HttpFailure.malformed("the response has two different lengths");
      }
      length = value;
    }
    return length;
  }

  private static HttpFailure notANumber() {
    return HttpFailure.malformed("the response's Content-Length is no number");
  }
}
