package dev.staithe.perf.study;

import dev.staithe.perf.scenario.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out trials in interleaved rounds: in each round every contestant is measured once at
 * every point, in random order, so that whatever the machine does meanwhile meets all of them
 * alike. Not thread-safe.
 */
final class Rounds {
  /** Warm enough: the last three pieces of work differ by less. */
  private static final double STEADY = 0.08;

  /** A piece of work is void where others took more of the machine than this share of its time… */
  private static final double FOREIGN_SHARE = 0.05;

  /** …and more than this: the resolution of the kernel's clock, and what an idle system does. */
  private static final double FOREIGN_SECONDS = 0.05;

  /** How often a void piece of work is done again in its round. */
  private static final int AGAIN = 3;

  private final int again;
  private final Random order;
  private final Consumer<Sample> samples;
  private final Progress progress;

  /**
   * @param order what decides the order within a round
   * @param samples takes each sample as it is made
   */
  Rounds(Random order, Consumer<Sample> samples, Progress progress) {
    this(AGAIN, order, samples, progress);
  }

  /**
   * @param again how often a void piece of work is done again in its round
   */
  Rounds(int again, Random order, Consumer<Sample> samples, Progress progress) {
    this.again = again;
    this.order = order;
    this.samples = samples;
    this.progress = progress;
  }

  /** Warms all contestants up, then measures them. */
  void run(Trial trial) throws IOException {
    progress.begin(trial);
    for (Contestant contestant : trial.contestants()) {
      warmUp(trial, contestant);
    }
    for (int round = 1; round <= trial.rounds(); round++) {
      record Piece(Contestant contestant, Map<String, String> point) {}
      List<Piece> pieces = new ArrayList<>();
      for (Map<String, String> point : trial.points()) {
        for (Contestant contestant : trial.contestants()) {
          pieces.add(new Piece(contestant, point));
        }
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
  }

  /**
   * Until the figure stops moving (just-in-time compilation, caches), or for as long as allowed.
   */
  private void warmUp(Trial trial, Contestant contestant) throws IOException {
    Map<String, String> point = trial.points().getFirst();
    var figures = new ArrayList<Double>();
    for (int i = 0; i < trial.warmUps() && !steady(figures); i++) {
      progress.warmUp(contestant.name());
      Sample sample = measure(trial, contestant, 0, point);
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
