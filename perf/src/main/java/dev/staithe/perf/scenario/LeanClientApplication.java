package dev.staithe.perf.scenario;

import java.io.IOException;
import java.time.Clock;

/** Where the process of a {@link LeanClient} begins. */
public final class LeanClientApplication {
  private LeanClientApplication() {}

  /** Serves tasks until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    LeanClient.serve(Clock.systemUTC());
  }
}
