package dev.staithe.authn.password;

import org.jspecify.annotations.Nullable;

/** How new passwords are hashed. */
public enum HashProfile {
  /** Argon2id with 19 MiB and two passes: the least that OWASP recommends. The default. */
  OWASP(new Argon2Cost(19456, 2, 1)),
  /** Argon2id with 7 MiB and five passes, as Keycloak has it: for comparisons. */
  PEERS(new Argon2Cost(7168, 5, 1)),
  /**
   * One salted SHA-1, as the study of 2014 had it. Worthless as a protection: only to repeat that
   * study, and to be warned of at every start.
   */
  PAPER(null);

  private final @Nullable Argon2Cost cost;

  HashProfile(@Nullable Argon2Cost cost) {
    this.cost = cost;
  }

  /** Null where it is not Argon2id. */
  @Nullable Argon2Cost cost() {
    return cost;
  }

  /** Whether it protects nothing and must be warned of. */
  public boolean isForStudiesOnly() {
    return cost == null;
  }

  /** Memory that one hash takes, in KiB. */
  public int memoryKiB() {
    return cost == null ? 0 : cost.memoryKiB();
  }
}
