package dev.staithe.http;

import java.io.IOException;

/**
 * The other side, or the way to it, does not do its part; {@link #getMessage} is one line that is
 * safe to show. An exception because it ends an exchange from any depth of the conversation.
 */
public final class HttpFailure extends IOException {
  private static final long serialVersionUID = 1L;

  /** In which way. */
  public enum Kind {
    /** The connection ended early, or never came about. */
    BROKEN,
    /** It was closed from this side: a deadline had passed, or somebody gave it up. */
    GIVEN_UP,
    /** What came is not what RFC 9112 allows, or not what is taken here. */
    MALFORMED,
    /** What came does not even begin as HTTP/1. */
    OTHER_PROTOCOL
  }

  private final Kind kind;

  /** Keeps the reason. */
  public HttpFailure(Kind kind, String line) {
    super(line);
    this.kind = kind;
  }

  static HttpFailure broken(String line) {
    return new HttpFailure(Kind.BROKEN, line);
  }

  static HttpFailure malformed(String line) {
    return new HttpFailure(Kind.MALFORMED, line);
  }

  /** In which way it failed. */
  public Kind kind() {
    return kind;
  }
}
