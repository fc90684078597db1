package dev.staithe.perf.scenario;

import dev.staithe.perf.scenario.RequestTally.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Carries out a {@link CampusTask}: a thread for each user, closed model without pause. What users
 * must have before is prepared first; then they begin together, and what is measured ends with the
 * last of them, so that whatever a visit costs the service falls within.
 */
final class CampusDriver {
  /** A user gives up after so many failures in a row. */
  private static final int PATIENCE = 5;

  private final CampusTask task;
  private final ClientCredential credential;
  private final CountDownLatch prepared;
  private final CountDownLatch begin = new CountDownLatch(1);
  private final AtomicLong next = new AtomicLong();
  private final Map<String, RequestTally> steps = new TreeMap<>();
  private final RequestTally visits = new RequestTally();
  private String cipher = "";
  private String failure = "";
  private volatile long began;

  private CampusDriver(CampusTask task) throws IOException {
    this.task = task;
    this.credential = ClientCredential.read(Path.of(task.authority()), task.credential());
    this.prepared = new CountDownLatch(task.users());
  }

  /**
   * Does it.
   *
   * @param phases told when users begin, and when all have ended
   */
  static Outcome perform(CampusTask task, Consumer<String> phases) throws IOException {
    return new CampusDriver(task).perform(phases);
  }

  private Outcome perform(Consumer<String> phases) throws IOException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < task.users(); i++) {
      int account = i % task.accounts();
      threads.add(Thread.ofPlatform().name("user-" + i).start(() -> drive(account)));
    }
    try {
      prepared.await();
      phases.accept(UserDriver.MEASURE);
      began = System.nanoTime();
      begin.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    phases.accept(UserDriver.COOL);
    return outcome(seconds);
  }

  private synchronized Outcome outcome(double seconds) {
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

  private void drive(int account) {
    boolean waits = true;
    try (var visitor = new CampusVisitor(task, credential, account, this::took)) {
      visitor.prepare();
      prepared.countDown();
      waits = false;
      begin.await();
      visit(visitor);
    } catch (IOException | RuntimeException e) {
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (waits) {
        prepared.countDown();
      }
    }
  }

  private void visit(CampusVisitor visitor) throws IOException {
    long end = began + (long) (task.seconds() * 1e9);
    int failuresInARow = 0;
    while (failuresInARow < PATIENCE && System.nanoTime() - end < 0) {
      if (task.visits() > 0 && next.getAndIncrement() >= task.visits()) {
        break;
      }
      long visitBegan = System.nanoTime();
      try {
        visitor.visit();
        done(System.nanoTime() - visitBegan, visitor.cipher());
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
