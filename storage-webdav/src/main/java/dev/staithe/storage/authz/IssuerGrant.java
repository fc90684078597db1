package dev.staithe.storage.authz;

import dev.staithe.storage.files.StoragePath;
import java.util.List;

/**
 * What an area grants to the tokens of one issuer.
 *
 * @param issuer the issuer, exactly as in the token
 * @param prefixes where in the area the issuer's scope paths begin; its tokens reach nothing else
 * @param strategy what in the token counts
 * @param groups what groups grant, where groups count
 * @param hosts what services that authenticate as hosts may do, by tokens without a capability
 */
public record IssuerGrant(
    String issuer,
    List<StoragePath> prefixes,
    Strategy strategy,
    List<GroupRule> groups,
    List<HostRule> hosts) {

  /** What in a token counts. */
  public enum Strategy {
    /** Only capability scopes. */
    CAPABILITIES,
    /** Only groups, and only of tokens without a capability. */
    GROUPS,
    /** Capability scopes, or groups where the token has no capability. */
    BOTH
  }

  /** Takes copies, and refuses an issuer without a prefix or with group rules that cannot count. */
  public IssuerGrant {
    prefixes = List.copyOf(prefixes);
    groups = List.copyOf(groups);
    hosts = List.copyOf(hosts);
    if (prefixes.isEmpty()) {
      throw new IllegalArgumentException("issuer " + issuer + " has no prefix in the area");
    }
    if (strategy == Strategy.CAPABILITIES && !groups.isEmpty()) {
      throw new IllegalArgumentException(
          "issuer " + issuer + " has group rules, but its strategy is capabilities");
    }
    if (strategy == Strategy.GROUPS && groups.isEmpty()) {
      throw new IllegalArgumentException(
          "issuer " + issuer + " has no group rules, but its strategy is groups");
    }
  }

  /** Capability scopes, beginning at the area's root. */
  public static IssuerGrant wholeArea(String issuer) {
    return new IssuerGrant(
        issuer, List.of(StoragePath.root()), Strategy.CAPABILITIES, List.of(), List.of());
  }
}
