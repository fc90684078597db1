package dev.staithe.storage.authz;

/**
 * What a service that authenticates as a host may do, told in scopes (WLCG JWT profile 1.3 section
 * 2.2.4, host-based authorization).
 *
 * @param host the name after {@code host:} in the token's subject, compared exactly: it is a
 *     client's id and no name that is looked up
 * @param scopes what it grants, paths relative to the issuer's prefixes
 */
public record HostRule(String host, Scopes scopes) {
  /** Refuses the empty name and a rule that grants nothing. */
  public HostRule {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("a host's name is empty");
    }
    if (scopes.storage().isEmpty()) {
      throw new IllegalArgumentException("the rule for host " + host + " grants nothing");
    }
  }

  /** Whether it is about the holder of that token. */
  boolean concerns(TokenCaller token) {
    return token.scopes().hostAuth() && token.subject().equals("host:" + host);
  }
}
