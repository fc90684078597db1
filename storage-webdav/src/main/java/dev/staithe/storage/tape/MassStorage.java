package dev.staithe.storage.tape;

import dev.staithe.service.process.CommandOutput;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mass storage, as a command of the site's: {@code COMMAND recall FILE}, {@code COMMAND release
 * FILE}, {@code COMMAND status FILE…} (docs/tape.md). It is started without a shell, gets absolute
 * paths as arguments of their own, nothing of this service's environment but the path of programs
 * and the home, and a time limit. Safe for use by many threads.
 */
final class MassStorage {
  private static final Logger log = LoggerFactory.getLogger(MassStorage.class);

  /** How many files are asked about by one command: far from what an argument list may hold. */
  static final int ASKED_AT_ONCE = 100;

  private static final int LONGEST_OUTPUT = 64 * 1024;
  private static final int SHOWN = 500;
  private static final Path NOTHING = Path.of("/dev/null");

  /** How long one that is told to end may take before it is killed. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** How long output is waited for that children of a command that has ended hold open. */
  private static final Duration OUTPUT_AFTER_END = Duration.ofSeconds(1);

  /** What came of a command. */
  sealed interface Answer {
    /** It ended with 0 and wrote these lines. */
    record Done(List<String> lines) implements Answer {}

    /** It did not; {@code line} is safe to show, and the log has more. */
    record Failed(String line) implements Answer {}
  }

  private final List<String> command;
  private final Duration recallTimeout;
  private final Duration answerTimeout;

  MassStorage(TapeSettings settings) {
    this.command = settings.command();
    this.recallTimeout = settings.recallTimeout();
    this.answerTimeout = settings.answerTimeout();
  }

  /** Has a file brought to disk, and waits until it is there; an interrupt ends the command. */
  Answer recall(Path file) {
    return run("recall", List.of(file), recallTimeout);
  }

  /** Says that a file may leave the disk as far as we are concerned. */
  Answer release(Path file) {
    return run("release", List.of(file), answerTimeout);
  }

  /** Asks where files are: one line each, in their order; {@link #ASKED_AT_ONCE} at most. */
  Answer status(List<Path> files) {
    return run("status", files, answerTimeout);
  }

  private Answer run(String verb, List<Path> files, Duration timeout) {
    List<String> arguments = new ArrayList<>(command);
    arguments.add(verb);
    files.forEach(file -> arguments.add(file.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(arguments).redirectInput(Redirect.from(NOTHING.toFile()));
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(List.of("PATH", "HOME", "LANG", "LC_ALL"));
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      log.error("the command of the mass storage cannot be started: {}", e.getMessage());
      return new Answer.Failed("the mass storage cannot be asked");
    }
    CompletableFuture<String> output = CommandOutput.text(process.getInputStream(), LONGEST_OUTPUT);
    CompletableFuture<String> errors = CommandOutput.text(process.getErrorStream(), LONGEST_OUTPUT);
    try {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("{} of {} was ended after {}", verb, shown(files), timeout);
        return new Answer.Failed(
            "the mass storage did not answer within " + timeout.toSeconds() + " s");
      }
      String out = within(output);
      if (process.exitValue() != 0) {
        log.warn(
            "{} of {} ended with {}: {}",
            verb,
            shown(files),
            process.exitValue(),
            line(within(errors)));
        return new Answer.Failed(
            process.exitValue() > 128
                ? "the mass storage's command was killed"
                : "the mass storage failed (exit code " + process.exitValue() + ")");
      }
      return new Answer.Done(out.lines().toList());
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      return new Answer.Failed("cancelled");
    } finally {
      end(process);
    }
  }

  /** Ends what is left of a command, its children first known and then told. */
  private static void end(Process process) {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle()))
            .filter(ProcessHandle::isAlive)
            .toList();
    if (all.isEmpty()) {
      return;
    }
    all.forEach(ProcessHandle::destroy);
    boolean interrupted = Thread.interrupted();
    for (ProcessHandle each : all) {
      try {
        each.onExit().get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException again) {
        interrupted = true;
        each.destroyForcibly();
      } catch (ExecutionException | TimeoutException stillThere) {
        each.destroyForcibly();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static String within(CompletableFuture<String> text) throws InterruptedException {
    try {
      return text.get(OUTPUT_AFTER_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException heldOpen) {
      return "";
    }
  }

  private static String shown(List<Path> files) {
    return files.size() == 1 ? files.getFirst().toString() : files.size() + " files";
  }

  private static String line(String text) {
    String line = text.strip().replaceAll("\\p{Cntrl}+", " ");
    return line.length() > SHOWN ? line.substring(0, SHOWN) : line;
  }
}
