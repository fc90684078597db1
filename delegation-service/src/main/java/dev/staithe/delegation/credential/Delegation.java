package dev.staithe.delegation.credential;

import dev.staithe.pki.GridSubject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delegation as its owner may see it; nothing secret is in it.
 *
 * @param notAfter when the first of its certificates or VOMS attributes ends
 * @param fqans of its VOMS attributes, in their order
 * @param used how many proxies were acquired
 * @param limited whether its proxy is limited in the sense of Globus
 * @param pathLeft how many proxies may follow below it; null: any number
 * @param created when the first proxy was put
 * @param renewed when the newest was
 */
public record Delegation(
    DelegationId id,
    GridSubject owner,
    Instant notAfter,
    List<String> fqans,
    AcquireRules rules,
    int used,
    boolean limited,
    @Nullable Integer pathLeft,
    Instant created,
    Instant renewed) {
  /** Copies the list. */
  public Delegation {
    fqans = List.copyOf(fqans);
  }
}
