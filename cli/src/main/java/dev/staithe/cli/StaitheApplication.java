package dev.staithe.cli;

import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;

/** Where the {@code staithe} command begins. */
public final class StaitheApplication {
  private StaitheApplication() {}

  /** Exit codes: 0 done, 1 refused or not possible, 2 wrong arguments. */
  public static void main(String[] arguments) {
    // Before the parser of arguments, which takes longer to load than this to answer.
    if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
      System.out.println(StaitheCommand.Version.line());
      return;
    }
    // URLs and what scripts read have numbers in them: of some languages the digits are not 0 to 9.
    Locale.setDefault(Locale.ENGLISH);
    // Not STAITHE_…: services take those for settings of theirs and do not start.
    String home = System.getenv().getOrDefault("STAITHECLI_HOME", "");
    Path folder =
        home.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".config", "staithe")
            : Path.of(home);
    System.exit(
        Commands.commandLine(
                new Profile(folder, System.getenv()),
                Terminal.system(),
                Clock.systemUTC(),
                arguments)
            .execute(arguments));
  }
}
