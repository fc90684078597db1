package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.perf.harness.cpu.Cores;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that was ended goes on where it was, and loses one sample at most. */
class JournalIT {
  private static final int ROUNDS = 300;

  @TempDir private Path folder;

  private static Journal.Head head(String revision) {
    return new Journal.Head(
        "storage",
        "smoke",
        Instant.parse("2026-03-01T12:30:00Z"),
        Map.of("processor", "a processor", "revision", revision));
  }

  private static Bench bench(Path folder, Journal journal, double budget) throws IOException {
    return new Bench(
        Site.make(Path.of("..").toAbsolutePath(), Files.createTempDirectory(folder, "site")),
        Files.createTempDirectory(folder, "work"),
        Form.SMOKE,
        Cores.of(2, true),
        new Progress(new PrintStream(OutputStream.nullOutputStream()), false),
        journal,
        budget);
  }

  /** Notes each piece of work in a file before it is measured to its end. */
  private static void measure(Path folder, Bench bench) throws IOException {
    Path works = folder.resolve("works");
    var contestant =
        new Contestant(
            "a",
            () -> 0,
            () -> 0,
            point -> {
              Files.writeString(works, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
              return new Outcome(1, 0, 1000, 1e6, "", "", "");
            },
            () -> {});
    var about = new Experiment("it", "It", "", Measure.RATE, "", List.of("a"), List.of());
    bench.note(about);
    new Rounds(0, new Random(1), bench::note, bench.progress(), bench::has, () -> !bench.affords(0))
        .run(new Trial(about, List.of(Map.of()), List.of(contestant), ROUNDS, 0, 0));
    bench.done("it");
  }

  private static long works(Path folder) throws IOException {
    Path works = folder.resolve("works");
    return Files.exists(works) ? Files.size(works) : 0;
  }

  /** What is killed: a program of its own. */
  static final class Killed {
    private Killed() {}

    /** Measures until somebody kills it. */
    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      try (Journal journal = Journal.open(folder.resolve("journal"), head("one"));
          Bench bench = bench(folder, journal, Double.POSITIVE_INFINITY)) {
        measure(folder, bench);
      }
    }
  }

  @Test
  void aRunThatIsKilledLosesOneSampleAtMostAndGoesOn() throws Exception {
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Killed.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      Eventually.holds("some is measured", () -> worksSoFar() > 20 || !run.isAlive());
    } finally {
      run.destroyForcibly().waitFor();
    }
    long begun = works(folder);
    assertThat(begun).as(Files.readString(folder.resolve("output"))).isBetween(20L, ROUNDS - 1L);

    try (Journal journal = Journal.open(folder.resolve("journal"), head("one"));
        Bench bench = bench(folder, journal, Double.POSITIVE_INFINITY)) {
      int kept = bench.results("storage", true).samples().size();
      assertThat((long) kept).isBetween(begun - 1, begun);
      assertThat(bench.has("it")).isFalse();

      measure(folder, bench);

      assertThat(works(folder)).isEqualTo(begun + ROUNDS - kept);
      Results whole = bench.results("storage", true);
      assertThat(whole.samples()).hasSize(ROUNDS).extracting(Sample::round).doesNotHaveDuplicates();
      assertThat(whole.experiments()).hasSize(1);
      assertThat(whole.started()).isEqualTo(head("one").started());
    }
    try (Journal journal = Journal.open(folder.resolve("journal"), head("one"))) {
      assertThat(journal.has("it")).isTrue();
    }
  }

  private long worksSoFar() {
    try {
      return works(folder);
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void anotherRevisionIsANewSeriesAndSaysSo() throws IOException {
    Path file = folder.resolve("journal");
    try (Journal journal = Journal.open(file, head("one"))) {
      journal.write(Map.of("remark", "of the first"));
      assertThat(journal.remark()).isEmpty();
    }
    try (Journal journal = Journal.open(file, head("one"))) {
      assertThat(journal.found()).hasSize(2);
      assertThat(journal.remark()).isEqualTo("This goes on with what " + file + " had.");
    }

    try (Journal journal = Journal.open(file, head("two"))) {
      assertThat(journal.found()).isEmpty();
      assertThat(journal.remark())
          .isEqualTo(
              "A new series: revision was one and is two. What %1$s had is in %1$s.1."
                  .formatted(file));
    }
    assertThat(folder.resolve("journal.1")).content().contains("of the first");
  }

  @Test
  void anotherCheckoutOfBeforeIsANewSeries() throws IOException {
    Path file = folder.resolve("journal");
    for (String before : List.of("one", "two")) {
      var head =
          new Journal.Head(
              "storage",
              "smoke",
              Instant.parse("2026-03-01T12:30:00Z"),
              Map.of("revision", "three", "revision of before", before));
      try (Journal journal = Journal.open(file, head)) {
        assertThat(journal.found()).isEmpty();
      }
    }
    assertThat(folder.resolve("journal.1")).exists();
  }

  @Test
  void halfALineAtTheEndIsPassedOverAndAnotherFileIsRefused() throws IOException {
    Path file = folder.resolve("journal");
    try (Journal journal = Journal.open(file, head("one"))) {
      journal.write(Map.of("done", "get"));
    }
    byte[] torn = "{\"remark\":\"1 µ".getBytes(StandardCharsets.UTF_8);
    // Half a letter, too.
    Files.write(file, Arrays.copyOf(torn, torn.length - 1), StandardOpenOption.APPEND);
    try (Journal journal = Journal.open(file, head("one"))) {
      journal.write(Map.of("done", "put"));
    }
    try (Journal journal = Journal.open(file, head("one"))) {
      assertThat(journal.has("get")).isTrue();
      assertThat(journal.has("put")).isTrue();
    }

    Path other = Files.writeString(folder.resolve("other"), "something\n");
    assertThatThrownBy(() -> Journal.open(other, head("one")))
        .isInstanceOf(IOException.class)
        .hasMessage(other + " is no journal of a run: name another file by --resume");
    assertThat(other).hasContent("something");
  }

  @Test
  void aBudgetTakesWhatATargetHangsOnFirstAndSaysWhatItLeavesOut() throws IOException {
    var measured = new ArrayList<String>();
    try (Journal journal = Journal.open(folder.resolve("journal"), head("one"));
        Bench bench = bench(folder, journal, 50)) {
      var plan = new Plan(bench, "authn", Set.of());
      for (String id : List.of("ceiling", "users-10", "validate", "logout-lag")) {
        plan.expect(
            id,
            rounds -> {
              measured.add(id);
              bench.done(id);
            });
      }
      plan.carryOut();

      assertThat(measured).containsExactly("validate", "logout-lag", "ceiling", "users-10");
      assertThat(bench.results("authn", true).complete()).isTrue();
    }

    measured.clear();
    try (Journal journal = Journal.open(folder.resolve("journal"), head("one"));
        Bench bench = bench(folder, journal, 0)) {
      var plan = new Plan(bench, "authn", Set.of());
      plan.expect("validate", rounds -> measured.add("validate"));
      plan.expect("users-10-owasp", rounds -> measured.add("users-10-owasp"));
      plan.expect("users-10", rounds -> measured.add("users-10"));
      plan.carryOut();
      assertThat(bench.results("authn", true).complete()).as("all was done before").isTrue();
    }
    try (Journal journal = Journal.open(folder.resolve("fresh"), head("one"));
        Bench bench = bench(folder, journal, 0)) {
      var plan = new Plan(bench, "authn", Set.of());
      plan.expect("validate", rounds -> measured.add("validate"));
      plan.carryOut();
      assertThat(bench.results("authn", true).complete()).isFalse();
    }
    assertThat(measured).isEmpty();
  }

  @Test
  void whatTheNextRunMeasuresIsGivenUpNoLonger() throws IOException {
    for (boolean works : new boolean[] {false, true}) {
      try (Journal journal = Journal.open(folder.resolve("journal"), head("one"));
          Bench bench = bench(folder, journal, Double.POSITIVE_INFINITY)) {
        var plan = new Plan(bench, "authn", Set.of());
        plan.expect(
            "validate",
            rounds -> {
              if (!works) {
                throw new IOException("no database");
              }
              bench.done("validate");
            });
        plan.carryOut();

        assertThat(bench.results("authn", true).remarks())
            .filteredOn(remark -> remark.equals("validate was given up: no database"))
            .hasSize(works ? 0 : 1);
      }
    }
  }

  @Test
  void whatIsLateEndsAfterItsRound() throws IOException {
    var samples = new ArrayList<Sample>();
    var about = new Experiment("it", "It", "", Measure.RATE, "", List.of("a"), List.of());
    var contestant =
        new Contestant(
            "a", () -> 0, () -> 0, point -> new Outcome(1, 0, 1000, 1e6, "", "", ""), () -> {});
    var rounds =
        new Rounds(
            0,
            new Random(1),
            samples::add,
            new Progress(new PrintStream(OutputStream.nullOutputStream()), false),
            (experiment, who, round, point) -> false,
            () -> samples.size() >= 2);

    assertThat(rounds.run(new Trial(about, List.of(Map.of()), List.of(contestant), 9, 0, 0)))
        .isFalse();
    assertThat(samples).hasSize(2);
  }
}
