package dev.staithe.slcs.saml;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the audit log of logins, refusals and logouts. Thread-safe. */
final class SamlAudit {
  private static final Logger log = LoggerFactory.getLogger("staithe.audit");

  void login(CampusSession session, String door, String client) {
    write(
        "login",
        Map.of(
            "principal", session.identity().principalName(),
            "provider", session.identity().provider(),
            "session", session.id(),
            "door", door,
            "client", client));
  }

  void refused(Refusal refusal, @Nullable String provider, String client) {
    write(
        "login-refused",
        Map.of(
            "reason",
            refusal.reason().name(),
            "provider",
            provider == null ? "" : provider,
            "client",
            client));
  }

  void logout(CampusSession session, String by) {
    write(
        "logout",
        Map.of(
            "principal", session.identity().principalName(),
            "provider", session.identity().provider(),
            "session", session.id(),
            "by", by));
  }

  private static void write(String event, Map<String, Object> fields) {
    var line = new LinkedHashMap<String, Object>();
    line.put("event", event);
    fields.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            field ->
                line.put(
                    field.getKey(), field.getValue().toString().replaceAll("\\p{Cntrl}", "?")));
    log.info("{}", line);
  }
}
