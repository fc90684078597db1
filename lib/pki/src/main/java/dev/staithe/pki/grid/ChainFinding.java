package dev.staithe.pki.grid;

/** What the rules for the certificates of clients find. */
sealed interface ChainFinding {
  /** What a chain is for; the rules differ in little. */
  enum Use {
    /** Somebody logs in with it. */
    CLIENT,
    /** Somebody hands it on: it may be independent. */
    DELEGATION,
    /** It signs attributes of others: no proxy does, and the purposes of TLS do not matter. */
    ATTRIBUTES
  }

  /** A path that leads to a trusted authority. */
  record Good(PathSearch.Found path, ProxyLineage lineage) implements ChainFinding {}

  /** None does by the rules. */
  record Bad(ChainFault fault) implements ChainFinding {}
}
