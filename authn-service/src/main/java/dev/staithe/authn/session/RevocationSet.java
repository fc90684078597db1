package dev.staithe.authn.session;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sessions that were ended before their time, as far as this node knows: in a table per minute
 * of expiry, so that forgetting is dropping a table; users with the time before which all their
 * sessions are ended; and the epoch. Readers take no lock and allocate nothing; writers take turns.
 *
 * <p>What has been forgotten cannot be judged any more: should the clock be set back to before the
 * end of a table that was dropped, sessions of that time are {@link Status#FORGOTTEN} and not good,
 * until everything was read again.
 */
final class RevocationSet {
  /** How long after its minute a table is dropped. */
  static final Duration GRACE = Duration.ofSeconds(60);

  private static final int MINUTE = 60;
  private static final long USER_BYTES = 160;

  private volatile Tables tables = new Tables(new long[0], new RevocationTable[0]);
  private final Map<String, NotBefore> users = new ConcurrentHashMap<>();
  private volatile long epoch;
  private volatile long forgotten = Long.MIN_VALUE;
  private volatile long size;
  private volatile long bytes;

  /** Minutes in ascending order, each with its table; never changed once published. */
  private record Tables(long[] minutes, RevocationTable[] tables) {}

  private record NotBefore(long millis, long expiresSecond) {}

  /** How a token stands. */
  enum Status {
    /** Nothing is known against it. */
    GOOD,
    /** Its session was ended. */
    ENDED,
    /** It is of another epoch. */
    OTHER_EPOCH,
    /** It expires at a time about which everything has been forgotten. */
    FORGOTTEN
  }

  Status of(SessionToken token) {
    if (token.epoch() != epoch) {
      return Status.OTHER_EPOCH;
    }
    long minute = minute(token.expires());
    if (contains(token.id(), minute)) {
      return Status.ENDED;
    }
    if (!users.isEmpty()) {
      NotBefore notBefore = users.get(token.subject());
      if (notBefore != null && token.issued().toEpochMilli() < notBefore.millis) {
        return Status.ENDED;
      }
    }
    return minute <= forgotten ? Status.FORGOTTEN : Status.GOOD;
  }

  /**
   * When a session that a user begins now is said to begin: behind the end of all that this user
   * had, be it in this very millisecond or by a node whose clock is ahead.
   *
   * @param now in whole milliseconds
   */
  Instant begin(String subject, Instant now) {
    NotBefore ended = users.get(subject);
    return ended != null
            && ended.millis > now.toEpochMilli()
            && ended.millis <= now.plus(SessionPolicy.SKEW).toEpochMilli()
        ? Instant.ofEpochMilli(ended.millis)
        : now;
  }

  /** Whether all sessions of a user that began before that time are ended. */
  boolean hasEnded(String subject, Instant before) {
    NotBefore known = users.get(subject);
    return known != null && known.millis >= before.toEpochMilli();
  }

  boolean contains(SessionId id, Instant expires) {
    return contains(id, minute(expires));
  }

  private boolean contains(SessionId id, long minute) {
    Tables now = tables;
    int at = Arrays.binarySearch(now.minutes, minute);
    return at >= 0 && now.tables[at].contains(id);
  }

  /** Adds an entry; whether it says something new. Holds for readers when this returns. */
  boolean add(Revocation revocation) {
    return addAll(List.of(revocation)) > 0;
  }

  /** Adds entries; how many of them said something new. */
  synchronized int addAll(Collection<Revocation> revocations) {
    int added = 0;
    for (Revocation revocation : revocations) {
      boolean news =
          switch (revocation) {
            case Revocation.OfSession session -> table(minute(session.expires())).add(session.id());
            case Revocation.OfUser user -> addUser(user);
          };
      added += news ? 1 : 0;
    }
    if (added > 0) {
      measure();
    }
    return added;
  }

  private boolean addUser(Revocation.OfUser user) {
    var added = new NotBefore(user.notBefore().toEpochMilli(), user.expires().getEpochSecond());
    NotBefore known = users.get(user.subject());
    NotBefore merged =
        known == null
            ? added
            : new NotBefore(
                Math.max(known.millis, added.millis),
                Math.max(known.expiresSecond, added.expiresSecond));
    users.put(user.subject(), merged);
    return !merged.equals(known);
  }

  private RevocationTable table(long minute) {
    Tables before = tables;
    int at = Arrays.binarySearch(before.minutes, minute);
    if (at >= 0) {
      return before.tables[at];
    }
    int place = -at - 1;
    int count = before.minutes.length;
    long[] minutes = Arrays.copyOf(before.minutes, count + 1);
    RevocationTable[] grown = Arrays.copyOf(before.tables, count + 1);
    System.arraycopy(before.minutes, place, minutes, place + 1, count - place);
    System.arraycopy(before.tables, place, grown, place + 1, count - place);
    var added = new RevocationTable();
    minutes[place] = minute;
    grown[place] = added;
    tables = new Tables(minutes, grown);
    return added;
  }

  /**
   * Drops what ended more than {@link #GRACE} ago.
   *
   * @param now by a clock that may be relied on for forgetting
   */
  synchronized void forget(Instant now) {
    long last = minute(now.minus(GRACE)) - 1;
    Tables before = tables;
    int drop = 0;
    while (drop < before.minutes.length && before.minutes[drop] <= last) {
      drop++;
    }
    if (drop > 0) {
      // Before the tables go, so that no reader finds neither.
      forgotten = Math.max(forgotten, before.minutes[drop - 1]);
      tables =
          new Tables(
              Arrays.copyOfRange(before.minutes, drop, before.minutes.length),
              Arrays.copyOfRange(before.tables, drop, before.tables.length));
    }
    for (Map.Entry<String, NotBefore> user : users.entrySet()) {
      long minute = Math.floorDiv(user.getValue().expiresSecond, MINUTE);
      if (minute <= last) {
        forgotten = Math.max(forgotten, minute);
        users.remove(user.getKey());
      }
    }
    measure();
  }

  /** Everything that the log holds has been added since the clock was set back. */
  synchronized void reloaded() {
    forgotten = Long.MIN_VALUE;
  }

  long epoch() {
    return epoch;
  }

  void epoch(long now) {
    epoch = now;
  }

  /**
   * What this set knows and another does not. Ends of sessions are said to expire at the end of
   * their minute, because more is not known of them.
   */
  synchronized List<Revocation> lacking(RevocationSet others) {
    List<Revocation> lacking = new ArrayList<>();
    for (int i = 0; i < tables.minutes.length; i++) {
      Instant expires = Instant.ofEpochSecond((tables.minutes[i] + 1) * MINUTE - 1);
      tables.tables[i].forEach(
          id -> {
            if (!others.contains(id, expires)) {
              lacking.add(new Revocation.OfSession(id, expires));
            }
          });
    }
    users.forEach(
        (subject, notBefore) -> {
          NotBefore other = others.users.get(subject);
          if (other == null
              || other.millis < notBefore.millis
              || other.expiresSecond < notBefore.expiresSecond) {
            lacking.add(
                new Revocation.OfUser(
                    subject,
                    Instant.ofEpochMilli(notBefore.millis),
                    Instant.ofEpochSecond(notBefore.expiresSecond)));
          }
        });
    return lacking;
  }

  /** How many entries there are. */
  long size() {
    return size;
  }

  /** About how many bytes they take. */
  long bytes() {
    return bytes;
  }

  private void measure() {
    long entries = users.size();
    long taken = entries * USER_BYTES;
    for (RevocationTable table : tables.tables) {
      entries += table.size();
      taken += table.bytes() + 48;
    }
    size = entries;
    bytes = taken;
  }

  private static long minute(Instant expires) {
    return Math.floorDiv(expires.getEpochSecond(), MINUTE);
  }
}
