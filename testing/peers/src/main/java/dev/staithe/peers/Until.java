package dev.staithe.peers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process brings about. */
public final class Until {
  /**
   * After so long it is not going to happen: only a failure ever waits to this end, so that it is
   * generous with a machine that is busy with other work.
   */
  public static final Duration LONGEST = Duration.ofMinutes(3);

  private Until() {}

  /**
   * Returns as soon as the condition holds.
   *
   * @param what for the failure's message
   * @throws AssertionError where it does not within {@link #LONGEST}
   */
  public static void holds(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after " + LONGEST + " still not: " + what);
      }
      try {
        Thread.sleep(5); // the condition is of another thread or process, which cannot signal
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for: " + what, e);
      }
    }
  }
}
