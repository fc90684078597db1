package dev.staithe.service.certificates;

import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ServerTls;
import dev.staithe.tls.TlsStatus;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether the certificates that a service lives by are good. Details name no files. */
public final class CertificateHealth {
  private CertificateHealth() {}

  /**
   * Host certificate, trust anchors and trust in clients, each where there is one: down where the
   * host's expired, or where a revocation list is damaged and the service requires current ones.
   */
  public static HealthIndicator of(
      @Nullable ServerTls server, @Nullable ClientTls client, ClientDoor clients, Clock clock) {
    return () -> {
      Map<String, Object> details = new LinkedHashMap<>();
      boolean up = true;
      if (server != null) {
        up &= describe("host", server.status(), clock, details);
      }
      if (client != null) {
        up &= describe("trust", client.status(), clock, details);
        details.put("trustAnchors", client.anchors().count());
        details.put("trustAnchorsSkipped", client.anchors().skipped().size());
        details.put("trustLists", RevocationMetrics.details(client.anchors(), clock.instant()));
      }
      ClientCertificates asked = clients.certificates();
      if (asked != null) {
        up &= describe("clientTrust", asked.status(), clock, details);
        details.put("clientTrustAnchors", asked.anchors().count());
        details.put("clientTrustSkipped", asked.skipped().size());
        details.put(
            "clientTrustLists", RevocationMetrics.details(asked.anchors(), clock.instant()));
        // What was read before stays in force; a site that requires lists is to look at once.
        up &=
            asked.rules().revocation() != ClientChainRules.Revocation.REQUIRE
                || asked.anchors().damagedLists().isEmpty();
      }
      return (up ? Health.up() : Health.down()).withDetails(details).build();
    };
  }

  private static boolean describe(
      String name, TlsStatus status, Clock clock, Map<String, Object> details) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("loaded", status.loadedAt().toString());
    if (status.notAfter() != null) {
      entry.put("notAfter", status.notAfter().toString());
    }
    if (status.lastError() != null) {
      entry.put("error", "the newest files are not usable; the log says why");
    }
    details.put(name, entry);
    // One expired authority among many is no outage; the host's own certificate is.
    return !name.equals("host")
        || status.notAfter() == null
        || status.notAfter().isAfter(clock.instant());
  }
}
