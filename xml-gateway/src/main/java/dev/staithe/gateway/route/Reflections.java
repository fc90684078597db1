package dev.staithe.gateway.route;

import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Reply;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Keeps answers from coming back as requests. Both directions of a context have the same keys, so
 * that an answer which is sent back verifies; its signature is remembered as if it had been here
 * before. Thread-safe.
 */
final class Reflections {
  private static final byte[] VALUE = "SignatureValue".getBytes(StandardCharsets.US_ASCII);

  private final ReplayCache replays;
  private final Clock clock;

  Reflections(ReplayCache replays, Clock clock) {
    this.replays = replays;
    this.clock = clock;
  }

  /** Remembers an answer that is about to leave. Where there is no room, no request is taken. */
  void remember(Reply.Keys keys, byte[] sealed, Expectation expectation) {
    if (keys instanceof Reply.Keys.InContext in) {
      byte[] value = signatureValue(sealed);
      if (value.length > 0) {
        Expectation.Limits limits = expectation.limits();
        replays.mark(
            List.of(
                new Findings.Once(
                    digest(value, in.context().identifier()),
                    clock.instant().plus(limits.freshness()).plus(limits.skew()))));
      }
    }
  }

  /** As engines name a signature under a context. */
  private static byte[] digest(byte[] value, String identifier) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("signature".getBytes(StandardCharsets.US_ASCII));
      digest.update(value);
      digest.update(identifier.getBytes(StandardCharsets.UTF_8));
      return digest.digest();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /** Of the first signature, which is ours: the header stands before the body. */
  private static byte[] signatureValue(byte[] envelope) {
    for (int at = 0; at + VALUE.length < envelope.length; at++) {
      if (envelope[at] == 'S'
          && Arrays.equals(envelope, at, at + VALUE.length, VALUE, 0, VALUE.length)) {
        int from = at + VALUE.length;
        while (from < envelope.length && envelope[from - 1] != '>') {
          from++;
        }
        int to = from;
        while (to < envelope.length && envelope[to] != '<') {
          to++;
        }
        return Base64.getMimeDecoder().decode(Arrays.copyOfRange(envelope, from, to));
      }
    }
    return new byte[0];
  }
}
