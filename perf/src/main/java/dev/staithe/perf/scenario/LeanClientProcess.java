package dev.staithe.perf.scenario;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Leash;
import dev.staithe.perf.lean.Assignment;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.user.UserDriver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A {@link LeanClient} in a process of its own. Not thread-safe. */
public final class LeanClientProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final Writer tasks;
  private final Path log;
  private final Leash leash;
  private volatile boolean ended;

  private LeanClientProcess(Process process, Path log) throws IOException {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.tasks = process.outputWriter(StandardCharsets.UTF_8);
    this.log = log;
    this.leash = Leash.on(process);
  }

  /**
   * Starts one with the Java runtime and class path of this process.
   *
   * @param core where it may run
   * @param log where its complaints go
   */
  public static LeanClientProcess start(Core core, Path log) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                // Most of it for messages that are secured ahead; other tasks need a fraction.
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LeanClientApplication.class.getName()));
    var process =
        new ProcessBuilder(core.start(command))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new LeanClientProcess(process, log);
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it still runs. Any thread may ask. */
  public boolean runs() {
    return !ended && process.isAlive();
  }

  /** Who wants to know how far users are. */
  public interface Watcher {
    /** One who does not want to know. */
    Watcher NOBODY =
        new Watcher() {
          @Override
          public void measureBegins() {}

          @Override
          public void measureEnds() {}
        };

    /** Requests begin to count. */
    void measureBegins();

    /** They no longer count. */
    void measureEnds();
  }

  /**
   * Has something done that nobody watches.
   *
   * @throws IOException where it has ended, in one line
   */
  public Outcome perform(Assignment task) throws IOException {
    return perform(task, Watcher.NOBODY);
  }

  /**
   * Has something done.
   *
   * @param watcher told at once, on the calling thread, where users are to do it
   * @throws IOException where it has ended, in one line
   */
  public Outcome perform(Assignment task, Watcher watcher) throws IOException {
    begin(task);
    while (true) {
      String line = answer();
      switch (line) {
        case UserDriver.MEASURE -> watcher.measureBegins();
        case UserDriver.COOL -> watcher.measureEnds();
        default -> {
          return outcome(line);
        }
      }
    }
  }

  private void begin(Assignment task) throws IOException {
    try {
      tasks.write(JsonMapper.shared().writeValueAsString(task));
      tasks.write('\n');
      tasks.flush();
    } catch (IOException e) {
      ended = true;
      throw new IOException("the lean client has ended: " + lastWords(), e);
    }
  }

  private String answer() throws IOException {
    String line;
    try {
      line = answers.readLine();
    } catch (IOException e) {
      ended = true;
      throw new IOException("the lean client has ended: " + lastWords(), e);
    }
    if (line == null) {
      ended = true;
      throw new IOException("the lean client has ended: " + lastWords());
    }
    return line;
  }

  private static Outcome outcome(String line) throws IOException {
    try {
      return JsonMapper.shared().readValue(line, Outcome.class);
    } catch (JacksonException e) {
      throw new IOException("the lean client answered nonsense: " + line, e);
    }
  }

  @Override
  public void close() {
    leash.close();
  }

  private String lastWords() throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> !line.isBlank())
        .reduce((first, second) -> second)
        .orElse("it said nothing");
  }
}
