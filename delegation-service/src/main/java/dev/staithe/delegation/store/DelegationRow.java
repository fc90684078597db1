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
 * @param bound whether it is sealed for the rules too
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
    boolean bound,
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

  /** The same with other rules, one version later; the key is still sealed for the former. */
  public DelegationRow with(RuleRow others) {
    return with(version + 1, sealed, bound, others);
  }

  /** The same with its key, sealed for these rules. */
  public DelegationRow sealed(byte[] key) {
    return with(version, key, true, rules);
  }

  private DelegationRow with(long newVersion, byte[] key, boolean forRules, RuleRow newRules) {
    return new DelegationRow(
        owner,
        id,
        through,
        newVersion,
        keyDigest,
        key,
        forRules,
        chain,
        notAfter,
        fqans,
        newRules,
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
