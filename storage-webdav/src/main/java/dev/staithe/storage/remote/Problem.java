package dev.staithe.storage.remote;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.http.HttpSocket;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;

/** What another server says of its refusal: problem details (RFC 9457), or a line of text. */
public final class Problem {
  private static final int MOST_BYTES = 8 * 1024;
  private static final int MOST_CHARS = 400;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Problem() {}

  /** The detail, printable and short; empty where there is none, or not all of it comes soon. */
  public static String detail(RemoteSession.Reply reply) {
    ResponseHead head = reply.head();
    ResponseBody body = reply.connection().body();
    String type = head.all("Content-Type").orElse("");
    boolean problem = type.startsWith("application/problem+json");
    if (!problem && !type.startsWith("text/plain")
        || body.length() < 0
        || body.length() > MOST_BYTES) {
      return "";
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HttpSocket socket = reply.connection().socket();
    socket.within(PATIENCE, "the words of a refusal did not come");
    try {
      for (ByteBuffer part = body.next(); part != null; part = body.next()) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
      }
      String text = bytes.toString(StandardCharsets.UTF_8);
      String detail =
          problem
              ? JSONObjectUtils.getString(JSONObjectUtils.parse(text), "detail")
              : text.lines().findFirst().orElse("");
      String line = detail == null ? "" : detail.replaceAll("[^\\x20-\\x7e]", "?");
      return line.length() > MOST_CHARS ? line.substring(0, MOST_CHARS) : line;
    } catch (IOException | ParseException none) {
      return "";
    } finally {
      socket.rest();
    }
  }
}
