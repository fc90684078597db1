package dev.staithe.gateway.publish;

import dev.staithe.service.log.AuditLog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The policies of all endpoints; their files are looked at by one thread. Thread-safe. */
public final class PublishedPolicies implements AutoCloseable {
  private final List<PublishedPolicy> all;
  private final ScheduledExecutorService poller;

  /**
   * Reads all of them, and looks for changes from then on.
   *
   * @param interval between two looks at the files
   * @throws IOException with one line where an endpoint has no policy to begin with
   */
  public PublishedPolicies(
      List<PublishedPolicy.Source> sources, Duration interval, AuditLog audit, Clock clock)
      throws IOException {
    List<PublishedPolicy> opened = new ArrayList<>();
    for (PublishedPolicy.Source source : sources) {
      opened.add(PublishedPolicy.open(source, audit, clock));
    }
    this.all = List.copyOf(opened);
    this.poller =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("policies").factory());
    poller.scheduleWithFixedDelay(
        () -> all.forEach(PublishedPolicy::check),
        interval.toNanos(),
        interval.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /** One for each source, in their order. */
  public List<PublishedPolicy> all() {
    return all;
  }

  /**
   * {@code staithe.gateway.policy.stale}: 1 where the newest document of a file is not in force.
   */
  public void bindTo(MeterRegistry registry) {
    for (PublishedPolicy policy : all) {
      Gauge.builder("staithe.gateway.policy.stale", policy, it -> it.lastError() == null ? 0 : 1)
          .tag("endpoint", policy.source().endpoint())
          .description("Whether the newest document of an endpoint's policy was refused")
          .register(registry);
    }
  }

  /** Versions and which documents are refused. The endpoints serve all the same: never down. */
  public HealthIndicator health() {
    return () -> {
      Map<String, Object> details = new LinkedHashMap<>();
      for (PublishedPolicy policy : all) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("policy", policy.current().name());
        entry.put("version", policy.current().policy().version());
        if (policy.lastError() != null) {
          entry.put("error", "the newest document is refused; the log says why");
        }
        details.put(policy.source().endpoint(), entry);
      }
      return Health.up().withDetails(details).build();
    };
  }

  @Override
  public void close() {
    poller.shutdownNow();
    all.forEach(PublishedPolicy::close);
  }
}
