package dev.staithe.perf.lean;

import dev.staithe.http.ResponseReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads one small answer after the other from whatever pieces come, and fields of its JSON without
 * making more text than is asked for. Not thread-safe.
 */
public final class AnswerReader {
  private static final int LONGEST = 1 << 20;

  private final ResponseReader response = new ResponseReader(ClientConnection.HEADS, LONGEST);
  private byte[] body = {};

  /** Makes ready for the next answer. */
  public void reset() {
    response.expect("POST");
    body = response.body();
  }

  /**
   * Takes what has come.
   *
   * @return whether the answer is whole
   * @throws IOException where it is none, or longer than a megabyte
   */
  public boolean take(ByteBuffer data) throws IOException {
    boolean whole = response.take(data);
    body = response.body();
    return whole;
  }

  /** As 200. */
  public int status() {
    return response.head().status();
  }

  /** Whether another request may follow on the connection. */
  public boolean reusable() {
    return response.head().keepsAlive();
  }

  /** Whether the JSON content has a field that is {@code true}. */
  public boolean isTrue(String field) {
    int at = valueOf(field);
    return at >= 0 && at + 3 < body.length && body[at] == 't' && body[at + 1] == 'r';
  }

  /** The text of a field of the JSON content, of characters that JSON need not escape. */
  public @Nullable String field(String name) {
    int at = valueOf(name);
    if (at < 0 || body[at] != '"') {
      return null;
    }
    int end = at + 1;
    while (end < body.length && body[end] != '"') {
      if (body[end] == '\\') {
        return null;
      }
      end++;
    }
    return text(at + 1, end);
  }

  /** Where the value of a field begins; negative where there is none. */
  private int valueOf(String field) {
    int length = field.length();
    for (int i = 0; i + length + 2 < body.length; i++) {
      if (body[i] != '"' || body[i + length + 1] != '"') {
        continue;
      }
      int same = 0;
      while (same < length && body[i + 1 + same] == field.charAt(same)) {
        same++;
      }
      if (same < length) {
        continue;
      }
      int at = i + length + 2;
      boolean colon = false;
      while (at < body.length && (body[at] == ' ' || (!colon && body[at] == ':'))) {
        colon |= body[at] == ':';
        at++;
      }
      if (colon && at < body.length) {
        return at;
      }
    }
    return -1;
  }

  /** The beginning of the content, for messages. */
  public String beginning() {
    return text(0, Math.min(body.length, 200)).replaceAll("\\s+", " ").strip();
  }

  private String text(int from, int end) {
    return new String(body, from, Math.max(0, end - from), StandardCharsets.ISO_8859_1);
  }
}
