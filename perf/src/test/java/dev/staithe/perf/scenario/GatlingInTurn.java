package dev.staithe.perf.scenario;

import io.gatling.app.Gatling$;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A JVM in which Gatling runs simulations, one after the other, each by its own settings. It ends
 * with its standard input, and so with who started it. Not thread-safe.
 */
final class GatlingInTurn implements AutoCloseable {
  /** Only a hung simulation takes that. */
  static final Duration LONGEST = Duration.ofMinutes(3);

  private static final String ENDED = "--- ended with ";
  private static final String SETTING = "perf.";

  /**
   * How a run ended.
   *
   * @param code 0 where all assertions held, 2 where one did not
   */
  record Run(int code, String output) {}

  private final Process process;
  private final BufferedReader said;
  private final BufferedWriter told;

  private GatlingInTurn(Process process) {
    this.process = process;
    this.said = process.inputReader(StandardCharsets.UTF_8);
    this.told = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts it.
   *
   * @param java the command, but for the class
   */
  static GatlingInTurn start(List<String> java) throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add(GatlingInTurn.class.getName());
    return new GatlingInTurn(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /**
   * Runs one simulation.
   *
   * @param settings each as {@code perf.NAME=VALUE}
   * @param arguments of Gatling
   */
  Run run(List<String> settings, List<String> arguments) throws IOException {
    for (List<String> lines : List.of(settings, arguments)) {
      for (String line : lines) {
        told.write(line + "\n");
      }
    }
    told.write("\n");
    told.flush();
    return CompletableFuture.supplyAsync(this::answer)
        .orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private Run answer() {
    var output = new StringBuilder();
    try {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.startsWith(ENDED)) {
          return new Run(Integer.parseInt(line.substring(ENDED.length())), output.toString());
        }
        output.append(line).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("the JVM of the simulations ended: " + output);
  }

  /** In that JVM: settings, arguments and an empty line for each run. */
  public static void main(String[] args) throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // A simulation's own, as which authority to trust, are not the next one's.
    Properties own = (Properties) System.getProperties().clone();
    List<String> arguments = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith(SETTING)) {
        int equals = line.indexOf('=');
        System.setProperty(line.substring(0, equals), line.substring(equals + 1));
      } else if (!line.isEmpty()) {
        arguments.add(line);
      } else {
        int code = Gatling$.MODULE$.fromArgs(arguments.toArray(String[]::new));
        System.out.println("\n" + ENDED + code);
        System.setProperties((Properties) own.clone());
        arguments.clear();
      }
    }
    // Gatling has threads of its own, for which nobody waits.
    System.exit(0);
  }

  @Override
  public void close() throws IOException {
    told.close();
    try {
      process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
