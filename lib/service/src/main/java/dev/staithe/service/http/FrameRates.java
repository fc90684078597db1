package dev.staithe.service.http;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http2.RateControl;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;
import org.eclipse.jetty.io.EndPoint;

/**
 * How many frames that carry nothing a connection of HTTP/2 may have in a second, beyond which it
 * is ended (RFC 9113 section 10.5). Jetty's own limit, 128 of any kind, ends connections of good
 * clients: curl opens a window and, at the end, resets a stream for each file that it uploads; Go's
 * client, which rclone uses, opens a window for each few kilobytes that it has read. Safe for use
 * by many threads.
 */
final class FrameRates implements RateControl {
  /**
   * Of all others: settings, pings, priorities, resets, empty frames. A connection has as many
   * requests in a second at most, so that resets cost no more than requests do.
   */
  private static final int FRAMES = 2000;

  /** Of one gigabyte in a second, read in pieces of 16 KiB and told for stream and connection. */
  private static final int WINDOWS = 131_072;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Window frames = new Window(FRAMES);
  private final Window windows = new Window(WINDOWS);

  private FrameRates() {}

  static final class Factory implements RateControl.Factory {
    @Override
    public RateControl newRateControl(EndPoint connection) {
      return new FrameRates();
    }
  }

  @Override
  public boolean onEvent(Object frame) {
    return (frame instanceof WindowUpdateFrame ? windows : frames).count(System.nanoTime());
  }

  /** Events since the second that is under way began. */
  private static final class Window {
    private final int most;
    private long began = System.nanoTime();
    private int events;

    Window(int most) {
      this.most = most;
    }

    synchronized boolean count(long now) {
      if (now - began >= SECOND) {
        began = now;
        events = 0;
      }
      return ++events <= most;
    }
  }
}
