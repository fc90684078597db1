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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Keeps answers from coming back as requests. Both directions of a context have the same keys, and
 * so have those of a password and of a key that the client brought, so that an answer which is sent
 * back verifies; its signature is remembered as if it had been here before. Thread-safe.
 */
final class Reflections {
  private static final byte[] VALUE = "SignatureValue".getBytes(StandardCharsets.US_ASCII);

  /** Blocks of the service may hold signatures too, and stand before ours. */
  private static final int MOST = 8;

  private final ReplayCache replays;
  private final Clock clock;

  Reflections(ReplayCache replays, Clock clock) {
    this.replays = replays;
    this.clock = clock;
  }

  /**
   * Remembers an answer that is about to leave.
   *
   * @return whether it is remembered where that is needed: else it must not leave
   */
  boolean remember(Reply.Keys keys, byte[] sealed, Expectation expectation) {
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
    if (identity == null) {
      return true;
    }
    Expectation.Limits limits = expectation.limits();
    Instant until = clock.instant().plus(limits.freshness()).plus(limits.skew());
    for (byte[] value : signatureValues(sealed)) {
      if (replays.mark(List.of(new Findings.Once(digest(value, identity), until)))
          instanceof ReplayCache.Mark.Unavailable) {
        return false;
      }
    }
    return true;
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

  private static List<byte[]> signatureValues(byte[] envelope) {
    List<byte[]> values = new ArrayList<>(1);
    int at = 0;
    while (at + VALUE.length < envelope.length && values.size() < MOST) {
      if (envelope[at] != 'S'
          || !Arrays.equals(envelope, at, at + VALUE.length, VALUE, 0, VALUE.length)) {
        at++;
        continue;
      }
      int from = at + VALUE.length;
      while (from < envelope.length && envelope[from - 1] != '>') {
        from++;
      }
      int to = from;
      while (to < envelope.length && envelope[to] != '<') {
        to++;
      }
      byte[] value = decode(Arrays.copyOfRange(envelope, from, to));
      if (value.length > 0) {
        values.add(value);
      }
      at = to;
    }
    return values;
  }

  /** Nothing where it is something else of that name, as what follows an end. */
  private static byte[] decode(byte[] text) {
    try {
      return Base64.getMimeDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }
}
