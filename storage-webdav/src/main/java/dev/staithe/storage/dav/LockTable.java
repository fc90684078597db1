package dev.staithe.storage.dav;

import dev.staithe.storage.files.StateFolder;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write locks of one area (RFC 4918 section 6). Kept in memory and, as an acknowledged lock
 * must outlive a restart, in a small file written at each change. Safe for many threads; one
 * process at a time.
 */
public final class LockTable {
  static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST = 10_000;
  private static final Logger log = LoggerFactory.getLogger(LockTable.class);
  private static final String FILE = "locks";

  private final List<Lock> locks = new ArrayList<>();
  private final StateFolder state;
  private final Clock clock;

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
  record Lock(
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

  /** Reads the locks that earlier runs gave. */
  public LockTable(StateFolder state, Clock clock) throws IOException {
    this.state = state;
    this.clock = clock;
    for (String line : state.read(FILE).orElse("").lines().toList()) {
      try {
        locks.add(read(line));
      } catch (RuntimeException broken) {
        log.warn("a line of the lock file cannot be read and is dropped");
      }
    }
  }

  /** Takes a lock unless one is in the way (RFC 4918 section 7). */
  synchronized Optional<Lock> take(
      StoragePath root,
      boolean exclusive,
      boolean deep,
      String owner,
      String holder,
      Duration timeout)
      throws IOException {
    expire();
    for (Lock other : locks) {
      boolean meets = other.covers(root) || deep && other.root().startsWith(root);
      if (meets && (exclusive || other.exclusive())) {
        return Optional.empty();
      }
    }
    if (locks.size() >= MOST) {
      return Optional.empty();
    }
    Lock lock =
        new Lock(
            "urn:uuid:" + UUID.randomUUID(),
            root,
            exclusive,
            deep,
            owner,
            holder,
            clock.instant().plus(timeout),
            "");
    locks.add(lock);
    save();
    return Optional.of(lock);
  }

  /** Gives a lock more time. */
  synchronized Optional<Lock> refresh(String token, Duration timeout) throws IOException {
    return change(token, lock -> lock.until(clock.instant().plus(timeout)));
  }

  /** Notes that taking the lock made a file, of that entity tag. */
  synchronized void made(String token, String etag) throws IOException {
    change(token, lock -> lock.making(etag));
  }

  /** Forgets that it did; whether it was known, which is said to one asker only. */
  synchronized boolean filled(Lock lock) throws IOException {
    boolean known =
        locks.stream().anyMatch(l -> l.token().equals(lock.token()) && !l.made().isEmpty());
    return known && change(lock.token(), l -> l.making("")).isPresent();
  }

  private Optional<Lock> change(String token, UnaryOperator<Lock> how) throws IOException {
    expire();
    for (int i = 0; i < locks.size(); i++) {
      if (locks.get(i).token().equals(token)) {
        Lock changed = how.apply(locks.get(i));
        locks.set(i, changed);
        save();
        return Optional.of(changed);
      }
    }
    return Optional.empty();
  }

  /** Ends a lock. */
  synchronized void release(String token) throws IOException {
    if (locks.removeIf(lock -> lock.token().equals(token))) {
      save();
    }
  }

  /** Ends the locks of a path that is gone, and of everything below it. */
  synchronized void forget(StoragePath path) throws IOException {
    if (locks.removeIf(lock -> lock.root().startsWith(path))) {
      save();
    }
  }

  /** The locks that cover a path. */
  synchronized List<Lock> covering(StoragePath path) {
    if (locks.isEmpty()) {
      return List.of();
    }
    expire();
    return locks.stream().filter(lock -> lock.covers(path)).toList();
  }

  /** The locks taken below a path. */
  synchronized List<Lock> below(StoragePath path) {
    if (locks.isEmpty()) {
      return List.of();
    }
    expire();
    return locks.stream().filter(lock -> lock.root().startsWith(path)).toList();
  }

  Duration left(Lock lock) {
    return Duration.between(clock.instant(), lock.expires());
  }

  private void expire() {
    Instant now = clock.instant();
    locks.removeIf(lock -> !lock.expires().isAfter(now));
  }

  private void save() throws IOException {
    StringBuilder text = new StringBuilder();
    for (Lock lock : locks) {
      text.append(lock.token())
          .append(' ')
          .append(lock.root().href())
          .append(' ')
          .append(lock.exclusive())
          .append(' ')
          .append(lock.deep())
          .append(' ')
          .append(lock.expires())
          .append(' ')
          .append(URLEncoder.encode(lock.holder(), StandardCharsets.UTF_8))
          .append(' ')
          .append(URLEncoder.encode(lock.owner(), StandardCharsets.UTF_8))
          .append(' ')
          .append(URLEncoder.encode(lock.made(), StandardCharsets.UTF_8))
          .append('\n');
    }
    state.write(FILE, text.toString());
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
