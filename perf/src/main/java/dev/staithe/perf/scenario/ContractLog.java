package dev.staithe.perf.scenario;

import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.Merkle;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.perf.lean.LogTask;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.RequestTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Carries out {@link LogTask}s. Not thread-safe. */
final class ContractLog {
  private static final int HASH_BYTES = 32;
  private static final int DIGITS = 3;

  /** As many transfers as end at the same time. */
  private static final int AT_ONCE = 64;

  /** More than any server has, so that a large log is soon there. */
  private static final int FILLING = 2048;

  private final Path folder;
  private final Random random = new Random();

  private ContractLog(Path folder) {
    this.folder = folder;
  }

  /**
   * Does it.
   *
   * @throws IOException where the log cannot be written, or is not what it was
   */
  static Outcome perform(LogTask task) throws IOException {
    var log = new ContractLog(Path.of(task.folder()));
    return switch (task.step()) {
      case FILL -> log.fill(task.entries());
      case APPEND -> log.append(task.entries(), AT_ONCE);
      case APPEND_ALONE -> log.append(task.entries(), 1);
      case PROOF -> log.prove(task.entries());
      case START -> log.start(task.entries());
    };
  }

  private TileLog open() throws IOException {
    Files.createDirectories(folder);
    return TileLog.open(
        folder.resolve("log"),
        LogKey.readOrMake(folder.resolve("log.key"), "perf.invalid/.staithe/log"));
  }

  private Outcome fill(int entries) throws IOException {
    TileLog log = open();
    long missing = entries - log.checkpoint().size();
    return missing <= 0
        ? outcome(1, 0, RequestTally.empty())
        : append(log, (int) missing, Math.min(FILLING, (int) missing));
  }

  private Outcome append(int entries, int atOnce) throws IOException {
    TileLog log = open();
    append(log, Math.max(atOnce, entries / 10), atOnce); // warms up
    return append(log, entries, atOnce);
  }

  private Outcome append(TileLog log, int entries, int atOnce) throws IOException {
    var times = new SynchronizedHistogram(DIGITS);
    List<Future<?>> all = new ArrayList<>();
    long before = log.checkpoint().size();
    long began = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < atOnce; i++) {
        int share = entries / atOnce + (i < entries % atOnce ? 1 : 0);
        all.add(
            threads.submit(
                () -> {
                  appendInTurn(log, share, times);
                  return null;
                }));
      }
    }
    long ended = System.nanoTime();
    for (Future<?> each : all) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new IOException("the log takes no entry: " + e.getCause(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    long appended = log.checkpoint().size() - before;
    if (appended != entries) {
      throw new IOException("%d entries became %d".formatted(entries, appended));
    }
    return outcome(entries, (ended - began) / 1e9, times);
  }

  private static void appendInTurn(TileLog log, int entries, Histogram times) throws IOException {
    var own = new Random();
    byte[] entry = new byte[HASH_BYTES];
    for (int i = 0; i < entries; i++) {
      own.nextBytes(entry);
      long began = System.nanoTime();
      log.append(entry);
      times.recordValue(System.nanoTime() - began);
    }
  }

  private Outcome prove(int proofs) throws IOException {
    TileLog log = open();
    long size = log.checkpoint().size();
    prove(log, size, proofs / 10); // warms up
    return prove(log, size, proofs);
  }

  private Outcome prove(TileLog log, long size, int proofs) throws IOException {
    Histogram times = RequestTally.empty();
    long all = System.nanoTime();
    for (int i = 0; i < proofs; i++) {
      long began = System.nanoTime();
      Merkle.inclusion(log, random.nextLong(size), size);
      times.recordValue(System.nanoTime() - began);
    }
    return outcome(proofs, (System.nanoTime() - all) / 1e9, times);
  }

  private Outcome start(int times) throws IOException {
    Histogram each = RequestTally.empty();
    long all = System.nanoTime();
    for (int i = 0; i < times; i++) {
      long began = System.nanoTime();
      open();
      each.recordValue(System.nanoTime() - began);
    }
    return outcome(times, (System.nanoTime() - all) / 1e9, each);
  }

  private static Outcome outcome(int pieces, double seconds, Histogram times) {
    return new Outcome(pieces, 0, 0, seconds, RequestTally.encoded(times), "", "");
  }
}
