package dev.staithe.wss.crypto;

import dev.staithe.xml.Octets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES over content (XML Encryption 1.1 sections 5.2.2 and 5.2.4): the vector stands in front.
 * Reused; for one thread at a time.
 */
public final class ContentCipher {
  private static final int GCM_VECTOR = 12;
  private static final int GCM_TAG = 16;
  private static final int BLOCK = 16;

  private final SecureRandom random;
  private @Nullable Cipher gcm;
  private @Nullable Cipher cbc;

  /** With vectors from that source. */
  public ContentCipher(SecureRandom random) {
    this.random = random;
  }

  /**
   * Decrypts.
   *
   * @param out what came out is put there, also where its padding is wrong: whoever goes on with it
   *     then takes as long as with any other text
   * @return whether it could be
   */
  public boolean decrypt(String uri, byte[] key, byte[] value, Octets out) {
    boolean gcm = AlgorithmNames.isGcm(uri);
    int vector = gcm ? GCM_VECTOR : BLOCK;
    int shortest = gcm ? GCM_VECTOR + GCM_TAG : 2 * BLOCK;
    if (value.length < shortest || !gcm && value.length % BLOCK != 0) {
      return false;
    }
    try {
      Cipher cipher = cipher(gcm);
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), start(gcm, value));
      out.reserve(value.length);
      int from = out.size();
      int length = cipher.doFinal(value, vector, value.length - vector, out.array(), from);
      // Section 5.2: the last byte says how many are padding; the others are of any value.
      int padding = gcm ? 0 : out.array()[from + length - 1];
      boolean sound = gcm || (padding >= 1 && padding <= BLOCK);
      out.advance(sound ? length - padding : length);
      return sound;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Encrypts under a fresh vector, which is put in front. */
  public void encrypt(String uri, byte[] key, byte[] plain, int from, int length, Octets out) {
    boolean gcm = AlgorithmNames.isGcm(uri);
    byte[] vector = new byte[gcm ? GCM_VECTOR : BLOCK];
    random.nextBytes(vector);
    try {
      Cipher cipher = cipher(gcm);
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), start(gcm, vector));
      out.put(vector);
      out.reserve(length + 2 * BLOCK);
      int put;
      if (gcm) {
        put = cipher.doFinal(plain, from, length, out.array(), out.size());
      } else {
        byte[] padding = new byte[BLOCK - length % BLOCK];
        padding[padding.length - 1] = (byte) padding.length;
        put = cipher.update(plain, from, length, out.array(), out.size());
        put += cipher.doFinal(padding, 0, padding.length, out.array(), out.size() + put);
      }
      out.advance(put);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks a form of AES", e);
    }
  }

  private Cipher cipher(boolean authenticated) throws GeneralSecurityException {
    Cipher known = authenticated ? gcm : cbc;
    if (known == null) {
      known = Cipher.getInstance(authenticated ? "AES/GCM/NoPadding" : "AES/CBC/NoPadding");
      if (authenticated) {
        gcm = known;
      } else {
        cbc = known;
      }
    }
    return known;
  }

  private static AlgorithmParameterSpec start(boolean gcm, byte[] vector) {
    return gcm
        ? new GCMParameterSpec(8 * GCM_TAG, vector, 0, GCM_VECTOR)
        : new IvParameterSpec(vector, 0, BLOCK);
  }
}
