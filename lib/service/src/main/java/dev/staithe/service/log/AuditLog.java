package dev.staithe.service.log;

import dev.staithe.pki.HashChain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything that matters afterwards: one JSON object a line, in a file of its own or on standard
 * output, chained by {@link HashChain} so that nobody changes it unnoticed. A file that was moved
 * aside is begun anew at SIGHUP. Never holds a password, a code or a token. Safe for many threads;
 * one process writes a file.
 */
public final class AuditLog implements AutoCloseable {
  /** The name that a request has in the log (SLF4J's MDC). */
  public static final String REQUEST = "request";

  /** The name that the address of a request has there. */
  public static final String CLIENT = "client";

  /**
   * Fields are cut at this many characters, as names come from whoever asks; names in certificates
   * are within it.
   */
  private static final int LONGEST = 1200;

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** Where lines go without a file. */
  private static final Logger OUT = LoggerFactory.getLogger("staithe.audit");

  private final @Nullable AuditFile file;
  private final Clock clock;
  private final JsonMapper json = JsonMapper.shared();
  private final HangUp.Reopened reopened = this::reopen;
  private HashChain.Head head = HashChain.Head.START;

  /**
   * Opens a log and goes on with its chain.
   *
   * @param path where to, a file each day and the days before beside it; null for standard output,
   *     where a chain begins with each start
   * @param daysKept how long files of days before stay
   * @throws IOException with one line where the file cannot be written, or another process does
   */
  public AuditLog(@Nullable Path path, int daysKept, Clock clock) throws IOException {
    this(path, daysKept, clock, AuditFile.Disk.REAL);
  }

  AuditLog(@Nullable Path path, int daysKept, Clock clock, AuditFile.Disk disk) throws IOException {
    this.clock = clock;
    if (path == null) {
      this.file = null;
      return;
    }
    this.file = new AuditFile(path, daysKept, clock, disk);
    this.head = file.head();
    if (!file.repaired().isEmpty()) {
      LOG.warn("{}: {}", path, file.repaired());
      line("audit.repair", "ok").with("found", file.repaired()).write();
    }
    HangUp.also(reopened);
  }

  /** The chain goes on in the new file, whose first line says that there is one before. */
  private synchronized void reopen() throws IOException {
    if (file != null && file.reopen()) {
      line("audit.reopen", "ok").write();
    }
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

    /** Writes it; what is wrong with the file is said in the service's own log. */
    public void write() {
      try {
        append(fields);
      } catch (IOException e) {
        LOG.error("a line of the audit log is lost: {}", e.getMessage());
      }
    }

    /**
     * Writes it and waits until it is on the disk; many threads that wait share one wait.
     *
     * @throws UncheckedIOException where it is not: what it is about must not happen then. Once a
     *     disk has failed no line counts as written until the service starts again
     */
    public void writeDurably() {
      try {
        long end = append(fields);
        if (file != null) {
          file.force(end);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the audit log cannot be written", e);
      }
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

  /** Where the chain has got to. */
  public synchronized HashChain.Head head() {
    return head;
  }

  private synchronized long append(Map<String, Object> fields) throws IOException {
    HashChain.Line sealed = HashChain.seal(json.writeValueAsString(fields), head);
    long end = 0;
    if (file == null) {
      OUT.info("{}", sealed.text());
    } else {
      end = file.append(sealed.text());
    }
    // A line that was not written has no part in the chain.
    head = sealed.head();
    return end;
  }

  @Override
  public synchronized void close() {
    HangUp.noLonger(reopened);
    if (file != null) {
      file.close();
    }
  }
}
