package dev.staithe.gateway.backend;

import dev.staithe.wss.Caller;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * What the service behind an endpoint is told of a caller: in fields of HTTP that only the gateway
 * writes, under whose names nothing reaches the service that a client sends, and in those that a
 * site lets through.
 *
 * @param header for the subject, as the audit log writes it; what is not printable ASCII, and the
 *     percent sign, is percent-encoded UTF-8. Null for none
 * @param tokenHeader for a signed token; null for none
 * @param tokens writes these; null where there are none
 * @param passed fields that go on as the client sent them
 */
public record CallerFields(
    @Nullable String header,
    @Nullable String tokenHeader,
    @Nullable CallerTokens tokens,
    List<String> passed) {
  /** Nothing. */
  public static final CallerFields NOTHING = new CallerFields(null, null, null, List.of());

  /** Keeps its own list. */
  public CallerFields {
    passed = List.copyOf(passed);
  }

  /** Whole lines of a head with what the client sent and the site lets through. */
  public String passed(HttpFields sent) {
    var lines = new StringBuilder();
    for (String name : passed) {
      List<String> values = sent.getValuesList(name);
      if (!values.isEmpty()) {
        // Cookies alone may come in several lines (RFC 9113 section 8.2.3).
        lines.append(name).append(": ").append(String.join("; ", values)).append("\r\n");
      }
    }
    return lines.toString();
  }

  /** Whether a field that goes on came twice, which two readers read in two ways. */
  public boolean isAmbiguous(HttpFields sent) {
    return passed.stream()
        .anyMatch(name -> !name.equalsIgnoreCase("Cookie") && sent.getValuesList(name).size() > 1);
  }

  /** Whole lines of a head, empty where nobody in particular calls. */
  public String lines(Caller caller, String service) {
    if (caller.subject().isEmpty()) {
      return "";
    }
    var lines = new StringBuilder();
    if (header != null) {
      lines.append(header).append(": ").append(encoded(caller.subject())).append("\r\n");
    }
    if (tokenHeader != null && tokens != null) {
      lines.append(tokenHeader).append(": ");
      if (tokenHeader.equalsIgnoreCase("Authorization")) {
        lines.append("Bearer ");
      }
      lines.append(tokens.of(caller, service)).append("\r\n");
    }
    return lines.toString();
  }

  private static String encoded(String subject) {
    var out = new StringBuilder(subject.length() + 8);
    for (byte each : subject.getBytes(StandardCharsets.UTF_8)) {
      if (each > ' ' && each < 0x7f && each != '%' || each == ' ') {
        out.append((char) each);
      } else {
        out.append('%').append(String.format("%02X", each & 0xff));
      }
    }
    return out.toString().strip();
  }
}
