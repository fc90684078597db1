package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Digests;
import dev.staithe.authn.grants.ProtocolRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether a device asks too often (RFC 8628 section 3.5): five seconds have to pass between two
 * questions, and five more with each that comes too early. Known to this node only, for the most
 * recent devices: it spares nodes and store, and nothing else depends on it. Thread-safe.
 */
final class DevicePatience {
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final int MOST = 10_000;

  private record ProtocolRequest(Instant at, Duration interval) {}

  private final Clock clock;
  private final Map<String, ProtocolRequest> recent = new LinkedHashMap<>();

  DevicePatience(Clock clock) {
    this.clock = clock;
  }

  /** Notes a question of the device with that code, which is kept as its digest. */
  synchronized boolean tooEarly(String deviceCode) {
    Instant now = clock.instant();
    String digest = Digests.of(deviceCode);
    ProtocolRequest before = recent.remove(digest); // to stand last again
    boolean early =
        before != null
            && !now.isBefore(before.at()) // else the clock was set back, which is not its fault
            && now.isBefore(before.at().plus(before.interval()));
    Duration interval = before == null ? STEP : before.interval();
    recent.put(digest, new ProtocolRequest(now, early ? interval.plus(STEP) : interval));
    if (recent.size() > MOST) {
      recent.remove(recent.keySet().iterator().next());
    }
    return early;
  }
}
