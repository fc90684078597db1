package dev.staithe.cli.delegation;

import dev.staithe.cli.certificate.ProxyReport;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.Delegation;
import dev.staithe.pki.GridSubject;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is told of delegations, to people and to programs. */
final class DelegationReport {
  private DelegationReport() {}

  static void show(
      StaitheCommand staithe, boolean json, Object asJson, List<Map<String, Object>> lines) {
    if (json) {
      staithe.json(asJson);
      return;
    }
    String before = "";
    for (Map<String, Object> each : lines) {
      staithe.out().print(before);
      each.forEach(
          (name, value) -> {
            for (Object one : value instanceof List<?> several ? several : List.of(value)) {
              staithe.out().printf("%-12s %s%n", name, one);
            }
          });
      before = System.lineSeparator();
    }
  }

  static Map<String, Object> of(String id, Instant end, Instant now) {
    var told = new LinkedHashMap<String, Object>();
    told.put("id", Page.oneLine(id));
    told.put("notAfter", ProxyReport.until(end));
    told.put("secondsLeft", ProxyReport.secondsLeft(end, now));
    return told;
  }

  static Map<String, Object> of(Delegation found, Instant now) {
    Map<String, Object> told = of(found.id(), found.notAfter(), now);
    AcquireRules rules = found.rules();
    Integer pathLeft = found.pathLeft();
    told.put("owner", found.owner().slashed());
    told.put("attributes", found.attributes().stream().map(Page::oneLine).toList());
    told.put("limited", found.limited() || rules.limited());
    told.put("pathLength", pathLeft == null ? "unlimited" : pathLeft);
    told.put("acquirers", rules.acquirers().stream().map(GridSubject::slashed).toList());
    told.put("used", found.used());
    Integer most = rules.uses();
    told.put("uses", most == null ? "unlimited" : most);
    told.put("hops", rules.hops());
    Duration longest = rules.longest();
    if (longest != null) {
      told.put("longest", longest.toSeconds() + "s");
    }
    return told;
  }
}
