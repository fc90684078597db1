package dev.staithe.delegation.client;

import dev.staithe.pki.GridSubject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delegation as the service tells its owner.
 *
 * @param id under which the service knows it
 * @param owner who delegated
 * @param notAfter when what was delegated ends, VOMS attributes counted
 * @param attributes names of VOMS attributes, the primary first; may be empty
 * @param rules who may acquire
 * @param used how many proxies were acquired
 * @param limited whether what was delegated is limited in the sense of Globus
 * @param pathLeft how many proxies may be signed below it; null for any number
 * @param created when the id was first given a proxy; null where the service does not tell
 * @param renewed when it was last given one; null where the service does not tell
 */
public record Delegation(
    String id,
    GridSubject owner,
    Instant notAfter,
    List<String> attributes,
    AcquireRules rules,
    int used,
    boolean limited,
    @Nullable Integer pathLeft,
    @Nullable Instant created,
    @Nullable Instant renewed) {
  /** Copies the list. */
  public Delegation {
    attributes = List.copyOf(attributes);
  }
}
