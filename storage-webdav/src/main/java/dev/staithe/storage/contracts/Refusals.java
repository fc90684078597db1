package dev.staithe.storage.contracts;

import dev.staithe.storage.contracts.host.ContractRefusal;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Requests for contracts that were refused since the start, by what was wrong: a property that an
 * area wants, or the kind of refusal. All of these are words of ours or of the configuration, none
 * is a stranger's. Thread-safe.
 */
final class Refusals {
  private final LongAdder all = new LongAdder();
  private final Map<String, LongAdder> reasons = new ConcurrentHashMap<>();

  /** Counts one. */
  void add(ContractRefusal refused) {
    all.increment();
    if (refused.failed().isEmpty()) {
      count(refused.type());
    } else {
      refused.failed().forEach(one -> count("property " + one.get("property")));
    }
  }

  private void count(String reason) {
    reasons.computeIfAbsent(reason, r -> new LongAdder()).increment();
  }

  long total() {
    return all.sum();
  }

  /** By what was wrong; a request that failed two properties is in both. */
  Map<String, Long> byReason() {
    Map<String, Long> counts = new TreeMap<>();
    reasons.forEach((reason, count) -> counts.put(reason, count.sum()));
    return counts;
  }
}
