package dev.staithe.gateway.route;

import dev.staithe.wss.Caller;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the service behind an endpoint is told of a caller, in fields of HTTP that only the gateway
 * writes: nothing that a client sends reaches the service under these names.
 *
 * @param header for the subject, as the audit log writes it; what is not printable ASCII, and the
 *     percent sign, is percent-encoded UTF-8. Null for none
 * @param tokenHeader for a signed token; null for none
 * @param tokens writes these; null where there are none
 */
public record Told(
    @Nullable String header, @Nullable String tokenHeader, @Nullable CallerTokens tokens) {
  /** Nothing. */
  public static final Told NOTHING = new Told(null, null, null);

  /** Whole lines of a head, empty where nobody in particular calls. */
  String lines(Caller caller, String service) {
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
