package dev.staithe.gateway.route;

import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Reply;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps answers from coming back as requests. Both directions of a context have the same keys, and
 * so have those of a password and of a key that the client brought, so that an answer which is sent
 * back verifies; its signature is remembered as if it had been here before. Thread-safe.
 */
final class Reflections {
  private final ReplayCache replays;
  private final Clock clock;

  Reflections(ReplayCache replays, Clock clock) {
    this.replays = replays;
    this.clock = clock;
  }

  /**
   * Remembers an answer that is about to leave.
   *
   * @param signature the value of its signature; null where it has none
   * @return whether it is remembered where that is needed: else it must not leave
   */
  boolean remember(Reply.Keys keys, byte @Nullable [] signature, Expectation expectation) {
    byte[] identity =
        switch (keys) {
          case Reply.Keys.InContext in ->
              in.context().identifier().getBytes(StandardCharsets.UTF_8);
          case Reply.Keys.ByUsername by -> by.username().getBytes(StandardCharsets.UTF_8);
          case Reply.Keys.ByEncryptedKey by -> by.sha1();
          // Our own signature is nobody's request; and without keys there is nothing to verify.
          case Reply.Keys.ToCertificate ignored -> null;
          case Reply.Keys.None ignored -> null;
        };
    if (identity == null || signature == null) {
      return true;
    }
    Expectation.Limits limits = expectation.limits();
    Instant until = clock.instant().plus(limits.freshness()).plus(limits.skew());
    var once = new Findings.Once(digest(signature, identity), until);
    return !(replays.mark(List.of(once)) instanceof ReplayCache.Mark.Unavailable);
  }

  /** As engines name a signature under a key that is shared. */
  private static byte[] digest(byte[] value, byte[] identity) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("signature".getBytes(StandardCharsets.US_ASCII));
      digest.update(value);
      digest.update(identity);
      return digest.digest();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
