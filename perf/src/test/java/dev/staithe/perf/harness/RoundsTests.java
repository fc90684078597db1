package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RoundsTests {
  private static final CpuTime NATIVE = () -> 0;

  /** Has compilers, which are done. */
  private static final CpuTime COMPILED =
      new CpuTime() {
        @Override
        public double getAsDouble() {
          return 0;
        }

        @Override
        public double compiling() {
          return 0.1;
        }
      };

  private static final List<Map<String, String>> POINTS =
      List.of(Map.of("size", "1"), Map.of("size", "2"));

  /** So long that nothing else on the machine takes a share of it that counts. */
  private static final double LONG = 1e6;

  /** What warming up has to come to. */
  private static final long REQUESTS = 3;

  private static final Outcome GOOD = new Outcome(1, 0, 1000, LONG, "", "", "");
  private static final Outcome FAILED = new Outcome(0, 2, 0, 1, "", "", "it fell over");
  private static final Outcome HALF_FAILED = new Outcome(7, 1, 1000, 1, "", "", "one fell over");

  private final List<Sample> samples = new ArrayList<>();

  @Test
  void everyRoundHasEachContestantOnceAtEachPointBeforeTheNextBegins() throws IOException {
    run(1, trial(5, 0, POINTS, steady("a"), steady("b"), steady("c")));

    assertThat(samples).hasSize(30).allMatch(Sample::counts);
    for (int round = 0; round < 5; round++) {
      List<Sample> of = samples.subList(round * 6, round * 6 + 6);
      assertThat(of).extracting(Sample::round).containsOnly(round + 1);
      assertThat(of)
          .extracting(sample -> sample.contestant() + sample.point().get("size"))
          .containsExactlyInAnyOrder("a1", "a2", "b1", "b2", "c1", "c2");
    }
  }

  @Test
  void theOrderDiffersFromRoundToRound() throws IOException {
    run(1, trial(5, 0, POINTS, steady("a"), steady("b"), steady("c")));

    var orders = new HashSet<List<String>>();
    for (int round = 0; round < 5; round++) {
      orders.add(
          samples.subList(round * 6, round * 6 + 6).stream()
              .map(sample -> sample.contestant() + sample.point())
              .toList());
    }
    assertThat(orders).hasSizeGreaterThan(1);
  }

  @Test
  void warmingUpEndsWhenTheFigureStopsMovingAndIsNoSample() throws IOException {
    var seconds = new ArrayList<>(List.of(8.0, 4.0, 2.0, 1.0, 1.01, 0.99));
    var works = new ArrayList<String>();
    run(
        1,
        trial(
            1,
            12,
            POINTS.subList(0, 1),
            contestant(
                "a",
                () -> {
                  works.add("a");
                  double next = LONG * (seconds.isEmpty() ? 1 : seconds.removeFirst());
                  return new Outcome(1, 0, 1000, next, "", "", "");
                })));

    assertThat(seconds).as("used for warming up").isEmpty();
    assertThat(works).hasSize(6 + 1);
    assertThat(samples).extracting(Sample::round).containsOnly(1);
  }

  @Test
  void warmingUpEndsWhereTheFigureNeverStopsMoving() throws IOException {
    var works = new ArrayList<Double>();
    run(
        1,
        trial(
            1,
            4,
            POINTS.subList(0, 1),
            contestant(
                "a",
                () -> {
                  works.add(LONG * Math.pow(2, works.size()));
                  return new Outcome(1, 0, 1000, works.getLast(), "", "", "");
                })));

    assertThat(works).hasSize(4 + 1);
  }

  /** A steady figure may be that of code which is about to be compiled. */
  @Test
  void warmingUpGoesOnWhileTheCompilerIsAtWork() throws IOException {
    var works = new ArrayList<String>();
    var server =
        new CpuTime() {
          @Override
          public double getAsDouble() {
            return works.size();
          }

          @Override
          public double compiling() {
            return 0.3 * Math.min(7, works.size());
          }
        };
    Contestant.Work work =
        _ -> {
          works.add("a");
          return GOOD;
        };
    run(
        1,
        trial(1, 20, POINTS.subList(0, 1), new Contestant("a", server, () -> 0, work, () -> {})));

    assertThat(works).as("eight to warm up, and the one that counts").hasSize(8 + 1);
  }

  @Test
  void warmingUpGoesOnUntilACompilerHadAsManyRequestsAsItTakes() throws IOException {
    for (CpuTime server : List.of(COMPILED, NATIVE)) {
      var works = new ArrayList<String>();
      Contestant.Work work =
          _ -> {
            works.add("a");
            return GOOD;
          };
      var contestant = new Contestant("a", server, () -> 0, work, () -> {});
      var about = new Experiment("it", "It", "", Measure.RATE, "size", List.of(), List.of());
      run(1, new Trial(about, POINTS.subList(0, 1), List.of(contestant), 1, 20, 11));

      assertThat(works).hasSize((server == COMPILED ? 11 : 3) + 1);
    }
  }

  @Test
  void requestsOfDifferentKindsAreEachWarmedUpAndThoseAlongAnAxisAtItsFirstPoint()
      throws IOException {
    for (String axis : List.of("", "size")) {
      var works = new ArrayList<Map<String, String>>();
      Contestant.Work work =
          point -> {
            works.add(point);
            return GOOD;
          };
      var contestant = new Contestant("a", COMPILED, () -> 0, work, () -> {});
      var about = new Experiment("it", "It", "", Measure.RATE, axis, List.of(), List.of());
      run(1, new Trial(about, POINTS, List.of(contestant), 1, 20, 5));

      List<Map<String, String>> warmed = works.subList(0, works.size() - POINTS.size());
      var expected = new ArrayList<Map<String, String>>();
      for (Map<String, String> point : axis.isEmpty() ? POINTS : POINTS.subList(0, 1)) {
        expected.addAll(Collections.nCopies(5, point));
      }
      assertThat(warmed).isEqualTo(expected);
    }
  }

  @Test
  void threeFiguresWithinEightPercentAreSteady() {
    assertThat(Rounds.steady(List.of(1.0, 1.0))).isFalse();
    assertThat(Rounds.steady(List.of(1.0, 1.07, 1.03))).isTrue();
    assertThat(Rounds.steady(List.of(1.0, 1.1, 1.03))).isFalse();
    assertThat(Rounds.steady(List.of(9.0, 1.0, 1.0, 1.0))).isTrue();
  }

  @Test
  void workWithErrorsIsVoidRepeatedThreeTimesAndKept() throws IOException {
    run(1, trial(1, 0, POINTS.subList(0, 1), contestant("a", () -> HALF_FAILED)));

    assertThat(samples)
        .hasSize(4)
        .noneMatch(Sample::counts)
        .extracting(Sample::voided)
        .containsOnly("1 failed: one fell over");
  }

  @Test
  void workOfWhichNothingSucceedsIsVoidAndNotRepeated() throws IOException {
    run(1, trial(1, 0, POINTS.subList(0, 1), contestant("a", () -> FAILED)));

    assertThat(samples).hasSize(1).extracting(Sample::voided).contains("2 failed: it fell over");
  }

  @Test
  void workThatIsVoidOnceIsRepeatedInItsRoundUntilItCounts() throws IOException {
    var outcomes = new ArrayList<>(List.of(HALF_FAILED, HALF_FAILED));
    run(
        1,
        trial(
            1,
            0,
            POINTS.subList(0, 1),
            contestant("a", () -> outcomes.isEmpty() ? GOOD : outcomes.removeFirst())));

    assertThat(samples).extracting(Sample::counts).containsExactly(false, false, true);
    assertThat(samples).hasSize(3).extracting(Sample::round).containsOnly(1);
  }

  @Test
  void workBesideWhichAnotherProcessTookTheMachineIsVoid() throws Exception {
    Process stranger = new ProcessBuilder("bash", "-c", "while :; do :; done").start();
    try {
      run(
          1,
          trial(
              1,
              0,
              POINTS.subList(0, 1),
              contestant(
                  "a",
                  () -> {
                    double began = CpuClock.ofTrees(Set.of(stranger.pid()));
                    while (CpuClock.ofTrees(Set.of(stranger.pid())) < began + 0.2) {
                      Thread.onSpinWait();
                    }
                    return new Outcome(1, 0, 1000, 0.4, "", "", "");
                  })));
    } finally {
      stranger.destroyForcibly();
    }

    assertThat(samples)
        .hasSize(4)
        .allSatisfy(sample -> assertThat(sample.voided()).startsWith("something else took "));
  }

  @Test
  void whatIsPutInOrderAfterwardsIsDoneAfterEachPieceOfWork() throws IOException {
    var events = new ArrayList<String>();
    var contestant =
        new Contestant(
            "a",
            () -> 0,
            () -> 0,
            _ -> {
              events.add("work");
              return GOOD;
            },
            () -> events.add("after"));
    run(1, trial(2, 1, POINTS, contestant));

    for (int i = 0; i < events.size(); i += 2) {
      assertThat(events.subList(i, i + 2)).containsExactly("work", "after");
    }
  }

  private void run(long seed, Trial trial) throws IOException {
    var progress = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);
    new Rounds(new Random(seed), samples::add, progress).run(trial);
  }

  private static Contestant steady(String name) {
    return contestant(name, () -> GOOD);
  }

  private static Contestant contestant(String name, Supplier<Outcome> work) {
    return new Contestant(name, () -> 0, () -> 0, _ -> work.get(), () -> {});
  }

  private static Trial trial(
      int rounds, int warmUps, List<Map<String, String>> points, Contestant... contestants) {
    return new Trial(
        new Experiment("it", "It", "", Measure.RATE, "size", List.of(), List.of()),
        points,
        List.of(contestants),
        rounds,
        warmUps,
        REQUESTS);
  }
}
