package dev.staithe.storage;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.dav.DavHandler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One line, a JSON object or StoRM's, for every request that ended, and the request metrics. Query
 * strings, which may carry credentials, are left out. Safe for many threads.
 */
final class AccessLog implements RequestLog {
  private static final Set<String> METHODS =
      Set.of(
          "GET",
          "HEAD",
          "PUT",
          "PATCH",
          "POST",
          "DELETE",
          "MKCOL",
          "COPY",
          "MOVE",
          "OPTIONS",
          "PROPFIND",
          "PROPPATCH",
          "LOCK",
          "UNLOCK");

  private final org.slf4j.Logger log;
  private final boolean enabled;
  private final StorageProperties.AccessLog.Layout layout;
  private final MeterRegistry registry;
  private final Clock clock;
  private final ConcurrentHashMap<Key, Meters> meters = new ConcurrentHashMap<>();

  private record Key(String area, String method, int statusClass) {}

  private record Meters(Timer time, Counter received, Counter sent) {}

  AccessLog(StorageProperties.AccessLog settings, MeterRegistry registry, Clock clock) {
    this.enabled = settings.enabled();
    this.layout = settings.layout();
    this.registry = registry;
    this.clock = clock;
    this.log = LoggerFactory.getLogger("staithe.access");
    if (settings.file() != null && log instanceof Logger logger) {
      logger.detachAndStopAllAppenders();
      logger.addAppender(file(settings.file(), logger.getLoggerContext()));
    }
  }

  private static RollingFileAppender<ILoggingEvent> file(Path file, LoggerContext context) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setFile(file.toString());
    TimeBasedRollingPolicy<ILoggingEvent> daily = new TimeBasedRollingPolicy<>();
    daily.setContext(context);
    daily.setFileNamePattern(file + ".%d{yyyy-MM-dd}.gz");
    daily.setMaxHistory(30);
    daily.setParent(appender);
    daily.start();
    appender.setRollingPolicy(daily);
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  @Override
  public void log(Request request, Response response) {
    long nanos = System.nanoTime() - request.getBeginNanoTime();
    long received = Request.getContentBytesRead(request);
    long sent = Response.getContentBytesWritten(response);
    int status = response.getStatus();
    String area = text(request.getAttribute(DavHandler.AREA), "-");
    count(area, request.getMethod(), status, nanos, received, sent);
    if (enabled) {
      log.info(
          "{}",
          switch (layout) {
            case JSON -> json(request, status, received, sent, nanos);
            case STORM -> StormAccessLine.of(request, status, sent, nanos, clock.instant());
          });
    }
  }

  private CharSequence json(Request request, int status, long received, long sent, long nanos) {
    StringBuilder line = new StringBuilder(320).append('{');
    field(line, "time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    field(line, "request", text(request.getAttribute(DavHandler.REQUEST_ID), "-"));
    field(line, "remote", Request.getRemoteAddr(request));
    field(
        line,
        "caller",
        request.getAttribute(DavHandler.CALLER) instanceof Caller caller ? caller.label() : "-");
    field(line, "area", text(request.getAttribute(DavHandler.AREA), "-"));
    field(line, "method", request.getMethod());
    field(line, "path", request.getHttpURI().getPath());
    number(line, "status", status);
    number(line, "in", received);
    number(line, "out", sent);
    number(line, "ms", TimeUnit.NANOSECONDS.toMillis(nanos));
    optional(line, "client", request.getHeaders().get("ClientInfo"));
    optional(line, "agent", request.getHeaders().get(HttpHeader.USER_AGENT));
    if (request.getConnectionMetaData().isSecure()) {
      optional(line, "tls", tls(request));
    }
    line.setCharAt(line.length() - 1, '}');
    return line;
  }

  private static @Nullable String tls(Request request) {
    var session = request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    return session == null ? null : session.cipherSuite();
  }

  private void count(String area, String method, int status, long nanos, long received, long sent) {
    // Only names that we know become labels: a client must not fill the registry.
    Key key = new Key(area, METHODS.contains(method) ? method : "other", status / 100);
    Meters m = meters.computeIfAbsent(key, this::meters);
    m.time().record(nanos, TimeUnit.NANOSECONDS);
    m.received().increment(Math.max(0, received));
    m.sent().increment(Math.max(0, sent));
  }

  private Meters meters(Key key) {
    String[] tags = {
      "area", key.area(), "method", key.method(), "status", key.statusClass() + "xx"
    };
    return new Meters(
        Timer.builder("staithe.requests").tags(tags).register(registry),
        Counter.builder("staithe.received.bytes").tags(tags).register(registry),
        Counter.builder("staithe.sent.bytes").tags(tags).register(registry));
  }

  private static String text(@Nullable Object value, String otherwise) {
    return value instanceof String text ? text : otherwise;
  }

  private static void number(StringBuilder line, String name, long value) {
    line.append('"').append(name).append("\":").append(value).append(',');
  }

  private static void optional(StringBuilder line, String name, @Nullable String value) {
    if (value != null) {
      field(line, name, value.length() > 256 ? value.substring(0, 256) : value);
    }
  }

  private static void field(StringBuilder line, String name, @Nullable String value) {
    line.append('"').append(name).append("\":\"");
    String text = value == null ? "" : value;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c < 0x20 || c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u2029') {
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    line.append("\",");
  }
}
