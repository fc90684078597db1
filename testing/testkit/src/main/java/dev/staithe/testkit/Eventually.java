package dev.staithe.testkit;

import dev.staithe.peers.process.Until;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process brings about. */
public final class Eventually {
  /** After so long it is not going to happen. */
  public static final Duration LONGEST = Until.LONGEST;

  private Eventually() {}

  /**
   * Returns as soon as the condition holds.
   *
   * @param what for the failure's message
   * @throws AssertionError where it does not within {@link #LONGEST}
   */
  public static void holds(String what, BooleanSupplier condition) {
    Until.holds(what, condition);
  }
}
