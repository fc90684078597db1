package dev.staithe.service.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.RequestId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One line, a JSON object unless the service has its own, for every request that ended, and the
 * request metrics. Query strings, which may carry credentials, are left out. Safe for many threads.
 */
public final class AccessLog implements RequestLog {
  /**
   * What a service knows about a request besides what was sent.
   *
   * @param part what it calls the parts of itself, such as {@code area}: a field of the line and a
   *     label of the metrics
   * @param partOf the part that a request was for, out of a few; null for none
   * @param callerOf who asked, without any credential; null for nobody known
   * @param more further fields of the line by their names, not to be changed; null: this line has
   *     none
   */
  public record Knowledge(
      String part,
      Function<Request, @Nullable String> partOf,
      Function<Request, @Nullable String> callerOf,
      Map<String, Function<Request, @Nullable String>> more) {
    /** Without further fields. */
    public Knowledge(
        String part,
        Function<Request, @Nullable String> partOf,
        Function<Request, @Nullable String> callerOf) {
      this(part, partOf, callerOf, Map.of());
    }

    /** Of a service whose parts are its interfaces, and which does not tell who asked. */
    public static Knowledge of(Function<Request, @Nullable String> interfaceOf) {
      return new Knowledge("interface", interfaceOf, request -> null);
    }
  }

  /** What a site says of it. */
  public interface Settings {
    /** Whether there is one. */
    boolean enabled();

    /** Where it goes; null for standard output, together with the log. */
    @Nullable Path file();

    /** The form of its lines; null for JSON. */
    default @Nullable Line line() {
      return null;
    }
  }

  /** Writes a line of another form. */
  @FunctionalInterface
  public interface Line {
    /**
     * The line, without its end; what the client sent must not be able to end it.
     *
     * @param sent bytes of the response's content
     * @param nanos that the request took
     * @param now when it ended
     */
    String of(Request request, int status, long sent, long nanos, Instant now);
  }

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

  private static final String NONE = "-";

  private static final long LARGEST = 100L << 20;

  private final org.slf4j.Logger log;
  private final boolean enabled;
  private final @Nullable Path written;
  private final @Nullable Line line;
  private final Knowledge knowledge;
  private final MeterRegistry registry;
  private final Clock clock;
  private final ConcurrentHashMap<Key, Meters> meters = new ConcurrentHashMap<>();

  private record Key(String part, String method, int statusClass) {}

  private record Meters(Timer time, Counter received, Counter sent) {}

  /**
   * Opens it.
   *
   * @param registry for the metrics, which are kept whether there is a log or not
   */
  public AccessLog(Settings settings, Knowledge knowledge, MeterRegistry registry, Clock clock) {
    this.enabled = settings.enabled();
    this.line = settings.line();
    this.knowledge = knowledge;
    this.registry = registry;
    this.clock = clock;
    this.log = LoggerFactory.getLogger("staithe.access");
    Path named = settings.file();
    this.written = enabled ? named : null;
    if (named != null && log instanceof Logger logger) {
      Path file = OneLineFailure.started("staithe.access-log.file", () -> tried(named));
      logger.detachAndStopAllAppenders();
      logger.addAppender(file(file, LARGEST, logger.getLoggerContext()));
    }
  }

  /** Logback itself would tell of a file that it cannot write, and go on without. */
  private static Path tried(Path file) throws IOException {
    // Only the last folder: a way of several that are missing is more often a slip of the pen.
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      Path above = folder.getParent();
      if (above != null && !Files.isDirectory(above)) {
        throw new NoSuchFileException(above.toString());
      }
      Files.createDirectory(folder);
    }
    Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    return file;
  }

  /**
   * The file and its older ones.
   *
   * @param largest bytes before it is moved aside and compressed; all that were come to twenty
   *     times as much at most
   */
  static RollingFileAppender<ILoggingEvent> file(Path file, long largest, LoggerContext context) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setFile(file.toString());
    SizeAndTimeBasedRollingPolicy<ILoggingEvent> daily = new SizeAndTimeBasedRollingPolicy<>();
    daily.setContext(context);
    daily.setFileNamePattern(file + ".%d{yyyy-MM-dd}.%i.gz");
    daily.setMaxHistory(30);
    // Whoever asks a lot fills so much of the disk and no more; the oldest files make room.
    daily.setMaxFileSize(new FileSize(largest));
    daily.setTotalSizeCap(new FileSize(20 * largest));
    daily.setParent(appender);
    daily.start();
    appender.setRollingPolicy(daily);
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    // Without looking for an exception, which no line has.
    encoder.setPattern("%msg%n%nopex");
    encoder.start();
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  /** Why lines are not where they should be, without the name of the file; null where they are. */
  public @Nullable String trouble() {
    Path file = written;
    if (file == null) {
      return null;
    }
    if (!Files.isWritable(file)) {
      return "the file was moved or cannot be written; SIGHUP opens it again";
    }
    // Logback goes on without a word where the disk is full.
    return file.toAbsolutePath().toFile().getUsableSpace() == 0 ? "the disk is full" : null;
  }

  @Override
  public void log(Request request, Response response) {
    long nanos = System.nanoTime() - request.getBeginNanoTime();
    long received = Request.getContentBytesRead(request);
    long sent = Response.getContentBytesWritten(response);
    int status = response.getStatus();
    String part = orNone(knowledge.partOf().apply(request));
    count(part, request.getMethod(), status, nanos, received, sent);
    if (enabled) {
      log.info(
          "{}",
          line == null
              ? json(request, part, status, received, sent, nanos)
              : line.of(request, status, sent, nanos, clock.instant()));
    }
  }

  private CharSequence json(
      Request request, String part, int status, long received, long sent, long nanos) {
    StringBuilder json = new StringBuilder(320).append('{');
    field(json, "time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    field(json, "request", orNone(RequestId.of(request)));
    field(json, "remote", Request.getRemoteAddr(request));
    field(json, "caller", orNone(knowledge.callerOf().apply(request)));
    field(json, knowledge.part(), part);
    field(json, "method", request.getMethod());
    field(json, "path", request.getHttpURI().getPath());
    number(json, "status", status);
    number(json, "in", received);
    number(json, "out", sent);
    number(json, "ms", TimeUnit.NANOSECONDS.toMillis(nanos));
    knowledge.more().forEach((name, of) -> optional(json, name, of.apply(request)));
    optional(json, "client", request.getHeaders().get("ClientInfo"));
    optional(json, "agent", request.getHeaders().get(HttpHeader.USER_AGENT));
    if (request.getConnectionMetaData().isSecure()) {
      optional(json, "tls", tls(request));
    }
    json.setCharAt(json.length() - 1, '}');
    return json;
  }

  private static @Nullable String tls(Request request) {
    var session = request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    return session == null ? null : session.cipherSuite();
  }

  private void count(String part, String method, int status, long nanos, long received, long sent) {
    // Only names that we know become labels: a client must not fill the registry.
    Key key = new Key(part, METHODS.contains(method) ? method : "other", status / 100);
    Meters m = meters.computeIfAbsent(key, this::meters);
    m.time().record(nanos, TimeUnit.NANOSECONDS);
    m.received().increment(Math.max(0, received));
    m.sent().increment(Math.max(0, sent));
  }

  private Meters meters(Key key) {
    String[] tags = {
      knowledge.part(), key.part(), "method", key.method(), "status", key.statusClass() + "xx"
    };
    return new Meters(
        Timer.builder("staithe.requests").tags(tags).register(registry),
        Counter.builder("staithe.received.bytes").tags(tags).register(registry),
        Counter.builder("staithe.sent.bytes").tags(tags).register(registry));
  }

  private static String orNone(@Nullable String value) {
    return value == null ? NONE : value;
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
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean quoted = c == '"' || c == '\\';
      if (quoted || c < 0x20 || c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u2029') {
        line.append(text, from, i);
        line.append(quoted ? "\\" + c : String.format(Locale.ROOT, "\\u%04x", (int) c));
        from = i + 1;
      }
    }
    line.append(text, from, text.length()).append("\",");
  }
}
