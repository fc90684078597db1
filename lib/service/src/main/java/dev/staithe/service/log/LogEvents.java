package dev.staithe.service.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts what is logged by its level, as {@code logback.events}, and takes the place of
 * Micrometer's own binder: that one asks a turbo filter, which Logback asks whenever code asks
 * whether a level is on. Jetty does so a hundred times a request. What goes to a log of its own, as
 * the lines of requests may, is not counted. Safe for many threads.
 */
public final class LogEvents extends LogbackMetrics {
  private final Logger root;
  private UnsynchronizedAppenderBase<ILoggingEvent> appender = new Counting(Map.of());

  /** Counts what is logged in {@code context}, from {@link #bindTo} on. */
  public LogEvents(LoggerContext context) {
    super(List.of(), context);
    this.root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    appender =
        new Counting(
            Stream.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE)
                .collect(Collectors.toMap(Function.identity(), level -> counter(registry, level))));
    appender.setContext(root.getLoggerContext());
    appender.start();
    root.addAppender(appender);
  }

  private static Counter counter(MeterRegistry registry, Level level) {
    return Counter.builder("logback.events")
        .tag("level", level.levelStr.toLowerCase(Locale.ROOT))
        .description("Lines logged at this level")
        .baseUnit("events")
        .register(registry);
  }

  @Override
  public void close() {
    root.detachAppender(appender);
  }

  private static final class Counting extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final Map<Level, Counter> counters;

    Counting(Map<Level, Counter> counters) {
      this.counters = counters;
    }

    @Override
    protected void append(ILoggingEvent event) {
      Counter counter = counters.get(event.getLevel());
      if (counter != null) {
        counter.increment();
      }
    }
  }
}
