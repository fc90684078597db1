package dev.staithe.slcs.ca;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** The authority's figures that one would be woken for. */
final class CaMetrics {
  CaMetrics(MeterRegistry registry, CertificateAuthority authority) {
    FunctionCounter.builder(
            "staithe.certificates.issued", authority, CertificateAuthority::issuedCount)
        .register(registry);
    for (Issuance.Reason reason : Issuance.Reason.values()) {
      FunctionCounter.builder(
              "staithe.certificates.refused", authority, each -> each.refusedCount(reason))
          .tag("reason", reason.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder(
            "staithe.certificates.revoked", authority, CertificateAuthority::revokedCount)
        .register(registry);
    Gauge.builder("staithe.crl.left", authority, CertificateAuthority::crlSecondsLeft)
        .baseUnit("seconds")
        .description("Until the list of revoked certificates is too old")
        .register(registry);
    Gauge.builder("staithe.ca.left", authority, CertificateAuthority::daysLeft)
        .baseUnit("days")
        .description("Until the authority's certificate ends")
        .register(registry);
  }
}
