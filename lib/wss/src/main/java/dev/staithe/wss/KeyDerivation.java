package dev.staithe.wss;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Keys from a shared secret by P_SHA-1 or P_SHA-256 (RFC 5246 section 5, WS-SecureConversation 1.4
 * section 7, WS-Trust 1.4 section 4.4.4). It knows no caps: whoever calls has judged offset, length
 * and nonce before ({@link Expectation.Limits}). Thread-safe.
 */
public enum KeyDerivation {
  /** What WS-SecureConversation names as the default, and the only one that it gives a name. */
  P_SHA1("HmacSHA1", 20),
  /** The same function over SHA-256. */
  P_SHA256("HmacSHA256", 32);

  /** The label where none is given: the same for client and service, hence the name twice. */
  public static final String DEFAULT_LABEL = "WS-SecureConversationWS-SecureConversation";

  private static final byte[] DEFAULT_LABEL_BYTES =
      DEFAULT_LABEL.getBytes(StandardCharsets.US_ASCII);

  private final String mac;
  private final int size;
  private final Pool<Mac> macs;

  KeyDerivation(String mac, int size) {
    this.mac = mac;
    this.size = size;
    this.macs = new Pool<>(64, this::newMac);
  }

  /**
   * The function of a {@code wsc:DerivedKeyToken}'s {@code Algorithm}.
   *
   * @return null where the name is of none
   */
  public static @Nullable KeyDerivation of(String algorithm) {
    return switch (algorithm) {
      case Namespaces.SC_2005 + "/dk/p_sha1", Namespaces.SC_13 + "/dk/p_sha1" -> P_SHA1;
      case Namespaces.SC_2005 + "/dk/p_sha256", Namespaces.SC_13 + "/dk/p_sha256" -> P_SHA256;
      default -> null;
    };
  }

  /**
   * A derived key with the default label.
   *
   * @param nonce of the derivation
   * @param offset bytes of the function's output that are left out, not negative
   * @param length of the key in bytes, positive
   */
  public byte[] derive(byte[] secret, byte[] nonce, int offset, int length) {
    return derive(secret, DEFAULT_LABEL_BYTES, nonce, offset, length);
  }

  /**
   * A derived key: {@code P_hash(secret, label + nonce)} from {@code offset} on.
   *
   * @param label in UTF-8; empty for none
   */
  public byte[] derive(byte[] secret, byte[] label, byte[] nonce, int offset, int length) {
    byte[] seed = Arrays.copyOf(label, label.length + nonce.length);
    System.arraycopy(nonce, 0, seed, label.length, nonce.length);
    return expand(secret, seed, offset, length);
  }

  /**
   * The key that both sides of a context compute from what each of them adds: {@code P_hash(client,
   * server)} (WS-Trust 1.4 section 4.4.4, {@code CK/PSHA1}).
   *
   * @param length of the key in bytes, positive
   */
  public byte[] computedKey(byte[] client, byte[] server, int length) {
    return expand(client, server, 0, length);
  }

  private byte[] expand(byte[] secret, byte[] seed, int offset, int length) {
    if (offset < 0 || length < 1 || secret.length == 0) {
      throw new IllegalArgumentException("no such part of a derivation");
    }
    Mac hash = macs.take();
    byte[] key = new byte[length];
    byte[] block = new byte[size];
    byte[] round = new byte[size];
    try {
      hash.init(new SecretKeySpec(secret, mac));
      // A(1) = HMAC(seed), A(i+1) = HMAC(A(i)); output = HMAC(A(1) + seed), HMAC(A(2) + seed), …
      hash.update(seed);
      hash.doFinal(round, 0);
      int from = 0;
      int end = Math.addExact(offset, length);
      while (true) {
        if (from + size > offset) {
          hash.update(round);
          hash.update(seed);
          hash.doFinal(block, 0);
          int begin = Math.max(from, offset);
          int stop = Math.min(from + size, end);
          System.arraycopy(block, begin - from, key, begin - offset, stop - begin);
        }
        from += size;
        if (from >= end) {
          return key;
        }
        hash.update(round);
        hash.doFinal(round, 0);
      }
    } catch (ShortBufferException | InvalidKeyException e) {
      throw new IllegalStateException("this Java runtime has no " + mac, e);
    } finally {
      Arrays.fill(block, (byte) 0);
      Arrays.fill(round, (byte) 0);
      macs.give(hash);
    }
  }

  private Mac newMac() {
    try {
      return Mac.getInstance(mac);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + mac, e);
    }
  }
}
