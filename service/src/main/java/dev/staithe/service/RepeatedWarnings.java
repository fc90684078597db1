package dev.staithe.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Keeps a warning that repeats from filling the log, whoever causes it: some lines of a kind in a
 * minute, then one line that counts the others. A kind is what one place of the code says, whatever
 * it fills in. Lines below a warning are not touched. Thread-safe.
 */
public final class RepeatedWarnings extends TurboFilter {
  /** Marks lines of which each says something of its own: all are written. */
  public static final Marker EACH = MarkerFactory.getMarker("EACH");

  /** Lines of a kind in a minute. */
  static final int LINES = 20;

  private static final long WINDOW = Duration.ofMinutes(1).toNanos();

  /** Kinds are places of the code; a message that is put together beforehand would be one each. */
  private static final int MOST_KINDS = 1000;

  private static final String COUNTED = "{} more lines like this in a minute: {}";

  private record Kind(Logger logger, Level level, String format) {}

  private final LongSupplier nanos;
  private final Map<Kind, AtomicInteger> seen = new ConcurrentHashMap<>();
  private final AtomicLong begun;

  /** For Logback, which has it from {@code logback-spring.xml}. */
  public RepeatedWarnings() {
    this(System::nanoTime);
  }

  RepeatedWarnings(LongSupplier nanos) {
    this.nanos = nanos;
    this.begun = new AtomicLong(nanos.getAsLong());
  }

  /** Asked before each line, and each time code asks whether a level is on, without a format. */
  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] params,
      @Nullable Throwable t) {
    long now = nanos.getAsLong();
    long since = begun.get();
    if (now - since > WINDOW && begun.compareAndSet(since, now)) {
      tellOfTheOthers();
    }
    if (format == null
        || !level.isGreaterOrEqual(Level.WARN)
        || format.equals(COUNTED)
        || EACH.equals(marker)) {
      return FilterReply.NEUTRAL;
    }
    Kind kind = new Kind(logger, level, format);
    AtomicInteger count = seen.get(kind);
    if (count == null) {
      if (seen.size() >= MOST_KINDS) {
        return FilterReply.NEUTRAL;
      }
      count = seen.computeIfAbsent(kind, fresh -> new AtomicInteger());
    }
    return count.incrementAndGet() <= LINES ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  /** Whatever is logged next after the minute brings the counts, most often the access log. */
  private void tellOfTheOthers() {
    for (Kind kind : seen.keySet()) {
      AtomicInteger count = seen.remove(kind);
      if (count != null && count.get() > LINES) {
        Logger log = kind.logger().getLoggerContext().getLogger(RepeatedWarnings.class);
        log.warn(COUNTED, count.get() - LINES, kind.format());
      }
    }
  }
}
