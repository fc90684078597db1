package dev.staithe.wss.stream;

import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.crypto.KnownCertificate;
import org.jspecify.annotations.Nullable;

/** A key that a message brings or names, by where it comes from. */
sealed interface MessageKey {
  /** Of a certificate. */
  record OfCertificate(KnownCertificate certificate, SecurityScan.@Nullable Binary token)
      implements MessageKey {}

  /**
   * Of a context.
   *
   * @param derived whether the key was derived from its secret; else it is the secret
   */
  record OfContext(SecurityContext context, byte[] key, boolean derived) implements MessageKey {}

  /** A key that came encrypted for us. */
  record Wrapped(byte[] key) implements MessageKey {}
}
