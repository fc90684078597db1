package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.ManagedProcess;
import dev.staithe.peers.Unprivileged;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A start of a released jar that cannot succeed, in a process of its own: what an operator sees of
 * it. Listens, should it start after all, at a port of the loopback address that the system
 * chooses. Needs {@code mvn package}.
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

  /** Starts it as {@code nobody}, where the tests run as root, who may do everything. */
  public RefusedStart unprivileged() {
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

  /** What it said where the log is to tell more: after the line, the trace. */
  public String debugged(String setting) {
    given(setting);
    String output = run();
    assertThat(output).contains(service + " did not start: ").contains(TRACE);
    return output;
  }

  private String run() {
    List<String> command = new ArrayList<>(prefix);
    List<String> arguments =
        settings.entrySet().stream()
            .map(each -> "--" + each.getKey() + "=" + each.getValue())
            .toList();
    command.addAll(ReleasedJar.command(jar(), arguments, "-Xmx192m"));
    try {
      Path log = Files.createTempFile("refused", ".log");
      try (ManagedProcess process =
          ManagedProcess.start(command, Map.of("LC_ALL", "C.UTF-8"), log)) {
        assertThat(process.awaitEnd(LONGEST)).as(process.output()).isEqualTo(2);
        return Files.readString(log, StandardCharsets.UTF_8);
      } finally {
        Files.delete(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where {@code nobody} finds it, too: a checkout may be in a folder of one user. */
  private Path jar() {
    Path built = Path.of("target", service + ".jar").toAbsolutePath();
    if (prefix.isEmpty()) {
      return built;
    }
    Path reachable = folder.resolve(service + ".jar");
    try {
      if (!Files.exists(reachable)) {
        Files.copy(built, reachable);
      }
      return reachable;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
