package dev.staithe.storage.exchange;

import dev.staithe.service.http.TooSlow;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request whose content did not come to its end, which is its client's affair and no failure of
 * ours.
 */
public final class BrokenContent extends IOException {
  private final boolean tooSlow;
  private final String line;

  BrokenContent(@Nullable Throwable cause) {
    this(
        cause instanceof TimeoutException,
        switch (cause) {
          case TooSlow slow -> String.valueOf(slow.getMessage());
          case TimeoutException silent -> "no content came for too long";
          case null, default -> "the request's content broke off";
        },
        cause instanceof TooSlow ? null : cause);
  }

  private BrokenContent(boolean tooSlow, String line, @Nullable Throwable cause) {
    super(line, cause);
    this.tooSlow = tooSlow;
    this.line = line;
  }

  /** 408 for a client that was silent or slow for too long, 400 for one that sent too little. */
  public int status() {
    return tooSlow ? 408 : 400;
  }

  /** One line, safe to show. */
  public String line() {
    return line;
  }
}
