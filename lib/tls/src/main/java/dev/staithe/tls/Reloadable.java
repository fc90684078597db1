package dev.staithe.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something made of files that is made anew when they change, and kept as it is where the new files
 * are broken. Thread-safe; {@link #current()} never waits for a reading in progress.
 *
 * @param <T> what is made, immutable
 */
public final class Reloadable<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reloadable.class);

  /**
   * Reads the files.
   *
   * @param <T> what is made of them
   */
  public interface Source<T> {
    /** Reads them; the message of its exception is one line. */
    T read() throws IOException, GeneralSecurityException;
  }

  private record Loaded<T>(T value, Instant at) {}

  private final String what;
  private final List<Path> paths;
  private final Source<T> source;
  private final Clock clock;
  private final @Nullable ScheduledExecutorService poller;

  private volatile Loaded<T> loaded;
  private volatile @Nullable String lastError;
  private FileStamp stamp;

  /**
   * Reads the files for the first time and looks for changes from then on.
   *
   * @param what how log lines name it
   * @param paths files and folders to look at
   * @param interval between two looks at the files; zero for none but by {@link #check()}
   */
  public Reloadable(String what, List<Path> paths, Duration interval, Clock clock, Source<T> source)
      throws IOException, GeneralSecurityException {
    this.what = what;
    this.paths = List.copyOf(paths);
    this.source = source;
    this.clock = clock;
    // Stamped before reading: a change in between is seen as a change later.
    this.stamp = FileStamp.of(paths);
    this.loaded = new Loaded<>(source.read(), clock.instant());
    this.poller = interval.isZero() ? null : poll(interval);
  }

  /** What was read last without failure. */
  public T current() {
    return loaded.value();
  }

  /** When that was. */
  public Instant loadedAt() {
    return loaded.at();
  }

  /** Why the newest files are not in use, one line; null where they are. */
  public @Nullable String lastError() {
    return lastError;
  }

  /**
   * Looks at the files and reads them where they changed, or where the last reading failed.
   *
   * @return whether something new is in use now
   */
  public synchronized boolean check() {
    FileStamp seen = FileStamp.of(paths);
    String errorBefore = lastError;
    if (seen.equals(stamp) && errorBefore == null) {
      return false;
    }
    stamp = seen;
    try {
      loaded = new Loaded<>(source.read(), clock.instant());
      lastError = null;
      LOG.info("{} read again after a change", what);
      return true;
    } catch (IOException | GeneralSecurityException | RuntimeException | Error e) {
      // For want of memory, too: thrown on, it would be the last look at the files.
      String error = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
      lastError = error;
      if (!error.equals(errorBefore)) {
        LOG.warn("{} of {} stays in use: {}", what, loaded.at(), error);
      }
      return false;
    }
  }

  @Override
  public void close() {
    if (poller != null) {
      poller.shutdownNow();
    }
  }

  private ScheduledExecutorService poll(Duration interval) {
    var executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tls-files").factory());
    executor.scheduleWithFixedDelay(
        this::check, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    return executor;
  }
}
