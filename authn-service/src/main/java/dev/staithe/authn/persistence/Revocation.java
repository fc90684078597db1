package dev.staithe.authn.persistence;

import java.time.Instant;

/** An entry of the revocation log: what is no longer good although its token says so. */
public sealed interface Revocation {
  /** When the entry may be forgotten, because all that it ends has expired by itself. */
  Instant expires();

  /**
   * One session was ended.
   *
   * @param id which
   * @param expires when it would have ended by itself
   */
  record OfSession(SessionId id, Instant expires) implements Revocation {}

  /**
   * All sessions of a user that were begun before a time were ended.
   *
   * @param subject whose
   * @param notBefore sessions created before this are ended, to the millisecond
   * @param expires when the last of them would have ended by itself
   */
  record OfUser(String subject, Instant notBefore, Instant expires) implements Revocation {}
}
