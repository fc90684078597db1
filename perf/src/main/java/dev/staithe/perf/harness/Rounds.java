package dev.staithe.perf.harness;

import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.result.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out trials in interleaved rounds: in each round every contestant is measured once at
 * every point, in random order, so that whatever the machine does meanwhile meets all of them
 * alike. Not thread-safe.
 */
public final class Rounds {
  /** Warm enough: the last three pieces of work differ by less. */
  private static final double STEADY = 0.08;

  /** Silent: compilers take no more than this share of the server's CPU time. */
  private static final double SILENT = 0.02;

  /** A piece of work is void where others took more of the machine than this share of its time… */
  private static final double FOREIGN_SHARE = 0.05;

  /** …and more than this: the resolution of the kernel's clock, and what an idle system does. */
  private static final double FOREIGN_SECONDS = 0.05;

  /** How often a void piece of work is done again in its round. */
  private static final int AGAIN = 3;

  /** Whether a run before this one has measured a piece of work. */
  interface Before {
    boolean has(String experiment, String contestant, int round, Map<String, String> point);
  }

  private final int again;
  private final Random order;
  private final Consumer<Sample> samples;
  private final Progress progress;
  private final Before before;
  private final BooleanSupplier late;

  /**
   * @param order what decides the order within a round
   * @param samples takes each sample as it is made
   */
  public Rounds(Random order, Consumer<Sample> samples, Progress progress) {
    this(AGAIN, order, samples, progress, (experiment, who, round, point) -> false, () -> false);
  }

  /**
   * @param again how often a void piece of work is done again in its round
   * @param before what need not be measured again
   * @param late whether the round that is being measured is to be the last
   */
  public Rounds(
      int again,
      Random order,
      Consumer<Sample> samples,
      Progress progress,
      Before before,
      BooleanSupplier late) {
    this.again = again;
    this.order = order;
    this.samples = samples;
    this.progress = progress;
    this.before = before;
    this.late = late;
  }

  private record Piece(Contestant contestant, Map<String, String> point) {}

  /** What is still to be measured in a round. */
  private List<Piece> pieces(Trial trial, int round) {
    List<Piece> pieces = new ArrayList<>();
    for (Map<String, String> point : trial.points()) {
      for (Contestant contestant : trial.contestants()) {
        if (!before.has(trial.about().id(), contestant.name(), round, point)) {
          pieces.add(new Piece(contestant, point));
        }
      }
    }
    return pieces;
  }

  /**
   * Warms all contestants up who are still to be measured, then measures them.
   *
   * @return whether to the end: not where it became too late
   */
  public boolean run(Trial trial) throws IOException {
    var still = new HashSet<String>();
    int left = 0;
    for (int round = 1; round <= trial.rounds(); round++) {
      List<Piece> pieces = pieces(trial, round);
      left += pieces.size();
      pieces.forEach(piece -> still.add(piece.contestant().name()));
    }
    progress.begin(trial, left);
    for (Contestant contestant : trial.contestants()) {
      if (still.contains(contestant.name())) {
        for (Map<String, String> point : trial.warmPoints()) {
          warmUp(trial, contestant, point);
        }
      }
    }
    for (int round = 1; round <= trial.rounds(); round++) {
      List<Piece> pieces = pieces(trial, round);
      if (!pieces.isEmpty() && round > 1 && late.getAsBoolean()) {
        return false;
      }
      Collections.shuffle(pieces, order);
      for (Piece piece : pieces) {
        for (int attempt = 0; attempt <= again; attempt++) {
          Sample sample = measure(trial, piece.contestant(), round, piece.point());
          samples.accept(sample);
          if (sample.counts() || sample.requests() == 0) {
            break;
          }
        }
        progress.pieceDone(piece.contestant().name());
      }
    }
    return true;
  }

  /**
   * Until the figure stops moving, the server's compilers, where it has any, are silent, and it has
   * had the requests that it takes to be worth compiling; or for as long as allowed.
   */
  private void warmUp(Trial trial, Contestant contestant, Map<String, String> point)
      throws IOException {
    var figures = new ArrayList<Double>();
    boolean silent = false;
    long requests = 0;
    for (int i = 0; i < trial.warmUps(); i++) {
      boolean compiles = contestant.servers().compiling() > 0;
      if (steady(figures) && silent && (!compiles || requests >= trial.warmRequests())) {
        return;
      }
      progress.warmUp(contestant.name());
      double compiled = contestant.servers().compiling();
      Sample sample = measure(trial, contestant, 0, point);
      compiled = contestant.servers().compiling() - compiled;
      silent = compiled <= SILENT * sample.serverCpu();
      requests += sample.requests();
      figures.add(trial.about().measure().of(sample));
    }
  }

  static boolean steady(List<Double> figures) {
    if (figures.size() < 3) {
      return false;
    }
    List<Double> last = figures.subList(figures.size() - 3, figures.size());
    return Collections.max(last) <= Collections.min(last) * (1 + STEADY);
  }

  private static Sample measure(
      Trial trial, Contestant contestant, int round, Map<String, String> point) throws IOException {
    var meter = new Meter(contestant);
    Outcome outcome = contestant.work().run(point, meter);
    Meter.Reading cpu = meter.total();
    contestant.after().run();
    return new Sample(
        trial.about().id(),
        contestant.name(),
        round,
        point,
        outcome.bytes(),
        outcome.requests(),
        outcome.errors(),
        outcome.seconds(),
        cpu.server(),
        cpu.client(),
        cpu.other(),
        outcome.latencies().isEmpty() ? null : outcome.latencies(),
        outcome.cipher().isEmpty() ? null : outcome.cipher(),
        objection(outcome, cpu.other()),
        cpu.balancer(),
        outcome.parts());
  }

  private static @Nullable String objection(Outcome outcome, double other) {
    if (outcome.errors() > 0 || outcome.requests() == 0) {
      return outcome.errors() + " failed: " + outcome.failure();
    }
    if (other > FOREIGN_SECONDS && other > FOREIGN_SHARE * outcome.seconds()) {
      return "something else took %.2f CPU s of %.2f s".formatted(other, outcome.seconds());
    }
    return null;
  }
}
