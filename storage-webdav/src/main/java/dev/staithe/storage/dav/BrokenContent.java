package dev.staithe.storage.dav;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request whose content did not come to its end, which is its client's affair and no failure of
 * ours.
 */
final class BrokenContent extends IOException {
  private final boolean tooSlow;

  BrokenContent(@Nullable Throwable cause) {
    super(
        cause instanceof TimeoutException
            ? "no content came for too long"
            : "the request's content broke off",
        cause);
    this.tooSlow = cause instanceof TimeoutException;
  }

  /** 408 for a client that was silent for too long, 400 for one that sent less than it said. */
  int status() {
    return tooSlow ? 408 : 400;
  }

  /** One line, safe to show. */
  String line() {
    return tooSlow ? "no content came for too long" : "the request's content broke off";
  }
}
