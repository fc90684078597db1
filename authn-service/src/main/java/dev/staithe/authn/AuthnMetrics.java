package dev.staithe.authn;

import dev.staithe.authn.login.LoginEvent;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.rest.RestInterface;
import dev.staithe.authn.session.Sessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The figures that one would be woken for. Safe for many threads. */
final class AuthnMetrics implements RestInterface.Meters {
  private final MeterRegistry registry;
  private final Map<String, Counter> validations = new ConcurrentHashMap<>();

  AuthnMetrics(MeterRegistry registry, Sessions sessions, Logins logins) {
    this.registry = registry;
    Gauge.builder("staithe.revocation.lag", sessions, Sessions::lagSeconds)
        .baseUnit("seconds")
        .description("Age of what this node knows of ended sessions")
        .register(registry);
    Gauge.builder("staithe.revocation.set.size", sessions, Sessions::endedSize)
        .description("Ended sessions and users that this node knows of")
        .register(registry);
    Gauge.builder("staithe.revocation.set.bytes", sessions, Sessions::endedBytes)
        .register(registry);
    Gauge.builder("staithe.sessions.pending.ends", sessions, Sessions::pendingEnds)
        .description("Logouts that the store has not acknowledged yet")
        .register(registry);
    Gauge.builder("staithe.sessions.remembered", sessions, Sessions::usesSize)
        .description("Sessions whose last use this node remembers")
        .register(registry);
    FunctionCounter.builder("staithe.sessions.touches", sessions, Sessions::touches)
        .description("Last uses written to the store")
        .register(registry);
    FunctionCounter.builder("staithe.sessions.store.reads", sessions, Sessions::storeReads)
        .description("Last uses read from the store")
        .register(registry);
    for (LoginEvent.Outcome outcome : LoginEvent.Outcome.values()) {
      FunctionCounter.builder("staithe.logins", logins, each -> each.count(outcome))
          .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    var pool = logins.pool();
    Gauge.builder("staithe.hash.queued", pool, each -> each.queued())
        .description("Logins that wait for their password to be hashed")
        .register(registry);
    Gauge.builder("staithe.hash.queue.capacity", pool, each -> each.capacity()).register(registry);
    Gauge.builder("staithe.hash.running", pool, each -> each.running()).register(registry);
    FunctionCounter.builder("staithe.hash.refused", pool, each -> each.refused())
        .description("Refused before any work, because too many waited")
        .register(registry);
    FunctionCounter.builder("staithe.hash.dropped", pool, each -> each.dropped())
        .description("Waited longer than their deadline")
        .register(registry);
    Gauge.builder("staithe.hash.lowered", pool, each -> each.priority().isLowered() ? 1 : 0)
        .description("1 where threads that hash give way to all others, 0 where they compete")
        .register(registry);
    FunctionCounter.builder("staithe.hash.relieved", pool, each -> each.relieved())
        .description("Computed at usual priority, because everything else left no time")
        .register(registry);
    FunctionCounter.builder("staithe.hash.completed", pool, each -> each.completed())
        .register(registry);
    FunctionCounter.builder("staithe.hash.time", pool, each -> each.seconds())
        .baseUnit("seconds")
        .register(registry);
    FunctionCounter.builder("staithe.hash.upgrades", logins, Logins::upgrades).register(registry);
  }

  @Override
  public void validated(String result) {
    validations
        .computeIfAbsent(
            result,
            each -> Counter.builder("staithe.validations").tag("result", each).register(registry))
        .increment();
  }
}
