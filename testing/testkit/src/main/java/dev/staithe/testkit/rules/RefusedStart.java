package dev.staithe.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Unprivileged;
import dev.staithe.testkit.ReleasedJar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A start that cannot succeed: what an operator sees of it. It is that of the released jar in a
 * process of its own, which needs {@code mvn package}, or one in the test's process. Listens,
 * should it start after all, at a port of the loopback address that the system chooses.
 */
public final class RefusedStart {
  private static final Duration LONGEST = Duration.ofSeconds(180);
  private static final String TRACE = "\tat ";

  /** Of files of this size and more none is read for traces. */
  private static final long LARGE = 1L << 20;

  private final String service;
  private final Path folder;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final List<String> prefix = new ArrayList<>();
  private @Nullable Function<String[], ? extends Optional<? extends AutoCloseable>> here;
  private int status;

  private RefusedStart(String service, Path folder) {
    this.service = service;
    this.folder = folder;
  }

  /**
   * Begins one without TLS.
   *
   * @param service whose jar is in {@code target}
   * @param folder of the test, for its files
   */
  public static RefusedStart of(String service, Path folder) {
    return new RefusedStart(service, folder)
        .with("server.address", "127.0.0.1")
        .with("server.port", 0)
        .with("staithe.tls.enabled", false);
  }

  /** Adds a setting, or changes one. */
  public RefusedStart with(String key, Object value) {
    settings.put(key, value);
    return this;
  }

  /** Adds settings as {@code key=value}; {@code ~} stands for the folder. */
  public RefusedStart given(String... pairs) {
    for (String pair : pairs) {
      String[] parts = pair.split("=", 2);
      with(parts[0], parts[1].replace("~", folder.toString()));
    }
    return this;
  }

  /**
   * Starts it in this process, which is much cheaper. What only a process shows, each service's
   * test has of one start: its status, and that nothing but the line is written.
   *
   * @param start of the service by its arguments, which gives it where it runs after all
   */
  public RefusedStart here(Function<String[], ? extends Optional<? extends AutoCloseable>> start) {
    here = start;
    return this;
  }

  /**
   * Starts it where programs are found in that folder alone: in a process of its own.
   *
   * @param programs a folder, perhaps of links
   */
  public RefusedStart findingProgramsIn(Path programs) {
    here = null;
    prefix.clear();
    prefix.addAll(List.of("env", "PATH=" + programs));
    return this;
  }

  /**
   * Starts it as {@code nobody} where the tests run as root, who may do everything: in a process of
   * its own.
   */
  public RefusedStart unprivileged() {
    here = null;
    prefix.clear();
    prefix.addAll(Unprivileged.prefix());
    Unprivileged.reach(folder);
    return this;
  }

  /**
   * What it said after {@code SERVICE did not start:}, in the one line that there is beside those
   * of what went well; {@code ~} stands for the folder. Nothing that it wrote has a stack trace.
   */
  public String line() {
    String output = run();
    List<String> lines = output.lines().filter(line -> !line.contains(" INFO ")).toList();
    String begin = service + " did not start: ";
    assertThat(lines).as(output).hasSize(1).first().asString().startsWith(begin);
    assertThat(output).doesNotContain(TRACE);
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(RefusedStart::holdsTrace)).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines.getFirst().substring(begin.length()).replace(folder.toString(), "~");
  }

  /** Of the process that was started last: 78 where what is configured is wrong, else 2. */
  public int status() {
    return status;
  }

  /** What it said where the log is to tell more: after the line, the trace. */
  public String debugged(String setting) {
    given(setting);
    String output = run();
    assertThat(output).contains(service + " did not start: ").contains(TRACE);
    return output;
  }

  private String run() {
    List<String> arguments =
        settings.entrySet().stream()
            .map(each -> "--" + each.getKey() + "=" + each.getValue())
            .toList();
    return here == null
        ? process(arguments)
        : StartHere.refused(here, arguments.toArray(String[]::new));
  }

  private String process(List<String> arguments) {
    List<String> command = new ArrayList<>(prefix);
    try {
      command.addAll(ReleasedJar.command(jar(), arguments, "-Xmx192m"));
      Path log = Files.createTempFile("refused", ".log");
      try (ManagedProcess process =
          ManagedProcess.start(command, Map.of("LC_ALL", "C.UTF-8"), log)) {
        status = process.awaitEnd(LONGEST);
        assertThat(status).as(process.output()).isIn(2, 78);
        return Files.readString(log, StandardCharsets.UTF_8);
      } finally {
        Files.delete(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where {@code nobody} finds it, too: a checkout may be in a folder of one user. */
  private Path jar() throws IOException {
    Path target = Path.of("target");
    if (prefix.isEmpty()) {
      return target.resolve(service + ".jar");
    }
    // Its time too, by which the cache of its classes knows it.
    for (String name : List.of(service + ".jar", service + ".aot")) {
      Path built = target.resolve(name);
      Path reachable = folder.resolve(name);
      if (Files.exists(built) && Files.notExists(reachable)) {
        Files.copy(built, reachable, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return folder.resolve(service + ".jar");
  }

  private static boolean holdsTrace(Path file) {
    try {
      return Files.isRegularFile(file)
          && Files.isReadable(file)
          && Files.size(file) < LARGE
          && Files.readString(file, StandardCharsets.ISO_8859_1).contains(TRACE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
