package dev.staithe.peers.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process brings about. */
public final class Until {
  /**
   * After so long it is not going to happen: only a failure ever waits to this end, so that it is
   * generous with a machine that is busy with other work.
   */
  public static final Duration LONGEST = Duration.ofMinutes(3);

  /** Milliseconds between two looks, at least and at most. */
  private static final int SHORT_PAUSE = 5;

  private static final int LONG_PAUSE = 300;

  /** For so much longer than a look takes it waits for the next one. */
  private static final int PAUSES_IN_A_LOOK = 3;

  private Until() {}

  /**
   * Returns soon after the condition holds. A condition that is dear to look at, as one that needs
   * a request or a program, is looked at more seldom: else two processes work for nothing until
   * what they wait for, which needs the processor too, has happened.
   *
   * @param what for the failure's message
   * @throws AssertionError where it does not within {@link #LONGEST}
   */
  public static void holds(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long now = System.nanoTime();
      if (now > end) {
        throw new AssertionError("after " + LONGEST + " still not: " + what);
      }
      long pause = PAUSES_IN_A_LOOK * (now - began) / 1_000_000;
      try {
        // The condition is of another thread or process, which cannot signal.
        Thread.sleep(Math.clamp(pause, SHORT_PAUSE, LONG_PAUSE));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for: " + what, e);
      }
      began = System.nanoTime();
    }
  }
}
