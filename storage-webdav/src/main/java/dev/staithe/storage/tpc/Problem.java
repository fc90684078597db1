package dev.staithe.storage.tpc;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;

/** What another server says of its refusal, as problem details (RFC 9457). */
final class Problem {
  private static final int MOST_BYTES = 8 * 1024;
  private static final int MOST_CHARS = 400;

  private Problem() {}

  /** The detail, printable and short; empty where there is none. */
  static String detail(RemoteSession.Reply reply) throws IOException {
    ResponseHead head = reply.head();
    ResponseBody body = reply.connection().body();
    if (!head.all("Content-Type").orElse("").startsWith("application/problem+json")
        || body.length() < 0
        || body.length() > MOST_BYTES) {
      return "";
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      bytes.writeBytes(copy);
    }
    try {
      String detail =
          JSONObjectUtils.getString(
              JSONObjectUtils.parse(bytes.toString(StandardCharsets.UTF_8)), "detail");
      String line = detail == null ? "" : detail.replaceAll("[^\\x20-\\x7e]", "?");
      return line.length() > MOST_CHARS ? line.substring(0, MOST_CHARS) : line;
    } catch (ParseException none) {
      return "";
    }
  }
}
