package dev.staithe.service.http;

import java.util.concurrent.TimeoutException;

/**
 * Content that came more slowly than this server waits for. Ends the read of a request's content,
 * which is then answered by 408 (RFC 9110 section 15.5.9) and this text.
 */
public final class TooSlow extends TimeoutException {
  /** The text is one line, safe to show. */
  public TooSlow(String line) {
    super(line);
  }
}
