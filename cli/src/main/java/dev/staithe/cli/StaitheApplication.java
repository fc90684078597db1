package dev.staithe.cli;

import java.nio.file.Path;
import java.time.Clock;

/** Where the {@code staithe} command begins. */
public final class StaitheApplication {
  private StaitheApplication() {}

  /** Exit codes: 0 done, 1 refused or not possible, 2 wrong arguments. */
  public static void main(String[] arguments) {
    // Not STAITHE_…: services take those for settings of theirs and do not start.
    String home = System.getenv().getOrDefault("STAITHECLI_HOME", "");
    Path folder =
        home.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".config", "staithe")
            : Path.of(home);
    System.exit(
        StaitheCommand.commandLine(new Profile(folder), Terminal.system(), Clock.systemUTC())
            .execute(arguments));
  }
}
