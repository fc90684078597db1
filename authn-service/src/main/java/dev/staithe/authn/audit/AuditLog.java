package dev.staithe.authn.audit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every login, refusal, logout and step of administration: one JSON object a line, in a file of its
 * own or on standard output. Never holds a password, a code or a token. Safe for many threads.
 */
public final class AuditLog {
  /** Fields are cut at this many characters: names come from whoever asks. */
  private static final int LONGEST = 256;

  /** The name that a request has in the log (SLF4J's MDC). */
  public static final String REQUEST = "request";

  /** The name that the address of a request has there. */
  public static final String CLIENT = "client";

  private final org.slf4j.Logger log;
  private final Clock clock;
  private final JsonMapper json = JsonMapper.shared();

  /**
   * @param file where to, kept for a year, a file each day; null for standard output
   */
  public AuditLog(@Nullable Path file, Clock clock) {
    this.clock = clock;
    this.log = LoggerFactory.getLogger("staithe.audit");
    if (file != null && log instanceof Logger logger) {
      logger.detachAndStopAllAppenders();
      logger.setAdditive(false);
      logger.addAppender(appender(file, logger.getLoggerContext()));
    }
  }

  private static RollingFileAppender<ILoggingEvent> appender(Path file, LoggerContext context) {
    var appender = new RollingFileAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setFile(file.toString());
    var daily = new TimeBasedRollingPolicy<ILoggingEvent>();
    daily.setContext(context);
    daily.setFileNamePattern(file + ".%d{yyyy-MM-dd}.gz");
    daily.setMaxHistory(365);
    daily.setParent(appender);
    daily.start();
    appender.setRollingPolicy(daily);
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  /** A line that is being put together. Not thread-safe. */
  public final class Line {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    private Line(String event, String outcome) {
      with("time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
      with("event", event);
      with("outcome", outcome);
      with("request", MDC.get(REQUEST));
      with("address", MDC.get(CLIENT));
    }

    /** Adds a field; null and empty values are left out. */
    public Line with(String name, @Nullable String value) {
      if (value != null && !value.isEmpty()) {
        fields.put(name, value.length() > LONGEST ? value.substring(0, LONGEST) : value);
      }
      return this;
    }

    /** Adds a number. */
    public Line with(String name, long value) {
      fields.put(name, value);
      return this;
    }

    /** Writes it. */
    public void write() {
      log.info("{}", json.writeValueAsString(fields));
    }
  }

  /**
   * Begins a line.
   *
   * @param event what was done, as {@code login}, {@code logout}, {@code user.create}
   * @param outcome {@code ok} or why not, in one or two words
   */
  public Line line(String event, String outcome) {
    return new Line(event, outcome);
  }
}
