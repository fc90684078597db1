package dev.staithe.cli.administration;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Closes a body that does not get on for too long, as no byte comes or as those that came are not
 * taken here: whoever reads it then gets an exception. For one thread that reads.
 */
final class StallWatch implements AutoCloseable {
  /** Who stands. */
  enum Stall {
    /** Nobody. */
    NONE,
    /** The sender, of whom no byte came. */
    SENDER,
    /** Whoever keeps the bytes here. */
    HERE
  }

  private final InputStream body;
  private final Duration patience;
  private final Thread thread;
  private volatile long last = System.nanoTime();
  private volatile boolean keeping;
  private volatile Stall stall = Stall.NONE;

  StallWatch(InputStream body, Duration patience) {
    this.body = body;
    this.patience = patience;
    this.thread = Thread.ofVirtual().name("stall-watch").start(this::watch);
  }

  /** Something came, which is to be kept now. */
  void came() {
    keeping = true;
    last = System.nanoTime();
  }

  /** It is kept, and the next is waited for. */
  void kept() {
    keeping = false;
    last = System.nanoTime();
  }

  /** Why the body was closed here, if it was. */
  Stall stall() {
    return stall;
  }

  private void watch() {
    try {
      for (long left = patience.toNanos();
          left > 0;
          left = patience.toNanos() - (System.nanoTime() - last)) {
        Thread.sleep(Duration.ofNanos(left));
      }
      stall = keeping ? Stall.HERE : Stall.SENDER;
      body.close();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (IOException closed) {
      // It is what was wanted.
    }
  }

  /** Watches no longer; {@link #stall} stays as it is. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
