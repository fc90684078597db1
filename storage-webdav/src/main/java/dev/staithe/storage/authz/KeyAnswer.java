package dev.staithe.storage.authz;

import java.security.PublicKey;

/** What came of looking for an issuer's key. */
sealed interface KeyAnswer {
  /** Here it is. */
  record Found(PublicKey key) implements KeyAnswer {}

  /** The issuer's keys are known and it is not among them. */
  record NotThere() implements KeyAnswer {}

  /** The issuer's keys cannot be had now; {@code reason} is one safe line. */
  record Unreachable(String reason, int retryAfterSeconds) implements KeyAnswer {}
}
