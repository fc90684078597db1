package dev.staithe.authn.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals what is kept of second factors with AES-GCM (NIST SP 800-38D), so that the store alone
 * tells nobody a secret. What is sealed for one user opens for no other. Thread-safe.
 */
public final class SecretBox {
  private static final byte VERSION = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final List<SecretKey> keys;
  private final SecureRandom random;

  /**
   * With AES keys of 16 or 32 bytes.
   *
   * @param keys the first seals, all open; at least one
   */
  public SecretBox(List<SecretKey> keys, SecureRandom random) {
    this.keys = List.copyOf(keys);
    if (this.keys.isEmpty()) {
      throw new IllegalArgumentException("at least one key is needed");
    }
    this.random = random;
  }

  byte[] seal(String user, byte[] secret) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.getFirst(), user, nonce).doFinal(secret);
      byte[] all = new byte[1 + NONCE_BYTES + sealed.length];
      all[0] = VERSION;
      System.arraycopy(nonce, 0, all, 1, NONCE_BYTES);
      System.arraycopy(sealed, 0, all, 1 + NONCE_BYTES, sealed.length);
      return all;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key does not fit AES-GCM", e);
    }
  }

  /** Empty where it was sealed with another key, for another user, or was changed. */
  Optional<byte[]> open(String user, byte[] sealed) {
    if (sealed.length < 1 + NONCE_BYTES + TAG_BITS / 8 || sealed[0] != VERSION) {
      return Optional.empty();
    }
    byte[] nonce = Arrays.copyOfRange(sealed, 1, 1 + NONCE_BYTES);
    for (SecretKey key : keys) {
      try {
        return Optional.of(
            cipher(Cipher.DECRYPT_MODE, key, user, nonce)
                .doFinal(sealed, 1 + NONCE_BYTES, sealed.length - 1 - NONCE_BYTES));
      } catch (GeneralSecurityException tryTheNext) {
        // an older key may be the one
      }
    }
    return Optional.empty();
  }

  private static Cipher cipher(int mode, SecretKey key, String user, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(user.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
