package dev.staithe.s3;

import java.io.IOException;

/**
 * The engine does not do what it was asked, and nothing that a caller of ours said is the cause;
 * {@link #getMessage} is one line that tells an operator what to mend. It holds no secret.
 */
public final class S3Failure extends IOException {
  private static final long serialVersionUID = 1L;

  /** In which way. */
  public enum Kind {
    /** No connection, or it broke, or nothing came in time. */
    UNREACHABLE,
    /** The engine asks for patience: {@code 503 SlowDown} and the like. */
    BUSY,
    /** It failed by itself: any other 5xx. */
    FAILED,
    /** It does not accept the credentials, or they do not allow it. */
    DENIED,
    /** Its clock and ours differ by more than it bears. */
    CLOCK,
    /** The bucket is not there. */
    NO_BUCKET,
    /** What was sent is not what arrived. */
    CORRUPTED,
    /** It has no room left, or an object would have more than one may. */
    FULL,
    /** It refuses the request for another reason. */
    REFUSED,
    /** What it answers is not what the protocol allows. */
    MALFORMED
  }

  private final Kind kind;

  S3Failure(Kind kind, String line) {
    super(line);
    this.kind = kind;
  }

  S3Failure(Kind kind, String line, Throwable cause) {
    super(line, cause);
    this.kind = kind;
  }

  /** In which way it failed. */
  public Kind kind() {
    return kind;
  }

  /** Whether the same request may succeed a little later. */
  boolean passes() {
    return switch (kind) {
      case UNREACHABLE, BUSY, FAILED -> true;
      case DENIED, CLOCK, NO_BUCKET, CORRUPTED, FULL, REFUSED, MALFORMED -> false;
    };
  }
}
