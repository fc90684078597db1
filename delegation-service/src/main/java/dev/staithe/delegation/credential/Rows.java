package dev.staithe.delegation.credential;

import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.RuleRow;
import dev.staithe.pki.GridSubject;
import java.time.Duration;

/** Between what stands in the store and what is told. */
final class Rows {
  private Rows() {}

  static Delegation delegation(DelegationRow row) {
    return new Delegation(
        new DelegationId(row.id()),
        GridSubject.parse(row.owner()),
        row.notAfter(),
        row.fqans(),
        rules(row.rules()),
        row.used(),
        row.limited(),
        row.pathLeft(),
        row.created(),
        row.renewed());
  }

  static AcquireRules rules(RuleRow row) {
    return new AcquireRules(
        row.acquirers().stream().map(GridSubject::parse).toList(),
        row.uses(),
        row.hops(),
        row.limited(),
        Duration.ofSeconds(row.longestSeconds()));
  }

  static RuleRow row(AcquireRules rules) {
    return new RuleRow(
        rules.acquirers().stream().map(GridSubject::name).distinct().toList(),
        rules.uses(),
        rules.hops(),
        rules.limited(),
        rules.longest().toSeconds());
  }
}
