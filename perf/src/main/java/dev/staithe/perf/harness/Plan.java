package dev.staithe.perf.harness;

import dev.staithe.perf.peers.SingleProcess;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The experiments of a study in their order, and how they are carried out. Not thread-safe. */
public final class Plan {
  private final Bench bench;
  private final Set<String> only;
  private final StudyTable table;
  private final Map<String, Experimenter> experiments = new LinkedHashMap<>();

  /** Carries an experiment out when its turn has come. */
  public interface Experimenter {
    void run(Rounds rounds) throws IOException;
  }

  /** Starts what an experiment needs. */
  public interface Preparation {
    /** Without contestants where its servers do not run. */
    Trial prepare(Draft draft) throws IOException;
  }

  /** What an experiment is of, where it runs. */
  public interface Needed<T> {
    Optional<T> get() throws IOException;
  }

  /** Prepares an experiment of something that runs. */
  public interface Using<T> {
    Trial prepare(Draft draft, T needed) throws IOException;
  }

  /** Has no contestants where what is needed does not run. */
  public static <T> Preparation with(Needed<T> needed, Using<T> using) {
    return draft -> {
      Optional<T> running = needed.get();
      return running.isPresent() ? using.prepare(draft, running.get()) : draft.none();
    };
  }

  /** Does what belongs to an experiment and is not measured. */
  public interface Epilogue {
    void after(Trial trial) throws IOException;
  }

  /**
   * @param study whose table it is
   * @param only which experiments, by their ids; empty for all
   */
  public Plan(Bench bench, String study, Set<String> only) {
    this.bench = bench;
    this.only = only;
    this.table = StudyTable.of(study);
  }

  /** Says how an experiment of the table is carried out. */
  public void add(String id, Preparation preparation) {
    add(id, preparation, trial -> {});
  }

  /** Says how an experiment of the table is carried out, and what is done after it. */
  public void add(String id, Preparation preparation, Epilogue epilogue) {
    expect(
        id,
        rounds -> {
          Trial trial = preparation.prepare(table.draft(bench, id));
          if (trial.contestants().isEmpty()) {
            bench.progress().skip(id, "its servers do not run");
            return;
          }
          bench.note(trial.about());
          if (!rounds.run(trial)) {
            bench.leaveOut(id, "the budget ended in the middle of its rounds");
            return;
          }
          epilogue.after(trial);
          bench.done(id);
        });
  }

  /** Says that an experiment of the table carries itself out. */
  public void expect(String id, Experimenter experimenter) {
    if (table.row(id).in(bench.form())) {
      experiments.put(id, experimenter);
    }
  }

  /**
   * Carries all of them out, in the order of the table.
   *
   * @throws IOException where there is no such experiment, before anything is started; where
   *     something fails that no experiment can do without
   */
  public void carryOut() throws IOException {
    Set<String> chosen = new LinkedHashSet<>(table.experiments().keySet());
    chosen.retainAll(experiments.keySet());
    checkThatAreKnown(chosen);
    if (!only.isEmpty()) {
      chosen.retainAll(only);
    }
    List<Target> promised =
        table.promised(bench.site().before().isPresent()).stream()
            .filter(target -> chosen.contains(target.experiment()))
            .toList();
    promised.forEach(bench::note);
    List<String> order = inOrder(chosen, promised);
    order.removeIf(bench::has);
    order.forEach(id -> bench.progress().expect(id, table.row(id).seconds(bench.form())));
    bench.progress().foretell();
    var rounds =
        new Rounds(
            bench.form().again(),
            new Random(),
            bench::note,
            bench.progress(),
            bench::has,
            () -> !bench.affords(0));
    for (String id : order) {
      if (!bench.usable()) {
        throw new IOException("interrupted");
      }
      if (!bench.affords(table.row(id).seconds(bench.form()))) {
        bench.leaveOut(id, "the budget has no room for it");
        continue;
      }
      try {
        experiment(id).run(rounds);
      } catch (IOException e) {
        if (!bench.usable()) {
          throw e;
        }
        // What one experiment lacks, the next may have.
        bench.giveUp(id, "" + e.getMessage());
      }
    }
  }

  /**
   * With a budget what tells most comes first: what a target hangs on, then what short forms have.
   */
  private List<String> inOrder(Set<String> chosen, List<Target> promised) {
    var order = new ArrayList<>(chosen);
    if (bench.isBudgeted()) {
      Set<String> judged = promised.stream().map(Target::experiment).collect(Collectors.toSet());
      order.sort(
          Comparator.comparing((String id) -> !judged.contains(id))
              .thenComparing(id -> !table.row(id).in(Form.SHORT)));
    }
    return order;
  }

  private Experimenter experiment(String id) {
    return Objects.requireNonNull(experiments.get(id));
  }

  private void checkThatAreKnown(Set<String> known) throws IOException {
    var unknown = new TreeSet<>(only);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new IOException(
          "no such experiment in the %s form: %s; there are %s"
              .formatted(bench.form(), String.join(", ", unknown), String.join(", ", known)));
    }
  }

  /** A server of ours, where it runs. */
  public interface Profiled {
    Optional<? extends SingleProcess> server() throws IOException;
  }

  /** What shows where its time goes under the load of a contestant, where it runs. */
  public Epilogue profiling(String contestant, Profiled profiled) {
    return trial -> {
      Optional<? extends SingleProcess> running = profiled.server();
      if (running.isPresent()) {
        profile(trial, contestant, running.get().pid());
      }
    };
  }

  /**
   * Shows where our server's time goes under the load of a contestant.
   *
   * @param process the server's
   */
  public void profile(Trial trial, String contestant, long process) throws IOException {
    Optional<Contestant> load =
        trial.contestants().stream().filter(each -> each.name().equals(contestant)).findFirst();
    if (bench.form() == Form.SMOKE || load.isEmpty()) {
      return;
    }
    bench.progress().line("profile of " + contestant);
    Map<String, Long> stacks =
        new Profiler(bench.files().newFolder("profile-" + trial.about().id() + "-" + contestant))
            .profile(load.get(), process, trial.points().getFirst());
    if (!stacks.isEmpty()) {
      bench.note(new Results.Profile(trial.about().id(), contestant, stacks));
    }
  }
}
