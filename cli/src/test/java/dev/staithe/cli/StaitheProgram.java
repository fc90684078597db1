package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The released command, run as a process for somebody with a profile of his own. */
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
    return end(start(arguments), typed);
  }

  /** Runs it, and it must succeed. */
  Ran done(String typed, String... arguments) {
    Ran ran = run(typed, arguments);
    assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
    return ran;
  }

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

  private static Ran end(Process process, String typed) {
    try {
      try (var in = process.getOutputStream()) {
        in.write(typed.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // It did not want it.
      }
      String output = text(process.getInputStream().readAllBytes());
      String errors = text(process.getErrorStream().readAllBytes());
      assertThat(process.waitFor(Programs.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(output + errors).doesNotContain("\tat ", "Exception");
      return new Ran(process.exitValue(), output, errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
