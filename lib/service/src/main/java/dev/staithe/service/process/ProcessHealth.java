package dev.staithe.service.process;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.staithe.service.log.AccessLog;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * What any service may run short of: descriptors, a clock that goes evenly, an access log that is
 * written. Degraded and never down, since requests are served meanwhile. Thread-safe.
 */
public final class ProcessHealth implements HealthIndicator {
  private static final Logger log = LoggerFactory.getLogger(ProcessHealth.class);

  /** More than what steering a clock evenly comes to between two looks. */
  private static final Duration JUMP = Duration.ofSeconds(5);

  /** How long a jump is told of: until somebody has looked. */
  private static final Duration TOLD = Duration.ofHours(1);

  /**
   * Descriptors.
   *
   * @param open by now
   * @param most that this process may have
   */
  record Descriptors(long open, long most) {
    static Descriptors now() {
      return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
          ? new Descriptors(unix.getOpenFileDescriptorCount(), unix.getMaxFileDescriptorCount())
          : new Descriptors(0, Long.MAX_VALUE);
    }

    boolean scarce() {
      return open > most - most / 10;
    }
  }

  private record Jump(Instant at, Duration by) {}

  private final AccessLog accessLog;
  private final Supplier<Descriptors> descriptors;
  private final Clock clock;
  private final LongSupplier nanos;
  private Instant lastTime;
  private long lastNanos;
  private @Nullable Jump jump;

  /** Looks at this process. */
  public ProcessHealth(AccessLog accessLog, Clock clock) {
    this(accessLog, Descriptors::now, clock, System::nanoTime);
  }

  ProcessHealth(
      AccessLog accessLog, Supplier<Descriptors> descriptors, Clock clock, LongSupplier nanos) {
    this.accessLog = accessLog;
    this.descriptors = descriptors;
    this.clock = clock;
    this.nanos = nanos;
    this.lastTime = clock.instant();
    this.lastNanos = nanos.getAsLong();
  }

  @Override
  public Health health() {
    Map<String, Object> details = new LinkedHashMap<>();
    Descriptors now = descriptors.get();
    details.put("descriptors", Map.of("open", now.open(), "limit", now.most()));
    Jump jumped = jumped();
    if (jumped != null) {
      details.put(
          "clock",
          Map.of("jumpedBySeconds", jumped.by().toSeconds(), "noticed", jumped.at().toString()));
    }
    String trouble = accessLog.trouble();
    if (trouble != null) {
      details.put("accessLog", trouble);
    }
    boolean well = !now.scarce() && jumped == null && trouble == null;
    return (well ? Health.up() : Health.status(new Status("DEGRADED")))
        .withDetails(details)
        .build();
  }

  /** Compares the clock with elapsed time since the last look; the last jump that is to be told. */
  private synchronized @Nullable Jump jumped() {
    Instant time = clock.instant();
    long elapsed = nanos.getAsLong();
    Duration by = Duration.between(lastTime, time).minusNanos(elapsed - lastNanos);
    lastTime = time;
    lastNanos = elapsed;
    if (by.abs().compareTo(JUMP) > 0) {
      jump = new Jump(time, by);
      log.warn(
          "the clock has jumped by {} s: tokens and certificates are judged by it", by.toSeconds());
    } else if (jump != null && Duration.between(jump.at(), time).compareTo(TOLD) > 0) {
      jump = null;
    }
    return jump;
  }
}
