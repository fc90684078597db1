package dev.staithe.storage.files;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checksums that are computed because somebody asks, by reading a whole file: few at once, each
 * once for all who ask for it, and no longer than somebody waits. One party has half of the places
 * at most, so that another's file is read beside. Safe for many threads.
 */
public final class ChecksumJobs {
  /** Between two looks at whether the one who asked is still there. */
  private static final long LOOK_MILLIS = 500;

  /**
   * How many there are.
   *
   * @param running files read at once, 1 or more
   * @param waiting files whose turn is to come, 0 or more
   */
  public record Limits(int running, int waiting) {}

  /** A version of a file, whatever name it was asked for by, and what is computed of it. */
  private record Subject(FileStore store, String version, ChecksumAlgorithm algorithm) {}

  private static final class Job {
    private final FileEntry file;
    private final String party;
    private final CompletableFuture<Checksum> result = new CompletableFuture<>();
    private int waiters;
    private @Nullable Thread thread;

    Job(FileEntry file, String party) {
      this.file = file;
      this.party = party;
    }
  }

  private final Limits limits;

  /** In the order in which they were asked for. */
  private final Map<Subject, Job> jobs = new LinkedHashMap<>();

  /** Jobs whose thread has not ended, those among them that nobody wants any more. */
  private final List<Job> running = new ArrayList<>();

  /** Makes one without jobs. */
  public ChecksumJobs(Limits limits) {
    this.limits = limits;
  }

  /** Files that are read now. */
  public synchronized int running() {
    return running.size();
  }

  /** Files whose turn is to come. */
  public synchronized int waiting() {
    return (int) jobs.values().stream().filter(job -> job.thread == null).count();
  }

  /**
   * The checksum of a file, computed now; waits for it.
   *
   * @param party whom the job counts against where nobody asked for it before
   * @param gone whether the one who asked waits no more
   * @return empty where too many are computed already
   * @throws IOException where the file cannot be read, or the one who asked is gone
   */
  public Optional<Checksum> compute(
      FileStore store,
      FileEntry file,
      ChecksumAlgorithm algorithm,
      String party,
      BooleanSupplier gone)
      throws IOException {
    Subject subject = new Subject(store, file.etag(), algorithm);
    Job job = join(subject, file, party);
    if (job == null) {
      return Optional.empty();
    }
    try {
      while (true) {
        try {
          return Optional.of(job.result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException notYet) {
          if (gone.getAsBoolean()) {
            throw new IOException("the client waits for the checksum no more", notYet);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } finally {
      leave(subject, job);
    }
  }

  private synchronized @Nullable Job join(Subject subject, FileEntry file, String party) {
    Job job = jobs.get(subject);
    if (job == null) {
      // One that can run at once needs no place to wait.
      if (!mayRun(party) && (waiting() >= limits.waiting() || !mayWait(party))) {
        return null;
      }
      job = new Job(file, party);
      jobs.put(subject, job);
    }
    startMore();
    job.waiters++;
    return job;
  }

  private boolean mayRun(String party) {
    return running.size() < limits.running()
        && ofParty(running, party) < Math.max(1, limits.running() / 2);
  }

  private boolean mayWait(String party) {
    return ofParty(jobs.values(), party) - ofParty(running, party)
        < Math.max(1, limits.waiting() / 2);
  }

  private static long ofParty(Iterable<Job> jobs, String party) {
    long count = 0;
    for (Job job : jobs) {
      count += job.party.equals(party) ? 1 : 0;
    }
    return count;
  }

  private void startMore() {
    jobs.forEach(
        (subject, job) -> {
          if (job.thread == null && mayRun(job.party)) {
            // A thread of the system: a digest would hold the carrier of others for its length.
            job.thread =
                Thread.ofPlatform().daemon().name("checksum").start(() -> run(subject, job));
            // Not before: where the system has no thread left, the place would be lost for good.
            running.add(job);
          }
        });
  }

  private void run(Subject subject, Job job) {
    try {
      job.result.complete(subject.store().checksum(job.file, subject.algorithm()));
    } catch (Throwable e) { // An Error too, as without direct memory: those who asked wait for it.
      job.result.completeExceptionally(e);
    } finally {
      ended(subject, job);
    }
  }

  private synchronized void ended(Subject subject, Job job) {
    running.remove(job);
    jobs.remove(subject, job);
    startMore();
  }

  private synchronized void leave(Subject subject, Job job) {
    job.waiters--;
    if (job.waiters == 0 && !job.result.isDone()) {
      jobs.remove(subject, job);
      if (job.thread != null) {
        // Ends its reading: who asks from now on begins anew.
        job.thread.interrupt();
      }
    }
  }
}
