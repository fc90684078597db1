package dev.staithe.gateway.publish;

import dev.staithe.service.log.AuditLog;
import dev.staithe.service.process.Chores;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The policies of all endpoints; their files are looked at by one thread. Thread-safe. */
public final class PublishedPolicies implements AutoCloseable {
  private final List<PublishedPolicy> all;
  private final Chores chores = new Chores("policies");

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
    for (PublishedPolicy policy : all) {
      chores.every(
          interval, "looking at the policy of " + policy.source().endpoint(), policy::check);
    }
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
    chores.close();
    all.forEach(PublishedPolicy::close);
  }
}
