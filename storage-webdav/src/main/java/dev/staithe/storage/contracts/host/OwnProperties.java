package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.signature.ContractKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this host says of itself, signed anew while half of its time is left. A TPM takes its time
 * for the quote: one caller waits for it, and others have the list of before as long as that is
 * good. Thread-safe.
 */
public final class OwnProperties {
  /** Between two lists while the TPM makes no quotes. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  private final String origin;
  private final Map<String, Object> described;
  private final ContractKey key;
  private final @Nullable OwnTpm tpm;
  private final Clock clock;
  private final ReentrantLock signing = new ReentrantLock();
  private volatile @Nullable Signed last;

  /** A list, and from when on there is to be another. */
  private record Signed(HostProperties list, Instant renewed) {}

  /**
   * Those of a host.
   *
   * @param described what it says of itself
   * @param tpm quotes go with the list; null: none do
   */
  public OwnProperties(
      String origin,
      Map<String, Object> described,
      ContractKey key,
      @Nullable OwnTpm tpm,
      Clock clock) {
    this.origin = origin;
    this.described = described;
    this.key = key;
    this.tpm = tpm;
    this.clock = clock;
  }

  /** A list that is good for half an hour at least, or nearly as long. */
  HostProperties now() {
    Signed before = last;
    if (before != null && isNew(before)) {
      return before.list();
    }
    if (before != null && isGoodForLonger(before.list())) {
      if (!signing.tryLock()) {
        return before.list();
      }
    } else {
      signing.lock();
    }
    try {
      Signed known = last;
      if (known == null || !isNew(known)) {
        known = signed();
        last = known;
      }
      return known.list();
    } finally {
      signing.unlock();
    }
  }

  /** One that was signed while the clock was ahead is not of this hour, and nobody takes it. */
  private boolean isNew(Signed known) {
    Instant now = clock.instant();
    return !known.renewed().isBefore(now) && known.list().isGood(now);
  }

  private boolean isGoodForLonger(HostProperties list) {
    Instant now = clock.instant();
    return list.isGood(now) && now.isBefore(list.expires().minus(RETRY));
  }

  private Signed signed() {
    Instant now = clock.instant();
    if (tpm == null) {
      HostProperties list = HostProperties.sign(origin, described, key, now);
      return new Signed(list, list.renewed());
    }
    HostProperties list = HostProperties.sign(origin, described, key, now, tpm);
    return new Signed(list, tpm.lastError() == null ? list.renewed() : now.plus(RETRY));
  }
}
