package dev.staithe.storage.contracts;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which parts of files were asked for, and have gone out, under contracts that were made for files
 * in parts: each byte once. In memory alone: contracts that were under way when a process ended are
 * broken from the next start on, and nothing goes out by them. Thread-safe.
 */
final class PartsSent {
  /** As long as receipts are told; whoever asks for no part in that time gets none any more. */
  private static final Duration LIFETIME = Duration.ofHours(24);

  /** Stretches of one file that nobody asked for between: what one contract keeps is bounded. */
  private static final int MOST_APART = 4_096;

  private final Map<String, Sending> open = new ConcurrentHashMap<>();

  /** Of one contract. */
  private static final class Sending {
    private final long size;

    /** First bytes and last of what was asked for; neighbours are joined. */
    private final NavigableMap<Long, Long> asked = new TreeMap<>();

    private long begun;
    private long gone;
    private boolean stopped;
    private Instant last;

    Sending(long size, Instant now) {
      this.size = size;
      this.last = now;
    }

    synchronized boolean begin(FilePart part, Instant now) {
      if (stopped) {
        return false;
      }
      Map.Entry<Long, Long> before = asked.floorEntry(part.last());
      if (before != null && before.getValue() >= part.first()) {
        return false;
      }
      boolean follows = before != null && before.getValue() + 1 == part.first();
      Long after = asked.get(part.last() + 1);
      if (!follows && after == null && asked.size() == MOST_APART) {
        return false;
      }
      if (after != null) {
        asked.remove(part.last() + 1);
      }
      asked.put(follows ? before.getKey() : part.first(), after == null ? part.last() : after);
      begun += part.length();
      last = now;
      return true;
    }

    synchronized boolean sent(FilePart part) {
      gone += part.length();
      return gone == size;
    }

    synchronized void stop() {
      stopped = true;
      asked.clear(); // Nobody is compared with them any more.
    }

    synchronized boolean all() {
      return begun == size;
    }

    synchronized boolean since(Instant then) {
      return last.isAfter(then);
    }
  }

  /** A contract is made for a file of that many bytes; those that are too old are forgotten. */
  void open(String id, long size, Instant now) {
    open.values().removeIf(each -> !each.since(now.minus(LIFETIME)));
    open.put(id, new Sending(size, now));
  }

  /**
   * Takes a part for the one time that it goes out; false where a byte of it was asked for before,
   * or where parts leave too many gaps.
   */
  boolean begin(String id, FilePart part, Instant now) {
    Sending sending = open.get(id);
    return sending != null && sending.begin(part, now);
  }

  /** A part has gone out; true where it was the last. */
  boolean sent(String id, FilePart part) {
    Sending sending = open.get(id);
    return sending != null && sending.sent(part);
  }

  /** Whether each byte was asked for; so it is of contracts that are not for parts. */
  boolean allAskedFor(String id) {
    Sending sending = open.get(id);
    return sending == null || sending.all();
  }

  /** Nothing more goes out by the contract, whose receipt is still judged by what was asked for. */
  void stop(String id) {
    Sending sending = open.get(id);
    if (sending != null) {
      sending.stop();
    }
  }

  /** The contract has its receipt. */
  void end(String id) {
    open.remove(id);
  }
}
