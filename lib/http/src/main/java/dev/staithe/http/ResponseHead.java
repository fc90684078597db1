package dev.staithe.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  /** Section 4; the space after the status is left out by many where no words follow. */
  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/1\\.([01]) ([1-5][0-9][0-9])(?: (.*))?", Pattern.DOTALL);

  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  /** Reads a whole head. */
  static ResponseHead read(String text, int mostFields) throws HttpFailure {
    int end = Fields.endOfLine(text, 0);
    Matcher line = STATUS_LINE.matcher(text).region(0, end);
    if (!line.matches()) {
      throw otherProtocol();
    }
    Fields.checkText(text, 0, end);
    Fields fields = Fields.read(text, text.indexOf('\n') + 1, mostFields);
    boolean old = line.group(1).equals("0");
    if (old && fields.first("Transfer-Encoding") != null) {
      // Section 6.1: its sender does not know what it says.
      throw lengthNotAllowed();
    }
    // Section 9.3 lets HTTP/1.0 keep a connection that says so; appendix C.2.2 tells what came of
    // it.
    boolean keepsAlive = !old && !closes(fields);
    String reason = line.group(3) == null ? "" : line.group(3).strip();
    return new ResponseHead(Integer.parseInt(line.group(2)), reason, keepsAlive, fields);
  }

  private static boolean closes(Fields fields) {
    for (String option : fields.all("Connection").orElse("").split(",")) {
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
