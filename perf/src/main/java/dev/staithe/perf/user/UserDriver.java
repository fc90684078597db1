package dev.staithe.perf.user;

import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Part;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.perf.lean.RequestTally.Phase;
import dev.staithe.perf.lean.UserTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Carries out a {@link UserTask} on the calling thread. Used once. */
public final class UserDriver {
  /** Said when requests begin to count. */
  public static final String MEASURE = "measure";

  /** Said when they no longer do. */
  public static final String COOL = "cool";

  /** Values that tell more of requests which are counted already. */
  private static final Set<String> NOT_OF_REQUESTS = Set.of(LoadRun.SCHEDULED, LoadRun.BEGUN_LATE);

  /** Answers that are still on the way at the end are waited for so long. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  /** Sessions that nobody uses are ended for so long, which is not measured. */
  private static final long ENDING = TimeUnit.MINUTES.toNanos(1);

  /** Those who must log in before the time begins have so long. */
  private static final long PREPARING = TimeUnit.MINUTES.toNanos(5);

  private final UserTask task;
  private final Consumer<String> phases;
  private final PhaseClock clock;
  private final UserLoop loop;
  private final List<LoadRun> runs = new ArrayList<>();
  private final List<LagTrials> trials = new ArrayList<>();
  private String failure = "";

  private UserDriver(UserTask task, UserLoop loop, Consumer<String> phases) {
    this.task = task;
    this.loop = loop;
    this.phases = phases;
    this.clock = new PhaseClock(task);
    var random = new Random(task.seed());
    for (Load load : task.loads()) {
      var own = new Random(random.nextLong());
      if (load.kind() == Load.Kind.LOGOUT_LAG) {
        trials.add(new LagTrials(load, task.trials(), loop, clock, own, this::failed));
      } else {
        runs.add(new LoadRun(load, loop, clock, own, this::failed));
      }
    }
  }

  /**
   * Does it.
   *
   * @param phases hears {@link #MEASURE} and {@link #COOL} when these phases begin
   */
  public static Outcome perform(UserTask task, Consumer<String> phases) throws IOException {
    try (var loop = new UserLoop(task.exact())) {
      return new UserDriver(task, loop, phases).perform();
    }
  }

  private void failed(String reason) {
    if (failure.isEmpty()) {
      failure = reason.replaceAll("\\s+", " ");
    }
  }

  private Outcome perform() throws IOException {
    long preparing = System.nanoTime();
    runs.forEach(LoadRun::prepare);
    loop.runUntil(
        () ->
            runs.stream().allMatch(LoadRun::isPrepared)
                || System.nanoTime() - preparing > PREPARING);
    clock.begin(System.nanoTime());
    runs.forEach(LoadRun::begin);
    trials.forEach(LagTrials::begin);
    runTo(() -> System.nanoTime() - clock.measureFrom() >= 0);
    phases.accept(MEASURE);
    runTo(() -> System.nanoTime() - clock.measureTo() >= 0);
    phases.accept(COOL);
    loop.runUntil(() -> clock.over(System.nanoTime()));
    long over = System.nanoTime();
    loop.runUntil(() -> !busy() || System.nanoTime() - over > PATIENCE);
    Outcome outcome = outcome();
    long ending = System.nanoTime();
    runs.forEach(LoadRun::endSessions);
    loop.runUntil(
        () -> runs.stream().noneMatch(LoadRun::busy) || System.nanoTime() - ending > ENDING);
    return outcome;
  }

  /** Wakes up in time for the condition. */
  private void runTo(BooleanSupplier condition) throws IOException {
    loop.at(clock.measureFrom(), () -> {});
    loop.at(clock.measureTo(), () -> {});
    loop.runUntil(condition);
  }

  private boolean busy() {
    return runs.stream().anyMatch(run -> run.load().name().isEmpty() && run.busy())
        || trials.stream().anyMatch(LagTrials::busy);
  }

  private Outcome outcome() {
    var parts = new LinkedHashMap<String, Part>();
    Histogram all = RequestTally.empty();
    long errors = 0;
    for (LoadRun run : runs) {
      // What becomes of the others is told, but they are there to disturb.
      boolean main = run.load().name().isEmpty();
      for (Map.Entry<String, RequestTally> each : run.tallies().entrySet()) {
        each.getValue().put(run.load().label(each.getKey()), parts);
        if (main) {
          errors += each.getValue().failures();
        }
        if (main && !NOT_OF_REQUESTS.contains(each.getKey())) {
          each.getValue().addTo(all);
        }
      }
      if (!main) {
        continue;
      }
      if (run.neverBegun() > 0) {
        errors++;
        failed("no user was free for " + run.neverBegun() + " requests that were due");
      }
      Optional<String> objection = Mix.objection(run);
      if (objection.isPresent()) {
        errors++;
        failed(objection.get());
      }
    }
    for (LagTrials each : trials) {
      for (Map.Entry<String, RequestTally> tally : each.tallies().entrySet()) {
        tally.getValue().put(tally.getKey(), parts);
        errors += tally.getValue().failures();
        tally.getValue().addTo(all);
      }
    }
    if (busy()) {
      errors++;
      failed("answers did not come within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + " s");
    }
    return new Outcome(
        all.getTotalCount(),
        errors,
        0,
        clock.seconds(),
        RequestTally.encoded(all),
        "",
        failure,
        parts);
  }

  /** Whether users did what the model says. */
  public static final class Mix {
    private static final double DEVIATIONS = 5;

    private Mix() {}

    private static Optional<String> objection(LoadRun run) {
      if (run.load().kind() != Load.Kind.USERS) {
        return Optional.empty();
      }
      return objection(
          run.load().logout(),
          run.load().users(),
          run.tally(LoadRun.LOGIN).good(Phase.MEASURE),
          run.tally(LoadRun.VALIDATE).good(Phase.MEASURE),
          run.tally(LoadRun.LOGOUT).good(Phase.MEASURE));
    }

    /**
     * Checks the shares of request types: q of the requests with a token are logouts, and each
     * logout is followed by one login, so that logins and logouts are q/(1+q) of all each.
     *
     * @param q the probability of a logout
     * @param users each may be between a logout and a login when the phase begins or ends
     * @return what is wrong, one line
     */
    public static Optional<String> objection(
        double q, int users, long logins, long validations, long logouts) {
      double withToken = validations + logouts;
      double expected = q * withToken;
      double tolerance = DEVIATIONS * Math.sqrt(withToken * q * (1 - q)) + 1;
      if (Math.abs(logouts - expected) > tolerance) {
        return Optional.of(
            "the mix is wrong: %d logouts, not %.0f ± %.0f"
                .formatted(logouts, expected, tolerance));
      }
      if (Math.abs(logins - logouts) > users) {
        return Optional.of(
            "the mix is wrong: %d logins and %d logouts of %d users"
                .formatted(logins, logouts, users));
      }
      return Optional.empty();
    }
  }
}
