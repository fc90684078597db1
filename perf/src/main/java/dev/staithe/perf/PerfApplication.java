package dev.staithe.perf;

import java.time.Clock;

/** Where {@code perf/run} begins. */
public final class PerfApplication {
  private PerfApplication() {}

  /** Exit codes: 0 done, 1 given up with a reason, 2 wrong arguments. */
  public static void main(String[] arguments) {
    System.setProperty("java.awt.headless", "true");
    System.setProperty("perf.command", PerfApplication.class.getName());
    System.exit(PerfCommand.commandLine(Clock.systemUTC()).execute(arguments));
  }
}
