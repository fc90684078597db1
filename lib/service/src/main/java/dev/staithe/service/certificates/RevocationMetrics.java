package dev.staithe.service.certificates;

import dev.staithe.pki.TrustAnchors;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.cert.X509CRL;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Tells about the revocation lists that a service judges by: how many, how many of them overdue,
 * how many files damaged, when the next is due. Thread-safe.
 */
public final class RevocationMetrics implements MeterBinder {
  private final String trust;
  private final Supplier<TrustAnchors> anchors;
  private final Clock clock;

  /**
   * Metrics about one trust.
   *
   * @param trust label of whose certificates the lists are about, such as {@code clients}
   * @param anchors the newest reading
   */
  public RevocationMetrics(String trust, Supplier<TrustAnchors> anchors, Clock clock) {
    this.trust = trust;
    this.anchors = anchors;
    this.clock = clock;
  }

  /** Metrics about lists for clients, none where clients are not asked for certificates. */
  public static MeterBinder of(ClientDoor clients, Clock clock) {
    var asked = clients.certificates();
    return asked == null ? registry -> {} : new RevocationMetrics("clients", asked::anchors, clock);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "used", now -> now.crls().size());
    gauge(registry, "overdue", now -> overdue(now, clock.instant()));
    gauge(registry, "damaged", now -> now.damagedLists().size());
    Gauge.builder(
            "staithe.revocation.due",
            () ->
                nextDue(anchors.get())
                    .map(due -> Duration.between(clock.instant(), due).toSeconds())
                    .map(Long::doubleValue)
                    .orElse(Double.NaN))
        .tag("trust", trust)
        .description("until the first list is due, negative once it is overdue")
        .baseUnit("seconds")
        .register(registry);
  }

  private void gauge(MeterRegistry registry, String state, ToDoubleFunction<TrustAnchors> count) {
    Gauge.builder("staithe.revocation.lists", () -> count.applyAsDouble(anchors.get()))
        .tags("trust", trust, "state", state)
        .register(registry);
  }

  /** The same for people: names of no files and no authorities. */
  static Map<String, Object> details(TrustAnchors anchors, Instant now) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("used", anchors.crls().size());
    details.put("overdue", overdue(anchors, now));
    List<TrustAnchors.Skipped> damaged = anchors.damagedLists();
    details.put("damaged", damaged.size());
    if (!damaged.isEmpty()) {
      // The others were damaged before this process read them for the first time.
      details.put(
          "earlierInForce", damaged.stream().filter(TrustAnchors.Skipped::earlierStays).count());
    }
    nextDue(anchors).ifPresent(due -> details.put("nextDue", due.toString()));
    return details;
  }

  private static long overdue(TrustAnchors anchors, Instant now) {
    return anchors.crls().stream()
        .map(X509CRL::getNextUpdate)
        .filter(due -> due != null && due.toInstant().isBefore(now))
        .count();
  }

  private static Optional<Instant> nextDue(TrustAnchors anchors) {
    return anchors.crls().stream()
        .map(X509CRL::getNextUpdate)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(Date::toInstant);
  }
}
