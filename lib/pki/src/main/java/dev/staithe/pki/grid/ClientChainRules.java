package dev.staithe.pki.grid;

/**
 * How strictly the certificates of clients are judged.
 *
 * @param revocation what revocation lists mean
 * @param namespaces what the files mean that say which names an authority may give out
 * @param legacyProxies whether proxies from before RFC 3820 (Globus Toolkit 2 and 3) are taken, and
 *     with them SHA-1 signatures and RSA keys of 1024 bits
 */
public record ClientChainRules(
    Revocation revocation, Namespaces namespaces, boolean legacyProxies) {
  /** Lists and files count where they are there, proxies are those of RFC 3820. */
  public static final ClientChainRules DEFAULT =
      new ClientChainRules(Revocation.IF_VALID, Namespaces.IF_PRESENT, false);

  /** What revocation lists mean. What a list withdrew stays so when the list is overdue. */
  public enum Revocation {
    /** Each authority has a list that is not overdue. */
    REQUIRE,
    /** An authority may have no list; one that is there is not overdue. */
    IF_PRESENT,
    /** An authority may have no list, or one that is overdue. */
    IF_VALID,
    /** Lists are not looked at. */
    IGNORE
  }

  /**
   * What {@code HASH.namespaces} (EUGridPMA) or, where there is none, {@code HASH.signing_policy}
   * (Globus) beside an authority's certificate mean; {@code HASH} is that of OpenSSL 1.0 and later.
   */
  public enum Namespaces {
    /** Each authority has one, and it permits the name. */
    REQUIRE,
    /**
     * One that is there permits the name; one that cannot be read, or speaks of other authorities
     * only, permits none.
     */
    IF_PRESENT,
    /** They are not looked at. */
    IGNORE
  }
}
