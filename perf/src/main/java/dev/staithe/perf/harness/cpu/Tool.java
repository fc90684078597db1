package dev.staithe.perf.harness.cpu;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Leash;
import dev.staithe.perf.lean.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A program that does a piece of work and ends, such as {@code curl}. It counts the CPU seconds of
 * all its runs. Not thread-safe.
 */
public final class Tool implements CpuTime {
  /**
   * Two columns, user and system; the second line is of the children. The shell writes the point of
   * the user's language.
   */
  private static final Pattern TIMES = Pattern.compile("(\\d+)m(\\d+)[.,](\\d+)s");

  private final Core core;
  private double cpuSeconds;

  /** Runs on that core. */
  public Tool(Core core) {
    this.core = core;
  }

  /** What the shell's {@code times} says of its children, at the end of what was said. */
  static double cpuSeconds(String said) {
    List<MatchResult> times = TIMES.matcher(said).results().toList();
    return times.subList(Math.max(0, times.size() - 2), times.size()).stream()
        .mapToDouble(
            time ->
                Integer.parseInt(time.group(1)) * 60
                    + Double.parseDouble(time.group(2) + "." + time.group(3)))
        .sum();
  }

  /** CPU seconds of all runs so far, user and system. */
  @Override
  public double getAsDouble() {
    return cpuSeconds;
  }

  /**
   * Runs it to its end.
   *
   * @param input for its standard input, which others on the machine cannot see
   * @param bytes of content that it moves
   * @throws IOException where it cannot be started, or this program is about to end
   */
  public Outcome run(List<String> command, String input, Path folder, long bytes)
      throws IOException {
    // The shell tells what its children took when they are gone, which /proc does not.
    var timed = new ArrayList<>(List.of("bash", "-c", "\"$@\"; s=$?; times; exit $s", "tool"));
    timed.addAll(command);
    var process =
        new ProcessBuilder(core.start(timed))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    try (var _ = Leash.on(process)) {
      return outcome(process, command.getFirst(), input, bytes);
    }
  }

  private Outcome outcome(Process process, String name, String input, long bytes)
      throws IOException {
    long began = System.nanoTime();
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write(input);
    } catch (IOException e) {
      // It did not want it: what it says at its end counts.
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      double seconds = (System.nanoTime() - began) / 1e9;
      cpuSeconds += cpuSeconds(said);
      return status == 0
          ? Outcome.good(1, bytes, seconds)
          : Outcome.failed(seconds, failure(name, status, said));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + name + " ran", e);
    }
  }

  /** One line: what it said before the shell's times. */
  private static String failure(String name, int status, String said) {
    String words =
        said.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !TIMES.matcher(line).lookingAt())
            .reduce((first, second) -> second)
            .orElse("it said nothing");
    return "%s ended with %d: %s".formatted(name, status, words);
  }
}
