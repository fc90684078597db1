package dev.staithe.delegation.credential;

import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.Upkeep;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.process.Chores;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Once a minute forgets delegations and requests that have ended, warns of those in use that will
 * end soon, and seals keys with the first master key that another one has sealed, so that a former
 * one can be left away. Nodes that share a store do so beside each other: each row is one node's.
 * Thread-safe.
 */
public final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofHours(1);
  private static final int MOST_AT_ONCE = 200;

  private final Upkeep store;
  private final SealedKeys sealed;
  private final AuditLog audit;
  private final DelegationMetrics metrics;
  private final Duration warnBefore;
  private final Clock clock;
  private final Chores chores = new Chores("delegation-sweeper");

  /**
   * Sweeps when {@link #start} is called, and by hand.
   *
   * @param warnBefore how long before a delegation ends that is in use the log is told; zero: never
   */
  public Sweeper(
      Upkeep store,
      MasterKeys masters,
      AuditLog audit,
      DelegationMetrics metrics,
      Duration warnBefore,
      Clock clock) {
    this.store = store;
    this.sealed = new SealedKeys(masters);
    this.audit = audit;
    this.metrics = metrics;
    this.warnBefore = warnBefore;
    this.clock = clock;
  }

  /** Begins to sweep by itself. */
  public void start() {
    chores.nowAndEvery(PAUSE, "forgetting delegations that have ended", this::sweep);
  }

  /** Forgets what has ended by now. */
  void sweep() {
    Instant now = clock.instant();
    int swept = 0;
    List<DelegationRow> ended;
    do {
      ended = store.ended(now, MOST_AT_ONCE);
      for (DelegationRow row : ended) {
        if (store.remove(row)) {
          swept++;
          audit
              .line("delegation.end", "ok")
              .with("who", row.owner())
              .with("id", row.id())
              .with("notAfter", row.notAfter().toString())
              .with("used", row.used())
              .write();
          LOG.info(
              "delegation {} of {} ended at {} and is forgotten",
              row.id(),
              row.owner(),
              row.notAfter());
        }
      }
    } while (ended.size() == MOST_AT_ONCE);
    metrics.swept(swept, store.sweep(now));
    warn(now);
    metrics.stock(
        store.countEndingBefore(Instant.ofEpochMilli(Long.MAX_VALUE)),
        store.countEndingBefore(now.plus(SOON)),
        reseal());
  }

  /**
   * Tells of each delegation once, whichever node comes first. Those that were never meant to live
   * for longer, as one for each job, would say nothing but that jobs end.
   */
  private void warn(Instant now) {
    if (warnBefore.isZero()) {
      return;
    }
    List<DelegationRow> soon;
    do {
      soon =
          store.endingUntold(now, now.plus(warnBefore), warnBefore.multipliedBy(2), MOST_AT_ONCE);
      for (DelegationRow row : soon) {
        if (store.tell(row)) {
          LOG.warn(
              "delegation {} of {} is in use and ends at {}: proxies were acquired {} times, by {}",
              row.id(),
              row.owner(),
              row.notAfter(),
              row.used(),
              String.join(" | ", row.rules().acquirers()));
        }
      }
    } while (soon.size() == MOST_AT_ONCE);
  }

  /** How many keys cannot be opened. */
  private long reseal() {
    long shut = 0;
    int resealed = 0;
    String owner = "";
    String id = "";
    List<DelegationRow> others;
    do {
      others = store.sealedOtherwise(sealed.currentName(), owner, id, MOST_AT_ONCE);
      for (DelegationRow row : others) {
        owner = row.owner();
        id = row.id();
        Optional<byte[]> anew = sealed.rewrap(row);
        if (anew.isEmpty()) {
          shut++;
        } else if (store.reseal(row, anew.get())) {
          resealed++;
        }
      }
    } while (others.size() == MOST_AT_ONCE);
    if (resealed > 0) {
      audit.line("delegation.reseal", "ok").with("keys", resealed).write();
    }
    return shut;
  }

  @Override
  public void close() {
    chores.close();
  }
}
