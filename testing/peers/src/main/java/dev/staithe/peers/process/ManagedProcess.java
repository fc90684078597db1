package dev.staithe.peers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that was started and is ended by its process id, with all that descends from it; at the
 * end of this JVM at the latest. Its input is empty, its output goes to a file. Thread-safe.
 */
public final class ManagedProcess implements AutoCloseable {
  /** What is read by who is told nothing. */
  public static final Path NOTHING = Path.of("/dev/null");

  /** The file of a folder that output goes to; an existing one is emptied and keeps its owner. */
  public static final String OUTPUT = "output";

  /** After so long it is not going to happen, however busy the machine is. */
  static final Duration LONGEST = Duration.ofMinutes(5);

  private static final int ATTEMPTS = 5;

  /** Short, because the time until the first answer is measured… */
  private static final int LOOK_AGAIN_MS = 10;

  /** …but looking costs CPU too: what takes long is looked at less often. */
  private static final int LOOKS_IN_A_WAIT = 100;

  /** Stack frames, decoration, and Apache's resignation after the reason. */
  private static final Pattern NOISE =
      Pattern.compile(
          "\\s*(at .*\\(.*\\)|\\.\\.\\. \\d+ (more|common frames.*)|[-=*_.\\s]*|-{4,}.*)|AH00015.*");

  private static final Set<ManagedProcess> RUNNING = ConcurrentHashMap.newKeySet();

  /** Set when this JVM ends: from then on nothing is started any more. */
  private static volatile boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ManagedProcess::endAll, "end peers"));
  }

  private final String name;
  private final Process process;
  private final Path output;
  private final List<Integer> ports;
  private final List<String> command;

  private ManagedProcess(
      String name, Process process, Path output, List<Integer> ports, List<String> command) {
    this.name = name;
    this.process = process;
    this.output = output;
    this.ports = ports;
    this.command = command;
  }

  /** What is to be run, once the ports are known. */
  @FunctionalInterface
  public interface Plan {
    /** Writes the configuration for these ports and tells the command. */
    List<String> command(List<Integer> ports) throws IOException;
  }

  /**
   * Starts a program and waits until it listens at all of its ports; begins again at other ports
   * where somebody took one of them meanwhile.
   *
   * @param name for messages
   * @param folder its working folder
   * @param ports how many it listens at
   * @param core which cores it may use
   * @throws IOException in one line, where it ends or does not listen; it no longer runs then
   */
  public static ManagedProcess start(String name, Path folder, int ports, Core core, Plan plan)
      throws IOException {
    return start(name, folder, ports, core, LONGEST, plan);
  }

  /**
   * The same for one that takes longer.
   *
   * @param patience until it listens at a port
   */
  static ManagedProcess start(
      String name, Path folder, int ports, Core core, Duration patience, Plan plan)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<Integer> free = Listening.freePorts(ports);
      Path output = Files.write(folder.resolve(OUTPUT), new byte[0]);
      ManagedProcess started =
          run(name, folder, output, Map.of(), free, core.start(plan.command(free)));
      try {
        for (int port : free) {
          started.await("listen at port " + port, patience, () -> started.listensAt(port));
        }
        return started;
      } catch (IOException e) {
        started.close();
        if (attempt == ATTEMPTS || free.stream().noneMatch(Listening::isTaken)) {
          throw e;
        }
      }
    }
  }

  /**
   * Starts a program that is told by its command what it needs, in the working folder of this JVM.
   *
   * @param command the program and its arguments; no secrets, everyone can see them
   * @param environment added to the one of this JVM
   * @param output where its output goes, after what is there
   */
  public static ManagedProcess start(
      List<String> command, Map<String, String> environment, Path output) {
    try {
      return run(command.getFirst(), null, output, environment, List.of(), command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ManagedProcess run(
      String name,
      @Nullable Path folder,
      Path output,
      Map<String, String> environment,
      List<Integer> ports,
      List<String> command)
      throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process process;
    try {
      process =
          builder
              .directory(folder == null ? null : folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .redirectInput(NOTHING.toFile())
              .start();
    } catch (IOException e) {
      throw new IOException(name + " does not start: " + e.getMessage(), e);
    }
    var started = new ManagedProcess(name, process, output, ports, command);
    RUNNING.add(started);
    if (ending) {
      // Perhaps the hook has looked before it was there.
      started.close();
      throw new IOException("interrupted while " + name + " starts");
    }
    return started;
  }

  private static void endAll() {
    ending = true;
    RUNNING.parallelStream().forEach(ManagedProcess::close);
  }

  private boolean listensAt(int port) {
    return Listening.at(port, process.toHandle());
  }

  /**
   * Waits until it does something.
   *
   * @param what for the message, as {@code answer at https://localhost:8443/}
   * @throws IOException in one line with its last words, where it ends or takes too long
   */
  public void await(String what, BooleanSupplier does) throws IOException {
    await(what, LONGEST, does);
  }

  /** The same for what takes longer. */
  public void await(String what, Duration patience, BooleanSupplier does) throws IOException {
    await(what, patience, LOOK_AGAIN_MS, does);
  }

  /**
   * The same where looking costs what is waited for.
   *
   * @param pause milliseconds between two looks
   */
  public void await(String what, Duration patience, int pause, BooleanSupplier does)
      throws IOException {
    long began = System.nanoTime();
    long end = began + patience.toNanos();
    while (!does.getAsBoolean()) {
      long soFar = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      try {
        if (process.waitFor(Math.max(pause, soFar / LOOKS_IN_A_WAIT), TimeUnit.MILLISECONDS)) {
          throw new IOException(
              "%s ended with code %d: %s".formatted(name, process.exitValue(), lastWords()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + name + " starts", e);
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "%s did not %s within %d s: %s"
                .formatted(name, what, patience.toSeconds(), lastWords()));
      }
    }
  }

  /**
   * Waits until there is an answer at an address; it no longer runs where there is none.
   *
   * @param authority that the server's certificate must be of
   */
  public void awaitAnswer(URI address, Path authority) throws IOException {
    try {
      await("answer at " + address, () -> FirstAnswer.comesFrom(address, authority));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The last line of its output that says something. */
  private String lastWords() {
    try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> !NOISE.matcher(line).matches())
          .reduce((first, second) -> second)
          .map(String::strip)
          .orElse("it said nothing");
    } catch (IOException e) {
      return "its output cannot be read: " + e.getMessage();
    }
  }

  /** What it has written so far. */
  public String output() {
    try {
      return Files.readString(output, StandardCharsets.ISO_8859_1);
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
    try {
      await("listen at port " + port, longest, () -> Listening.somebodyAt(port));
    } catch (IOException e) {
      throw new AssertionError(e.getMessage() + "\n" + output(), e);
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

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it at once, as {@code kill -9} does; not what it has started. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(LONGEST);
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** One of the ports that it was given. */
  public int port(int index) {
    return ports.get(index);
  }

  /** The command that it was started by. */
  public List<String> command() {
    return command;
  }

  /**
   * Asks it and its descendants to end, and ends those that still run after ten seconds.
   * Interrupted it insists at once.
   */
  @Override
  public void close() {
    List<ProcessHandle> tree = new ArrayList<>();
    tree.add(process.toHandle());
    process.descendants().forEach(tree::add);
    Leash.end(tree);
    RUNNING.remove(this);
  }
}
