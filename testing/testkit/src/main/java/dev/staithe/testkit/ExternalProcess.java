package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that runs beside a test: its output goes to a file, and it and what it has started are
 * ended by their process ids, also when the test's JVM ends before.
 */
public final class ExternalProcess implements AutoCloseable {
  /** Who has not ended by then when asked to is made to. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final String name;
  private final Process process;
  private final Path log;
  private final Thread atExit;

  private ExternalProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.atExit = new Thread(() -> all().forEach(ProcessHandle::destroyForcibly));
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts a program.
   *
   * @param command the program and its arguments; no secrets, everyone can see them
   * @param environment added to the one of this JVM
   * @param log where its output goes
   */
  public static ExternalProcess start(
      List<String> command, Map<String, String> environment, Path log) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try {
      return new ExternalProcess(command.getFirst(), builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it has written so far. */
  public String output() {
    try {
      return Files.readString(log, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Waits until something listens at a port of the loopback address.
   *
   * @throws AssertionError with the program's output where it ends or does not listen in time
   */
  public void awaitPort(int port, Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    while (!listens(port)) {
      if (!process.isAlive()) {
        throw new AssertionError(name + " ended with " + process.exitValue() + ":\n" + output());
      }
      if (System.nanoTime() > end) {
        throw new AssertionError(name + " does not listen at port " + port + ":\n" + output());
      }
      try {
        if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
          continue; // the reason is told above
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while " + name + " starts", e);
      }
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits for its end and returns the exit code. */
  public int awaitEnd(Duration longest) {
    try {
      if (process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new AssertionError(name + " did not end within " + longest + ":\n" + output());
  }

  /** Ends it at once, as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(Eventually.LONGEST);
  }

  /** It and what it has started; some servers leave their workers behind. */
  private List<ProcessHandle> all() {
    return Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
  }

  /** Asks it to end, and ends it if it does not; then what it had started. */
  @Override
  public void close() {
    List<ProcessHandle> started = all();
    try {
      process.destroy();
      if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
      forgetAtExit();
    }
  }

  private void forgetAtExit() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException shuttingDown) {
      // the hook does the rest
    }
  }
}
