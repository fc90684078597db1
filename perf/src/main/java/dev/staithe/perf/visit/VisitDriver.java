package dev.staithe.perf.visit;

import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Pace;
import dev.staithe.perf.lean.Part;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.perf.lean.RequestTally.Phase;
import dev.staithe.perf.user.UserDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Lets users make visits: a thread for each user, one after the other without pause or at fixed
 * times. What users must have before is prepared first; then they begin together, and what is
 * measured ends with the last of them, so that whatever a visit costs the service falls within.
 */
final class VisitDriver {
  /** A user gives up after so many failures in a row. */
  private static final int PATIENCE = 5;

  private final Plan plan;
  private final Pace pace;
  private final Visitors visitors;
  private final CountDownLatch prepared;
  private final CountDownLatch begin = new CountDownLatch(1);
  private final CountDownLatch visited;
  private final CountDownLatch measured = new CountDownLatch(1);
  private final AtomicLong next = new AtomicLong();
  private final Map<String, RequestTally> steps = new TreeMap<>();
  private final RequestTally visits = new RequestTally();
  private String cipher = "";
  private String failure = "";
  private volatile long began;

  /**
   * How much.
   *
   * @param users at once, at least 1
   * @param seconds how long visits are begun
   * @param perSecond how many are due in a second, 0 for one after the other
   * @param visits how many in all, 0 for as many as the time allows
   * @param each how many of each user, 0 for as many as the time allows
   */
  record Plan(int users, double seconds, double perSecond, long visits, long each) {}

  /** Makes users by their numbers, from 0. */
  interface Visitors {
    Visitor open(int number, Visitor.Steps steps) throws IOException;
  }

  private VisitDriver(Plan plan, Visitors visitors) {
    this.plan = plan;
    this.pace = new Pace(plan.perSecond());
    this.visitors = visitors;
    this.prepared = new CountDownLatch(plan.users());
    this.visited = new CountDownLatch(plan.users());
  }

  /**
   * Does it.
   *
   * @param phases told when users begin, and when all have ended
   */
  static Outcome perform(Plan plan, Visitors visitors, Consumer<String> phases) {
    return new VisitDriver(plan, visitors).perform(phases);
  }

  private Outcome perform(Consumer<String> phases) {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < plan.users(); i++) {
      int number = i;
      threads.add(Thread.ofPlatform().name("user-" + i).start(() -> drive(number)));
    }
    double seconds = 0;
    try {
      prepared.await();
      phases.accept(UserDriver.MEASURE);
      began = System.nanoTime();
      pace.begin(began);
      begin.countDown();
      visited.await();
      seconds = (System.nanoTime() - began) / 1e9;
      phases.accept(UserDriver.COOL);
      measured.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    return outcome(seconds);
  }

  private synchronized Outcome outcome(double seconds) {
    long neverBegun = due() - pace.awaited();
    if (neverBegun > 0) {
      failed(new IOException("no user was free for " + neverBegun + " visits that were due"));
    }
    var parts = new LinkedHashMap<String, Part>();
    steps.forEach((name, tally) -> tally.put(name, parts));
    Histogram all = RequestTally.empty();
    visits.addTo(all);
    return new Outcome(
        all.getTotalCount(),
        visits.failures(),
        0,
        seconds,
        RequestTally.encoded(all),
        cipher,
        failure,
        // One type of request needs no table of types.
        parts.size() > 1 ? parts : Map.of());
  }

  /** How many visits are due at fixed times; without these none is. */
  private long due() {
    long inTime = (long) (plan.seconds() * plan.perSecond());
    return plan.visits() > 0 ? Math.min(plan.visits(), inTime) : inTime;
  }

  private void drive(int number) {
    boolean waits = true;
    boolean visits = true;
    try (Visitor visitor = visitors.open(number, this::took)) {
      visitor.prepare();
      prepared.countDown();
      waits = false;
      begin.await();
      visit(visitor);
      visited.countDown();
      visits = false;
      measured.await();
      visitor.tidyUp();
    } catch (IOException | RuntimeException e) {
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (waits) {
        prepared.countDown();
      }
      if (visits) {
        visited.countDown();
      }
    }
  }

  private void visit(Visitor visitor) throws IOException {
    long end = began + (long) (plan.seconds() * 1e9);
    int failuresInARow = 0;
    long own = 0;
    while (failuresInARow < PATIENCE && System.nanoTime() - end < 0) {
      if (plan.visits() > 0 && next.getAndIncrement() >= plan.visits()
          || plan.each() > 0 && own++ >= plan.each()) {
        break;
      }
      long due = pace.await(end);
      if (due - end >= 0) {
        break;
      }
      try {
        done(visitor.visit(due), visitor.cipher());
        failuresInARow = 0;
      } catch (IOException | RuntimeException e) {
        failuresInARow++;
        failed(e);
        visitor.forget();
      }
    }
  }

  private synchronized void took(String step, long nanos) {
    steps.computeIfAbsent(step, s -> new RequestTally()).good(Phase.MEASURE, nanos);
  }

  private synchronized void done(long nanos, String negotiated) {
    visits.good(Phase.MEASURE, nanos);
    cipher = negotiated.isEmpty() ? cipher : negotiated;
  }

  private synchronized void failed(Exception e) {
    visits.bad(Phase.MEASURE);
    if (failure.isEmpty()) {
      failure = "" + e.getMessage();
    }
  }
}
