package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Journal;
import dev.staithe.perf.harness.Progress;
import dev.staithe.perf.harness.TestFiles;
import dev.staithe.perf.harness.cpu.Cores;
import dev.staithe.perf.peers.Guests;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Machine;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.storage.DelayedLinkTrial;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs a study from an empty folder to its results. An interrupted run keeps what it has: see
 * {@link #soFar()}.
 */
public final class StudyRun {
  /** Longer than it takes to end a stubborn server. */
  private static final Duration GRACE = Duration.ofSeconds(40);

  private final Path repository;
  private final Guests guests;
  private final Path work;
  private final Form form;
  private final Extent extent;
  private final Set<String> only;
  private final PrintStream out;
  private final Clock clock;
  private final AtomicReference<Bench> bench = new AtomicReference<>();
  private volatile String studyId = "";
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * How much is measured.
   *
   * @param only which experiments, by their ids; empty for all
   * @param journal a file that it goes on with, or begins; absent for none
   * @param budget seconds after which nothing more is begun; infinite for none
   */
  public record Extent(Form form, Set<String> only, @Nullable Path journal, double budget) {
    /** All of a form. */
    public static Extent of(Form form) {
      return new Extent(form, Set.of(), null, Double.POSITIVE_INFINITY);
    }
  }

  /**
   * @param repository the checkout with the jars
   * @param guests who is measured beside the others
   * @param work a folder of its own for everything that is written; it is made, and deleted again
   * @param out where progress is shown
   */
  public StudyRun(
      Path repository, Guests guests, Path work, Extent extent, PrintStream out, Clock clock) {
    this.repository = repository.toAbsolutePath();
    this.guests = guests;
    this.work = work.toAbsolutePath();
    this.form = extent.form();
    this.extent = extent;
    this.only = Set.copyOf(extent.only());
    this.out = out;
    this.clock = clock;
  }

  /**
   * Carries a study out.
   *
   * @throws IOException where it cannot go on, in one line; {@link #soFar()} has what was found
   */
  public Results carryOut(Subject subject) throws IOException {
    return carryOut(subject, opened -> subject.run(opened, only));
  }

  /** The part of the storage study that runs inside a network of its own. */
  public Results delayedLink() throws IOException {
    return carryOut(Subject.STORAGE, opened -> new DelayedLinkTrial(opened).run());
  }

  private interface Study {
    void run(Bench bench) throws IOException;
  }

  private Results carryOut(Subject subject, Study study) throws IOException {
    String id = subject.toString();
    long needed = subject.room(form);
    studyId = id;
    Files.createDirectories(work);
    var files = new TestFiles(work);
    try {
      long room = Files.getFileStore(work).getUsableSpace();
      if (room < needed) {
        throw new IOException(
            "the disk of %s has room for %d MB, and %d MB are needed: use --work with another folder"
                .formatted(work, room / 1_000_000, needed / 1_000_000));
      }
      Site site = Site.make(repository, guests, work.resolve("site"));
      boolean canPin = Files.isExecutable(Path.of("/usr/bin/taskset"));
      var cores =
          form == Form.SMOKE
              ? Cores.unpinned("The smoke form pins nothing to a core: these are no figures.")
              : Cores.of(Runtime.getRuntime().availableProcessors(), canPin);
      boolean terminal = System.console() != null && System.console().isTerminal();
      // Bars of several studies beside each other cannot be read.
      var progress = new Progress(out, terminal && out == System.err);
      var facts = new LinkedHashMap<>(Machine.facts(site.repository(), work));
      // Figures of two checkouts of before would go by one name.
      site.before()
          .map(before -> Machine.facts(before, work).getOrDefault("revision", "unknown"))
          .ifPresent(revision -> facts.put("revision of before", revision));
      var head = new Journal.Head(id, form.toString(), clock.instant(), facts);
      try (Journal journal =
              extent.journal() == null ? Journal.none(head) : Journal.open(extent.journal(), head);
          var opened = new Bench(site, work, form, cores, progress, journal, extent.budget())) {
        bench.set(opened);
        study.run(opened);
        if (!opened.usable()) {
          throw new IOException("interrupted");
        }
        return opened.results(id, true);
      }
    } finally {
      try {
        files.delete();
      } finally {
        ended.countDown();
      }
    }
  }

  /** Has the run end soon, when this JVM is about to end. */
  public void abandon() {
    Bench opened = bench.get();
    if (opened != null) {
      opened.abandon();
    }
  }

  /**
   * Waits, when this JVM is about to end, until an interrupted run has left nothing behind.
   * Servers, the lean client and tools are ended by hooks of their own, upon which the run finds
   * that it cannot go on.
   */
  public void awaitEnd() {
    try {
      if (!ended.await(GRACE.toSeconds(), TimeUnit.SECONDS)) {
        new TestFiles(work).delete();
      }
    } catch (IOException e) {
      out.println("perf/run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What has been found so far; absent where nothing was begun. Any thread may ask. */
  public Optional<Results> soFar() {
    Bench opened = bench.get();
    return opened == null ? Optional.empty() : Optional.of(opened.results(studyId, false));
  }
}
