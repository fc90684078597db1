package dev.staithe.storage.contracts;

import dev.staithe.contracts.log.Checkpoint;
import dev.staithe.contracts.log.LogTiles;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.log.WitnessFolder;
import dev.staithe.contracts.signature.BadSignature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches that the logs of partners only grow: each checkpoint is compared with the last one that
 * was seen of the same log (RFC 9162 section 2.1.4), which is kept in a file. A log that was cut,
 * forked, changed, or is signed by another key is distrusted until an operator takes the evidence
 * away, and areas that require contracts have none with its host. Thread-safe.
 */
final class Witness implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Witness.class);

  private final Partners partners;
  private final Set<String> hosts;
  private final WitnessFolder folder;
  private final Duration every;
  private final Clock clock;
  private final Map<String, Seen> seen = new ConcurrentSkipListMap<>();
  private final Map<String, String> distrusted = new ConcurrentSkipListMap<>();
  private final Thread thread;

  /**
   * What was seen last of a partner's log.
   *
   * @param size entries
   * @param time when
   */
  private record Seen(long size, Instant time) {}

  /**
   * What is known of a partner's log.
   *
   * @param size entries when it was last as it should be; 0: since the start, never
   * @param time of that
   * @param against why it is distrusted; empty: it is not
   */
  record Finding(long size, Instant time, String against) {}

  /** The log is not what it was; the message is one line. */
  private static final class Inconsistent extends Exception {
    private static final long serialVersionUID = 1L;

    Inconsistent(String line) {
      super(line, null, false, false);
    }
  }

  private Witness(
      Partners partners, Set<String> hosts, WitnessFolder folder, Duration every, Clock clock) {
    this.partners = partners;
    this.hosts = Set.copyOf(hosts);
    this.folder = folder;
    this.every = every;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("witness").unstarted(this::run);
  }

  /**
   * Reads what was found before.
   *
   * @param hosts whose logs are watched, as {@code host:port}
   * @param folder of the last checkpoints, and of evidence
   * @param every so often
   */
  static Witness open(
      Partners partners, Set<String> hosts, WitnessFolder folder, Duration every, Clock clock)
      throws IOException {
    Witness witness = new Witness(partners, hosts, folder, every, clock);
    for (String host : hosts) {
      folder
          .evidence(host)
          .flatMap(text -> text.lines().findFirst())
          .ifPresent(line -> witness.distrusted.put(host, line));
    }
    return witness;
  }

  /** Begins to look. */
  void start() {
    thread.start();
  }

  /** Why the host's log is distrusted; empty where it is not. */
  Optional<String> against(String host) {
    return Optional.ofNullable(distrusted.get(host));
  }

  /** How many partners' logs are distrusted. */
  long inconsistent() {
    return distrusted.size();
  }

  /** What is known of each log that was looked at, by host. */
  Map<String, Finding> findings() {
    Map<String, Finding> findings = new TreeMap<>();
    seen.forEach((host, last) -> findings.put(host, new Finding(last.size(), last.time(), "")));
    distrusted.forEach(
        (host, line) -> {
          Finding last = findings.get(host);
          findings.put(
              host,
              last == null
                  ? new Finding(0, Instant.EPOCH, line)
                  : new Finding(last.size(), last.time(), line));
        });
    return findings;
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      for (String host : hosts) {
        look(host);
      }
      try {
        Thread.sleep(every);
      } catch (InterruptedException end) {
        return;
      }
    }
  }

  private void look(String host) {
    try {
      if (distrusted.containsKey(host) && folder.evidence(host).isPresent()) {
        return;
      }
      compare(host);
      distrusted.remove(host);
    } catch (Inconsistent found) {
      log.error("the log of {} is inconsistent: {}", host, found.getMessage());
    } catch (IOException e) {
      log.info("the log of {} cannot be looked at now: {}", host, e.getMessage());
    } catch (RuntimeException | Error e) { // Memory may be short for a moment.
      log.warn("the log of {} cannot be looked at", host, e);
    }
  }

  private void compare(String host) throws IOException, Inconsistent {
    LogVerifier today = partners.log(host);
    String address = "/.staithe/log/";
    String note = new String(partners.get(host, address + "checkpoint"), StandardCharsets.UTF_8);
    Checkpoint now = signed(note, today);
    String kept = folder.seen(host).orElse("");
    try {
      if (!kept.isEmpty() && !kept.startsWith(today + "\n")) {
        throw new BadSignature("it has another key than before");
      }
      if (!kept.isEmpty()) {
        Checkpoint before = Checkpoint.verify(kept.substring(kept.indexOf('\n') + 1), today);
        LogTiles tiles = new LogTiles(now.size(), path -> partners.get(host, address + path));
        if (!tiles.goesOnFrom(before, now)) {
          throw new BadSignature(
              "its "
                  + now.size()
                  + " entries do not begin with the "
                  + before.size()
                  + " that it had");
        }
      }
      folder.keepSeen(host, today + "\n" + note);
      seen.put(host, new Seen(now.size(), clock.instant()));
    } catch (BadSignature bad) {
      // First, as there may be no room for the evidence.
      distrusted.put(host, bad.line());
      // Both notes are signed: together they prove it to anybody.
      folder.keepEvidence(host, bad.line() + "\n\n" + kept + "\n" + today + "\n" + note);
      throw new Inconsistent(bad.line());
    }
  }

  /** What is not signed proves nothing against anybody: a proxy's page, say. */
  private static Checkpoint signed(String note, LogVerifier key) throws IOException {
    try {
      return Checkpoint.verify(note, key);
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
