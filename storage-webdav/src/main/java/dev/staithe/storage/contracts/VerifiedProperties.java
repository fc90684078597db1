package dev.staithe.storage.contracts;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.signature.BadSignature;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Property lists of partners whose signature was good: a partner sends the same for half an hour,
 * with each request. Who publishes other keys meanwhile is looked at anew. Thread-safe.
 */
final class VerifiedProperties {
  /** More than areas have partners, each with the list of before. */
  private static final int MOST = 256;

  private final Map<String, Verified> lists = new ConcurrentHashMap<>();

  /** A list, and by which keys it was verified. */
  private record Verified(HostProperties list, Partners.Known by) {}

  /** Whether this very list was good before. */
  boolean has(String text) {
    return lists.containsKey(text);
  }

  /**
   * Who says to have signed it, to look for that host's keys.
   *
   * @throws BadSignature where it cannot be read
   */
  String issuer(String text) throws BadSignature {
    Verified before = lists.get(text);
    return before == null ? HostProperties.claimedIssuer(text) : before.list().issuer();
  }

  /**
   * The list, verified.
   *
   * @param known the host that it says to be of
   * @throws BadSignature with the first reason why it is not good
   */
  HostProperties of(String text, Partners.Known known, Instant now) throws BadSignature {
    Verified before = lists.get(text);
    if (before != null && before.by() == known && before.list().isGood(now)) {
      return before.list();
    }
    lists.remove(text);
    HostProperties list = HostProperties.verify(text, known.keys(), now);
    if (lists.size() >= MOST) {
      lists.values().removeIf(each -> !each.list().isGood(now));
    }
    if (lists.size() < MOST) {
      lists.put(text, new Verified(list, known));
    }
    return list;
  }
}
