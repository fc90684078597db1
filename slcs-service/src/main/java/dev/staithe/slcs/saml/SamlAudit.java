package dev.staithe.slcs.saml;

import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.slcs.session.CampusSession;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Tells the audit log, and the metrics, of logins, refusals and logouts. Thread-safe. */
final class SamlAudit {
  private final AuditLog audit;
  private final MeterRegistry metrics;

  SamlAudit(AuditLog audit, MeterRegistry metrics) {
    this.audit = audit;
    this.metrics = metrics;
  }

  void login(CampusSession session, String door, String client) {
    metrics.counter("staithe.saml.logins", "door", door).increment();
    audit
        .line("login", "ok")
        .with("principal", session.identity().principalName())
        .with("provider", session.identity().provider())
        .with("session", session.id())
        .with("door", door)
        .with("client", client)
        .write();
  }

  void refused(Refusal refusal, @Nullable String provider, String client) {
    metrics.counter("staithe.saml.refusals", "reason", refusal.reason().name()).increment();
    audit
        .line("login", refusal.reason().name())
        .with("detail", refusal.detail())
        .with("provider", provider)
        .with("client", client)
        .write();
  }

  void logout(CampusSession session, String by) {
    metrics.counter("staithe.saml.logouts", "by", by).increment();
    audit
        .line("logout", "ok")
        .with("principal", session.identity().principalName())
        .with("provider", session.identity().provider())
        .with("session", session.id())
        .with("by", by)
        .write();
  }

  void logoutRefused(String detail, @Nullable String provider, String client) {
    metrics.counter("staithe.saml.logout.refusals").increment();
    audit
        .line("logout", "refused")
        .with("detail", detail)
        .with("provider", provider)
        .with("client", client)
        .write();
  }
}
