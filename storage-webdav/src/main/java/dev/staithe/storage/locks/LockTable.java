package dev.staithe.storage.locks;

import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write locks of one area (RFC 4918 section 6). Kept in memory and, as an acknowledged lock
 * must outlive a restart, in a log to which each change adds a line: a change costs the same
 * however many locks there are. Who only looks waits for nobody. Safe for many threads.
 *
 * <p>Where an area is shared the log is all nodes' own: what is in memory is what this node has
 * read of it, and {@link #look} reads on. A change is made while no other node makes one.
 */
public final class LockTable implements AutoCloseable {
  /** A lock that is not refreshed ends after that at the latest. */
  public static final Duration LONGEST = Duration.ofDays(1);

  /** Locks of one area. */
  static final int MOST = 10_000;

  /** Of one holder there: one who takes too many leaves room for others. */
  public static final int MOST_OF_ONE = 1_000;

  /** Bytes of what the client says of itself. */
  public static final int LONGEST_OWNER = 1024;

  /** Lines that the log may have beyond those of the locks that there are. */
  private static final int SLACK = 1_000;

  private static final Logger log = LoggerFactory.getLogger(LockTable.class);
  private static final String FILE = "locks";
  private static final String ENDED = "-";

  private final LineLog lines;
  private final boolean amongNodes;
  private final SteadyClock clock;
  private final LockIndex locks;
  private int written;

  /**
   * A lock.
   *
   * @param token its {@code urn:uuid} URI
   * @param root where it was taken
   * @param exclusive or shared
   * @param deep whether it covers everything below its root
   * @param owner what the client said of itself: XML of the owner element, or empty
   * @param holder who took it, by {@link dev.staithe.storage.authz.Caller#label}
   * @param expires when it ends unless refreshed
   * @param made the entity tag of the empty file that it made and nobody has filled yet, or empty
   */
  public record Lock(
      String token,
      StoragePath root,
      boolean exclusive,
      boolean deep,
      String owner,
      String holder,
      Instant expires,
      String made) {
    /** The same with another end. */
    private Lock until(Instant end) {
      return new Lock(token, root, exclusive, deep, owner, holder, end, made);
    }

    /** The same that has made this file. */
    private Lock making(String etag) {
      return new Lock(token, root, exclusive, deep, owner, holder, expires, etag);
    }

    boolean covers(StoragePath path) {
      return root.equals(path) || deep && path.startsWith(root);
    }
  }

  /** Reads the locks that earlier runs, and other nodes, gave. */
  public LockTable(AreaState state, SteadyClock clock) throws IOException {
    this.clock = clock;
    this.locks = new LockIndex(clock);
    Optional<LineLog> shared = state.shared(FILE);
    this.amongNodes = shared.isPresent();
    if (shared.isPresent()) {
      this.lines = shared.get();
      look();
      return;
    }
    String kept = state.read(FILE).orElse("");
    // What a power cut left of a line has no end.
    apply(kept.substring(0, kept.lastIndexOf('\n') + 1).lines().toList(), false);
    locks.expire();
    this.lines = state.log(FILE, kept());
    this.written = locks.size();
  }

  /**
   * Reads what other nodes have added. Who is about to rely on there being no lock calls this while
   * nobody else may take one that matters to him.
   *
   * @throws dev.staithe.storage.files.SharedStateException where it cannot be read
   */
  public void look() throws IOException {
    if (amongNodes) {
      catchUp();
    }
  }

  private synchronized void catchUp() throws IOException {
    LineLog.News news = lines.news();
    if (news.anew() || !news.lines().isEmpty()) {
      apply(news.lines(), news.anew());
      written = news.lines().size() + (news.anew() ? 0 : written);
      locks.expire();
    }
  }

  /**
   * Does what lines say; who looks meanwhile sees each lock before or after, and none that ended.
   *
   * @param anew whether there is no other lock
   */
  private void apply(List<String> kept, boolean anew) {
    Map<String, Optional<Lock>> last = new LinkedHashMap<>();
    for (String line : kept) {
      try {
        if (line.startsWith(ENDED)) {
          last.put(line.substring(ENDED.length()), Optional.empty());
        } else {
          Lock lock = notBeyond(clock.instant().plus(LONGEST), read(line));
          last.put(lock.token(), Optional.of(lock));
        }
      } catch (RuntimeException broken) {
        log.warn("a line of the lock file cannot be read and is dropped");
      }
    }
    if (anew) {
      locks.tokens().forEach(token -> last.putIfAbsent(token, Optional.empty()));
    }
    last.forEach((token, lock) -> lock.ifPresentOrElse(locks::put, () -> locks.remove(token)));
  }

  /** Takes a lock unless one is in the way (RFC 4918 section 7). */
  public Outcome<Lock> take(
      StoragePath root,
      boolean exclusive,
      boolean deep,
      String owner,
      String holder,
      Duration timeout)
      throws IOException {
    Lock lock;
    long line;
    try (LineLog.Turn _ = lines.turn()) {
      synchronized (this) {
        look();
        locks.expire();
        Stream<Lock> others =
            Stream.concat(
                covering(root).stream(), deep ? below(root).stream() : Stream.<Lock>empty());
        if (others.anyMatch(other -> exclusive || other.exclusive())) {
          return new Outcome.Refused<>(Refusal.LOCKED, "another lock is in the way");
        }
        if (locks.ofHolder(holder) >= MOST_OF_ONE) {
          return new Outcome.Refused<>(
              Refusal.TOO_MANY, "you hold " + MOST_OF_ONE + " locks here already: end some");
        }
        if (locks.size() >= MOST) {
          return new Outcome.Refused<>(
              Refusal.TOO_MANY, "this storage area has as many locks as it may have");
        }
        lock =
            new Lock(
                "urn:uuid:" + UUID.randomUUID(),
                root,
                exclusive,
                deep,
                owner,
                holder,
                clock.instant().plus(timeout),
                "");
        line = add(line(lock));
        locks.put(lock);
      }
    }
    try {
      lines.await(line);
    } catch (IOException | RuntimeException e) {
      takeBack(lock, e);
      throw e;
    }
    return new Outcome.Done<>(lock);
  }

  /** Ends a lock of which nobody is told, as it could not be kept. */
  private void takeBack(Lock lock, Exception why) {
    try {
      release(lock.token());
    } catch (IOException | RuntimeException again) {
      why.addSuppressed(again);
    }
    synchronized (this) {
      locks.remove(lock.token());
    }
  }

  /** Gives a lock more time. */
  public Optional<Lock> refresh(String token, Duration timeout) throws IOException {
    return change(token, lock -> true, lock -> lock.until(clock.instant().plus(timeout)));
  }

  /** Notes that taking the lock made a file, of that entity tag. */
  public void made(String token, String etag) throws IOException {
    change(token, lock -> true, lock -> lock.making(etag));
  }

  /** Forgets that it did; whether it was known, which is said to one asker only. */
  boolean filled(Lock lock) throws IOException {
    return change(lock.token(), l -> !l.made().isEmpty(), l -> l.making("")).isPresent();
  }

  private Optional<Lock> change(String token, Predicate<Lock> where, UnaryOperator<Lock> how)
      throws IOException {
    Lock changed;
    long line;
    try (LineLog.Turn _ = lines.turn()) {
      synchronized (this) {
        look();
        locks.expire();
        Lock lock = locks.get(token);
        if (lock == null || !where.test(lock)) {
          return Optional.empty();
        }
        changed = how.apply(lock);
        line = add(line(changed));
        locks.put(changed);
      }
    }
    lines.await(line);
    return Optional.of(changed);
  }

  /** Ends a lock. */
  public void release(String token) throws IOException {
    end(List.of(token));
  }

  /**
   * Ends the locks of what is gone and no other, such as one that was taken at the same path since.
   * What was done is not undone, so that this never fails: where their end cannot be written down
   * they end here alone, and for others at their time.
   */
  public void release(List<Lock> locks) {
    if (locks.isEmpty()) {
      return;
    }
    try {
      end(locks.stream().map(Lock::token).toList());
    } catch (IOException e) {
      log.warn("the end of {} locks of what is gone is not kept: {}", locks.size(), e.toString());
      synchronized (this) {
        locks.forEach(lock -> this.locks.remove(lock.token()));
      }
    }
  }

  private void end(List<String> tokens) throws IOException {
    long line = 0;
    try (LineLog.Turn _ = lines.turn()) {
      synchronized (this) {
        look();
        for (String token : tokens) {
          if (locks.get(token) != null) {
            line = add(ENDED + token);
            locks.remove(token);
          }
        }
      }
    }
    if (line > 0) {
      lines.await(line);
    }
  }

  /** Whether there is none that has not ended, which each change of a file asks first. */
  boolean isEmpty() {
    return locks.isEmpty();
  }

  /** The locks that cover a path. */
  List<Lock> covering(StoragePath path) {
    return locks.covering(path);
  }

  /** The locks taken at a path and below it. */
  List<Lock> below(StoragePath path) {
    return locks.below(path);
  }

  /** How long it still holds. */
  public Duration left(Lock lock) {
    return Duration.between(clock.instant(), lock.expires());
  }

  /** Writes a line; what ended long ago is left out of the log now and then. */
  private long add(String line) throws IOException {
    if (written > 2 * locks.size() + SLACK) {
      lines.rewrite(kept());
      written = locks.size();
    }
    written++;
    return lines.add(line);
  }

  private List<String> kept() {
    return locks.byEnd().map(LockTable::line).toList();
  }

  private static String line(Lock lock) {
    return String.join(
        " ",
        lock.token(),
        lock.root().href(),
        Boolean.toString(lock.exclusive()),
        Boolean.toString(lock.deep()),
        lock.expires().toString(),
        URLEncoder.encode(lock.holder(), StandardCharsets.UTF_8),
        URLEncoder.encode(lock.owner(), StandardCharsets.UTF_8),
        URLEncoder.encode(lock.made(), StandardCharsets.UTF_8));
  }

  /** How many there are, among them what has ended and was not swept yet. */
  synchronized int count() {
    return locks.size();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  /** The clock may have been ahead when an earlier run wrote it. */
  private static Lock notBeyond(Instant latest, Lock lock) {
    return lock.expires().isAfter(latest) ? lock.until(latest) : lock;
  }

  private static Lock read(String line) {
    String[] fields = line.split(" ", -1);
    if (!(StoragePath.parse(fields[1].isEmpty() ? "/" : fields[1])
        instanceof StoragePath.Parsed.Valid root)) {
      throw new IllegalArgumentException("no path");
    }
    return new Lock(
        fields[0],
        root.path(),
        Boolean.parseBoolean(fields[2]),
        Boolean.parseBoolean(fields[3]),
        URLDecoder.decode(fields[6], StandardCharsets.UTF_8),
        URLDecoder.decode(fields[5], StandardCharsets.UTF_8),
        Instant.parse(fields[4]),
        // Lines of earlier versions end before it.
        fields.length < 8 ? "" : URLDecoder.decode(fields[7], StandardCharsets.UTF_8));
  }
}
