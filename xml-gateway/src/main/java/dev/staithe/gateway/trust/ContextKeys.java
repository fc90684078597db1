package dev.staithe.gateway.trust;

import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.trust.TokenAnswer;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes the secrets of contexts. Where the requester adds to a key, so do we, whether the policy
 * demands it or not: neither side alone can make it weak (WS-Trust 1.4 section 4.4). Thread-safe.
 */
final class ContextKeys {
  private final SecureRandom random = new SecureRandom();

  /**
   * A secret, and what the requester is told of it.
   *
   * @param bits its size
   */
  record DerivedKey(byte[] secret, TokenAnswer.Key key, int bits) {
    @Override
    public String toString() {
      return "DerivedKey[" + bits + "]";
    }
  }

  /**
   * A new one.
   *
   * @param entropy what the requester added, which is overwritten; null where nothing
   * @param wantedBits 0 where it is not said: Rampart takes what the suite needs then, whatever the
   *     answer tells
   * @param suite of the conversation
   */
  DerivedKey make(byte @Nullable [] entropy, int wantedBits, AlgorithmSuite suite) {
    int bits = wantedBits == 0 ? suite.encryptionKeyBytes() * Byte.SIZE : wantedBits;
    byte[] ours = new byte[bits / Byte.SIZE];
    random.nextBytes(ours);
    if (entropy == null) {
      return new DerivedKey(ours.clone(), new TokenAnswer.Key.Chosen(ours), bits);
    }
    byte[] secret = KeyDerivation.P_SHA1.computedKey(entropy, ours, ours.length);
    Arrays.fill(entropy, (byte) 0);
    return new DerivedKey(secret, new TokenAnswer.Key.Computed(ours), bits);
  }

  /** The one that there was. */
  static DerivedKey same(byte[] secret) {
    return new DerivedKey(secret, new TokenAnswer.Key.Unspecified(), secret.length * Byte.SIZE);
  }
}
