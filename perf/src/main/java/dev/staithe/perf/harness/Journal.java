package dev.staithe.perf.harness;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run finds, written line by line as it is found, so that a later run goes on where this one
 * ended: whoever kills it takes the sample that is being measured and no other. Thread-safe.
 */
public final class Journal implements AutoCloseable {
  /** Facts without which two series are of two machines, or of two programs. */
  private static final List<String> SAME =
      List.of("processor", "caches", "cores", "kernel", "java", "revision", "revision of before");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              all -> all.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  /**
   * The first line.
   *
   * @param facts of the machine, and the revision
   */
  public record Head(String study, String form, Instant started, Map<String, String> facts) {
    /** Why what another run found does not belong to this one; empty where it does. */
    private String unlike(Head other) {
      var differs = new TreeSet<String>();
      if (!study.equals(other.study) || !form.equals(other.form)) {
        differs.add(
            "it is of %s, %s form, and this is %s, %s form"
                .formatted(other.study, other.form, study, form));
      }
      for (String fact : SAME) {
        String now = facts.getOrDefault(fact, "unknown");
        String then = other.facts.getOrDefault(fact, "unknown");
        if (!now.equals(then)) {
          differs.add("%s was %s and is %s".formatted(fact, then, now));
        }
      }
      return String.join("; ", differs);
    }
  }

  /**
   * A line: one of these.
   *
   * @param done the id of an experiment that was measured to its end
   * @param seconds that all runs have taken so far
   */
  public record Entry(
      @Nullable Head head,
      Results.@Nullable Party party,
      @Nullable Experiment experiment,
      @Nullable Sample sample,
      Results.@Nullable Profile profile,
      Results.@Nullable Series series,
      @Nullable String remark,
      @Nullable String done,
      @Nullable Double seconds) {}

  private final @Nullable OutputStream out;
  private final Head head;
  private final List<Entry> found;
  private final String remark;
  private final Set<String> done = new HashSet<>();

  private Journal(@Nullable OutputStream out, Head head, List<Entry> found, String remark) {
    this.out = out;
    this.head = head;
    this.found = found;
    this.remark = remark;
    found.stream().map(Entry::done).filter(Objects::nonNull).forEach(done::add);
  }

  /** Where nothing is to be gone on with. */
  public static Journal none(Head head) {
    return new Journal(null, head, List.of(), "");
  }

  /**
   * Goes on with a file, or begins it. One of another machine, revision, study or form is put aside
   * as {@code FILE.1} and so on.
   *
   * @throws IOException where it is no journal, or cannot be written, in one line
   */
  public static Journal open(Path file, Head head) throws IOException {
    List<Entry> before = read(file);
    Optional<Head> other = before.stream().map(Entry::head).filter(Objects::nonNull).findFirst();
    String unlike = other.map(head::unlike).orElse("");
    String remark = "";
    if (other.isPresent() && !unlike.isEmpty()) {
      Path aside = free(file);
      Files.move(file, aside);
      remark = "A new series: %s. What %s had is in %s.".formatted(unlike, file, aside);
      before = List.of();
    } else if (other.isPresent()) {
      remark = "This goes on with what %s had.".formatted(file);
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    // The last line of a run that was killed may be half a line.
    out.write('\n');
    var journal = new Journal(out, before.isEmpty() ? head : other.orElse(head), before, remark);
    if (before.isEmpty()) {
      journal.write(Map.of("head", head));
    }
    return journal;
  }

  private static Path free(Path file) {
    for (int i = 1; ; i++) {
      Path aside = file.resolveSibling(file.getFileName() + "." + i);
      if (!Files.exists(aside)) {
        return aside;
      }
    }
  }

  private static List<Entry> read(Path file) throws IOException {
    List<String> lines;
    try {
      // Not readString, which takes no file whose end is half a letter.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      lines = text.lines().filter(line -> !line.isBlank()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
    var entries = new ArrayList<Entry>();
    for (String line : lines) {
      try {
        entries.add(JSON.readValue(line, Entry.class));
      } catch (JacksonException torn) {
        // What was being written when somebody killed the run.
      }
    }
    if (!lines.isEmpty() && (entries.isEmpty() || entries.getFirst().head() == null)) {
      throw new IOException(file + " is no journal of a run: name another file by --resume");
    }
    return entries;
  }

  /** When the first run of the series began. */
  public Instant started() {
    return head.started();
  }

  /** What runs before this one had found, in its order. */
  public List<Entry> found() {
    return found;
  }

  /** What a reader should know of it; empty where there is nothing. */
  public String remark() {
    return remark;
  }

  /** Whether an experiment was measured to its end before. */
  public boolean has(String experiment) {
    return done.contains(experiment);
  }

  /**
   * Keeps a line, before anything else is measured.
   *
   * @param entry what is there of an {@link Entry}, by its name
   */
  public synchronized void write(Map<String, ?> entry) {
    if (out == null) {
      return;
    }
    try {
      // In one call: the kernel has all of it or nothing, whatever becomes of this process.
      out.write((JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the journal cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
