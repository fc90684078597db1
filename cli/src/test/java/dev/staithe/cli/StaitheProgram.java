package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The command, for somebody with a profile of his own. It runs in the process of the test, as a
 * process of its own takes a second of the processor; {@link #start} runs the released one, which
 * {@link LauncherIT} and {@link DevelopmentStartIT} show too.
 */
final class StaitheProgram {
  private static final Path LAUNCHER = Path.of("staithe").toAbsolutePath();

  private final Path home;
  private final Map<String, String> more = new HashMap<>();

  /** What a run of the command came to. */
  record Ran(int code, String output, String errors) {}

  /**
   * @param home where it keeps its sessions
   */
  StaitheProgram(Path home) {
    this.home = home;
  }

  /** With a variable in its environment. */
  StaitheProgram with(String name, String value) {
    more.put(name, value);
    return this;
  }

  Path home() {
    return home;
  }

  /** Runs it; what is typed goes to its standard input. */
  Ran run(String typed, String... arguments) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.putAll(more);
    var output = new StringWriter();
    var errors = new StringWriter();
    var terminal =
        new Terminal(
            null,
            new BufferedReader(new StringReader(typed)),
            new PrintWriter(output, true),
            new PrintWriter(errors, true));
    int code =
        Commands.commandLine(new Profile(home, environment), terminal, Clock.systemUTC(), arguments)
            .execute(arguments);
    assertThat(output.toString() + errors).doesNotContain("\tat ", "Exception");
    return new Ran(code, output.toString(), errors.toString());
  }

  /** Runs it, and it must succeed. */
  Ran done(String typed, String... arguments) {
    Ran ran = run(typed, arguments);
    assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
    return ran;
  }

  /** Starts the released command as a process, by its launcher. */
  Process start(String... arguments) {
    var command = new ArrayList<String>();
    command.add(LAUNCHER.toString());
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().put("STAITHECLI_HOME", home.toString());
    builder.environment().putAll(more);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
