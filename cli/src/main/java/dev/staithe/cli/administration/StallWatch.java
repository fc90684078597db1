package dev.staithe.cli.administration;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Closes a body of which no byte comes for too long: whoever reads it then gets an exception. */
final class StallWatch implements AutoCloseable {
  private final InputStream body;
  private final Duration patience;
  private final Thread thread;
  private volatile long last = System.nanoTime();
  private volatile boolean stalled;

  StallWatch(InputStream body, Duration patience) {
    this.body = body;
    this.patience = patience;
    this.thread = Thread.ofVirtual().name("stall-watch").start(this::watch);
  }

  /** Something came. */
  void came() {
    last = System.nanoTime();
  }

  /** Whether the body was closed here. */
  boolean stalled() {
    return stalled;
  }

  private void watch() {
    try {
      for (long left = patience.toNanos();
          left > 0;
          left = patience.toNanos() - (System.nanoTime() - last)) {
        Thread.sleep(Duration.ofNanos(left));
      }
      stalled = true;
      body.close();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (IOException closed) {
      // It is what was wanted.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
