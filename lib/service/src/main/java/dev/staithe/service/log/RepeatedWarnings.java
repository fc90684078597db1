package dev.staithe.service.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Keeps a warning that repeats from filling the log, whoever causes it: some lines of a kind in a
 * minute, then one line that counts the others. A kind is what one place of the code says, whatever
 * it fills in. Lines below a warning are not touched. Thread-safe.
 *
 * <p>A filter of the appender, which sees what is written, and not a turbo filter, which is asked
 * whenever code asks whether a level is on: Jetty does so a hundred times a request.
 */
public final class RepeatedWarnings extends Filter<ILoggingEvent> {
  /** Marks lines of which each says something of its own: all are written. */
  public static final Marker EACH = MarkerFactory.getMarker("EACH");

  /** Lines of a kind in a minute. */
  static final int LINES = 20;

  /** Kinds are places of the code; a message that is put together beforehand would be one each. */
  private static final int MOST_KINDS = 1000;

  private static final String COUNTED = "{} more lines like this in a minute: {}";

  private record Kind(String logger, Level level, String format) {}

  private final Map<Kind, AtomicInteger> seen = new ConcurrentHashMap<>();

  /** For Logback, which has it from {@code logback-spring.xml}. */
  public RepeatedWarnings() {}

  @Override
  public void start() {
    super.start();
    getContext()
        .addScheduledFuture(
            getContext()
                .getScheduledExecutorService()
                .scheduleAtFixedRate(this::endMinute, 1, 1, TimeUnit.MINUTES));
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    List<Marker> markers = event.getMarkerList();
    String format = event.getMessage();
    if (format == null
        || !event.getLevel().isGreaterOrEqual(Level.WARN)
        || format.equals(COUNTED)
        || markers != null && markers.contains(EACH)) {
      return FilterReply.NEUTRAL;
    }
    Kind kind = new Kind(event.getLoggerName(), event.getLevel(), format);
    AtomicInteger count = seen.get(kind);
    if (count == null) {
      if (seen.size() >= MOST_KINDS) {
        return FilterReply.NEUTRAL;
      }
      count = seen.computeIfAbsent(kind, fresh -> new AtomicInteger());
    }
    return count.incrementAndGet() <= LINES ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  /** Tells how many more there were, and begins to count anew. */
  void endMinute() {
    try {
      for (Kind kind : seen.keySet()) {
        AtomicInteger count = seen.remove(kind);
        if (count != null && count.get() > LINES) {
          ((LoggerContext) getContext())
              .getLogger(RepeatedWarnings.class)
              .warn(COUNTED, count.get() - LINES, kind.format());
        }
      }
    } catch (RuntimeException | Error e) {
      // For want of memory: thrown on, it would be the last minute, and no warning be told again.
    }
  }
}
