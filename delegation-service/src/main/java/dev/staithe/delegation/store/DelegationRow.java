package dev.staithe.delegation.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delegation.
 *
 * @param owner subject as RFC 4514 writes it
 * @param through the id of the delegation by which somebody acted for the owner; null: the owner
 *     did
 * @param version greater after each change but a use
 * @param keyDigest SHA-256 of the public key in hexadecimal
 * @param sealed the private key
 * @param chain PEM, the key's own certificate first
 * @param fqans of its VOMS attributes
 * @param used how many proxies were acquired
 * @param pathLeft null: any number
 */
public record DelegationRow(
    String owner,
    String id,
    @Nullable String through,
    long version,
    String keyDigest,
    byte[] sealed,
    String chain,
    Instant notAfter,
    List<String> fqans,
    RuleRow rules,
    int used,
    boolean limited,
    boolean legacy,
    @Nullable Integer pathLeft,
    Instant created,
    Instant renewed) {
  /** Copies the list. */
  public DelegationRow {
    fqans = List.copyOf(fqans);
  }

  /** The same with other rules, one version later. */
  public DelegationRow with(RuleRow others) {
    return new DelegationRow(
        owner,
        id,
        through,
        version + 1,
        keyDigest,
        sealed,
        chain,
        notAfter,
        fqans,
        others,
        used,
        limited,
        legacy,
        pathLeft,
        created,
        renewed);
  }

  /** Names owner and id only. */
  @Override
  public String toString() {
    return "DelegationRow[" + owner + ", " + id + "]";
  }
}
