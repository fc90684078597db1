package dev.staithe.authn.seal;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes HMAC-SHA256 (RFC 2104) under one key. Safe for many threads. Keeps prepared {@link Mac}s
 * in slots instead of thread-locals, because a virtual thread that serves one request would prepare
 * its own each time.
 */
final class MacPool {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SLOTS = 64;

  private final SecretKeySpec key;
  private final AtomicReferenceArray<Mac> idle = new AtomicReferenceArray<>(SLOTS);

  MacPool(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** The 32 bytes for part of an array. */
  byte[] mac(byte[] bytes, int from, int to) {
    int slot = (int) (Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L >>> 58);
    Mac mac = idle.getAndSet(slot, null);
    if (mac == null) {
      mac = prepared();
    }
    mac.update(bytes, from, to - from);
    byte[] result = mac.doFinal();
    idle.set(slot, mac);
    return result;
  }

  private Mac prepared() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC-SHA256", e);
    }
  }
}
