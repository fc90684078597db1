package dev.staithe.perf.study;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** The experiments of a study in their order, and how they are carried out. Not thread-safe. */
final class Plan {
  private final Bench bench;
  private final Set<String> only;
  private final Set<String> known = new LinkedHashSet<>();
  private final Map<String, Experimenter> experiments = new LinkedHashMap<>();

  /** Carries an experiment out when its turn has come. */
  interface Experimenter {
    void run(Rounds rounds) throws IOException;
  }

  /** Starts what an experiment needs. */
  interface Preparation {
    /** Empty where its servers do not run. */
    Optional<Trial> prepare() throws IOException;
  }

  /** Does what belongs to an experiment and is not measured. */
  interface Epilogue {
    void after(Trial trial) throws IOException;
  }

  /**
   * @param only which experiments, by their ids; empty for all
   */
  Plan(Bench bench, Set<String> only) {
    this.bench = bench;
    this.only = only;
  }

  /**
   * Adds an experiment that carries itself out.
   *
   * @param seconds how long it takes in the full form
   */
  void expect(String id, double seconds, Experimenter experimenter) {
    expect(id, new Length(seconds, seconds / 2), experimenter);
  }

  private void expect(String id, Length length, Experimenter experimenter) {
    known.add(id);
    if (only.isEmpty() || only.contains(id)) {
      experiments.put(id, experimenter);
      bench
          .progress()
          .expect(
              id,
              bench.form() == Form.FULL
                  ? length.full()
                  : bench.form() == Form.SHORT ? length.brief() : length.brief() / 2);
    }
  }

  /**
   * How long an experiment takes, with the start of what it needs.
   *
   * @param full seconds in the full form
   * @param brief seconds in the others
   */
  record Length(double full, double brief) {}

  /** Adds an experiment of one trial that takes half as long in the short form. */
  void add(String id, double seconds, Preparation preparation, Epilogue epilogue) {
    add(id, new Length(seconds, seconds / 2), preparation, epilogue);
  }

  /** Adds an experiment of one trial. */
  void add(String id, Length length, Preparation preparation, Epilogue epilogue) {
    expect(
        id,
        length,
        rounds -> {
          Optional<Trial> trial = preparation.prepare();
          if (trial.isEmpty() || trial.get().contestants().isEmpty()) {
            bench.progress().skip(id, "its servers do not run");
            return;
          }
          bench.note(trial.get().about());
          rounds.run(trial.get());
          epilogue.after(trial.get());
        });
  }

  /**
   * Carries all of them out.
   *
   * @param targets what is promised; those of other experiments are left out
   * @throws IOException where there is no such experiment, before anything is started; where
   *     something fails that no experiment can do without
   */
  void carryOut(List<Target> targets) throws IOException {
    checkThatAllAreKnown();
    targets.stream()
        .filter(target -> experiments.containsKey(target.experiment()))
        .forEach(bench::note);
    bench.progress().foretell();
    var rounds = new Rounds(bench.form().again(), new Random(), bench::note, bench.progress());
    for (var planned : experiments.entrySet()) {
      if (!bench.usable()) {
        throw new IOException("interrupted");
      }
      try {
        planned.getValue().run(rounds);
      } catch (IOException e) {
        if (!bench.usable()) {
          throw e;
        }
        // What one experiment lacks, the next may have.
        bench.remark(planned.getKey() + " was given up: " + e.getMessage());
        bench.progress().skip(planned.getKey(), "" + e.getMessage());
      }
    }
  }

  private void checkThatAllAreKnown() throws IOException {
    var unknown = new TreeSet<>(only);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new IOException(
          "no such experiment in the %s form: %s; there are %s"
              .formatted(bench.form(), String.join(", ", unknown), String.join(", ", known)));
    }
  }

  /**
   * Shows where our server's time goes under the load of a contestant.
   *
   * @param process the server's
   */
  void profile(Trial trial, String contestant, long process) throws IOException {
    Optional<Contestant> load =
        trial.contestants().stream().filter(each -> each.name().equals(contestant)).findFirst();
    if (bench.form() == Form.SMOKE || load.isEmpty()) {
      return;
    }
    bench.progress().line("profile of " + contestant);
    Map<String, Long> stacks =
        new Profiler(bench.files().newFolder("profile-" + trial.about().id()))
            .profile(load.get(), process, trial.points().getFirst());
    if (!stacks.isEmpty()) {
      bench.note(new Results.Profile(trial.about().id(), contestant, stacks));
    }
  }
}
