package dev.staithe.pki.seal;

import dev.staithe.pki.PemException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals secrets for a store that others can read, or its back-ups. Each secret is sealed with a key
 * of its own, and that one with the master key, both by AES-256-GCM (NIST SP 800-38D). What is
 * sealed for one row opens for no other. A master key in a token never leaves it. Thread-safe; both
 * ways take microseconds, or one call of the token.
 *
 * <p>To rotate: add the new key behind the old one on every node, then put it first on every node,
 * {@link #rewrap} all rows, then leave the old one away. A master key is to be replaced before it
 * has sealed four thousand million secrets, since its nonces are random.
 */
public final class MasterKeys {
  private static final byte VERSION = 1;
  private static final int NAME_BYTES = 4;
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /** Version, name, nonce and sealed data key. */
  private static final int HEAD_BYTES = 1 + NAME_BYTES + NONCE_BYTES + KEY_BYTES + TAG_BYTES;

  private final List<MasterKey> keys;
  private final SecureRandom random = new SecureRandom();

  private MasterKeys(List<MasterKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /** What came of opening. */
  public sealed interface Opening {
    /**
     * It is open.
     *
     * @param secret for the caller to wipe after use
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Opened(byte[] secret) implements Opening {
      /** Shows nothing of it. */
      @Override
      public String toString() {
        return "Opened";
      }
    }

    /**
     * It stays shut.
     *
     * @param line why, one line
     */
    record Unreadable(String line) implements Opening {}
  }

  /** What came of sealing anew with the first key. */
  public sealed interface Rewrapping {
    /** To be kept instead. */
    @SuppressWarnings("ArrayRecordComponent")
    record Rewrapped(byte[] sealed) implements Rewrapping {}

    /** The first key has sealed it already. */
    record Current() implements Rewrapping {}

    /**
     * It cannot be opened.
     *
     * @param line why, one line
     */
    record Unreadable(String line) implements Rewrapping {}
  }

  /**
   * Reads the keys.
   *
   * @param sources the first seals, all open; at least one
   * @throws PemException where one cannot be read or is no AES key of 256 bits; the message shows
   *     nothing of it
   */
  public static MasterKeys of(List<MasterKeySource> sources) throws PemException {
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("at least one master key is needed");
    }
    List<MasterKey> keys = new ArrayList<>();
    for (MasterKeySource source : sources) {
      keys.add(MasterKey.of(source));
    }
    return new MasterKeys(keys);
  }

  /** The name of the key that seals, 8 hexadecimal digits that tell nothing of it. */
  public String name() {
    return HexFormat.of().formatHex(keys.getFirst().name());
  }

  /** Whether the key that seals never leaves its token. */
  public boolean inToken() {
    return keys.getFirst().provider() != null;
  }

  /**
   * Whether a key of that name is here.
   *
   * @param name 8 hexadecimal digits
   */
  public boolean has(String name) {
    return keys.stream().anyMatch(key -> HexFormat.of().formatHex(key.name()).equals(name));
  }

  /** The name of the key that sealed this, or an empty text where nothing here did. */
  public static String name(byte[] sealed) {
    return sealed.length < HEAD_BYTES || sealed[0] != VERSION
        ? ""
        : HexFormat.of().formatHex(sealed, 1, 1 + NAME_BYTES);
  }

  /**
   * Seals a secret.
   *
   * @param row where it will be kept; only there it opens
   * @throws IllegalStateException where the token does not answer
   */
  public byte[] seal(String row, byte[] secret) {
    byte[] dataKey = new byte[KEY_BYTES];
    random.nextBytes(dataKey);
    try {
      byte[] nonce = nonce();
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(dataKey, "AES"),
          new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
      cipher.updateAAD(bound(row));
      byte[] body = cipher.doFinal(secret);
      return ByteBuffer.allocate(HEAD_BYTES + NONCE_BYTES + body.length)
          .put(head(row, dataKey))
          .put(nonce)
          .put(body)
          .array();
    } catch (GeneralSecurityException | ProviderException e) {
      throw new IllegalStateException("the master key does not seal", e);
    } finally {
      Arrays.fill(dataKey, (byte) 0);
    }
  }

  /**
   * Opens what was sealed for that row.
   *
   * @throws IllegalStateException where the token does not answer
   */
  public Opening open(String row, byte[] sealed) {
    byte[] dataKey = null;
    try {
      dataKey = dataKey(row, sealed);
      if (dataKey == null) {
        return new Opening.Unreadable(unreadable(row, sealed));
      }
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(dataKey, "AES"),
          new GCMParameterSpec(TAG_BYTES * Byte.SIZE, sealed, HEAD_BYTES, NONCE_BYTES));
      cipher.updateAAD(bound(row));
      return new Opening.Opened(
          cipher.doFinal(
              sealed, HEAD_BYTES + NONCE_BYTES, sealed.length - HEAD_BYTES - NONCE_BYTES));
    } catch (GeneralSecurityException e) {
      return new Opening.Unreadable(unreadable(row, sealed));
    } catch (ProviderException e) {
      throw new IllegalStateException("the token with the master key does not answer", e);
    } finally {
      if (dataKey != null) {
        Arrays.fill(dataKey, (byte) 0);
      }
    }
  }

  /**
   * Seals anew with the first key what another one had sealed; the secret itself is not touched.
   *
   * @throws IllegalStateException where the token does not answer
   */
  public Rewrapping rewrap(String row, byte[] sealed) {
    if (name(sealed).equals(name())) {
      return new Rewrapping.Current();
    }
    byte[] dataKey = null;
    try {
      dataKey = dataKey(row, sealed);
      if (dataKey == null) {
        return new Rewrapping.Unreadable(unreadable(row, sealed));
      }
      byte[] again = sealed.clone();
      System.arraycopy(head(row, dataKey), 0, again, 0, HEAD_BYTES);
      return new Rewrapping.Rewrapped(again);
    } catch (GeneralSecurityException | ProviderException e) {
      throw new IllegalStateException("the token with the master key does not answer", e);
    } finally {
      if (dataKey != null) {
        Arrays.fill(dataKey, (byte) 0);
      }
    }
  }

  private byte[] head(String row, byte[] dataKey) throws GeneralSecurityException {
    MasterKey key = keys.getFirst();
    byte[] nonce = nonce();
    byte[] wrapped = cipher(Cipher.ENCRYPT_MODE, key, row, nonce, 0).doFinal(dataKey);
    return ByteBuffer.allocate(HEAD_BYTES)
        .put(VERSION)
        .put(key.name())
        .put(nonce)
        .put(wrapped)
        .array();
  }

  /** Null where no key here opens it. */
  private byte @Nullable [] dataKey(String row, byte[] sealed) throws GeneralSecurityException {
    if (sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] != VERSION) {
      return null;
    }
    for (MasterKey key : keys) {
      if (Arrays.equals(key.name(), 0, NAME_BYTES, sealed, 1, 1 + NAME_BYTES)) {
        try {
          int wrapped = 1 + NAME_BYTES + NONCE_BYTES;
          byte[] dataKey =
              cipher(Cipher.DECRYPT_MODE, key, row, sealed, 1 + NAME_BYTES)
                  .doFinal(sealed, wrapped, KEY_BYTES + TAG_BYTES);
          if (dataKey.length == KEY_BYTES) {
            return dataKey;
          }
        } catch (GeneralSecurityException tryTheNext) {
          // names are short: another key may have the same
        }
      }
    }
    return null;
  }

  private static Cipher cipher(int mode, MasterKey key, String row, byte[] nonce, int at)
      throws GeneralSecurityException {
    Cipher cipher =
        key.cipher(mode, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce, at, NONCE_BYTES));
    cipher.updateAAD(bound(row));
    return cipher;
  }

  private static byte[] bound(String row) {
    return ("staithe sealed " + VERSION + " " + row).getBytes(StandardCharsets.UTF_8);
  }

  private byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private String unreadable(String row, byte[] sealed) {
    String name = name(sealed);
    if (name.isEmpty()) {
      return "what is kept in " + row + " is not sealed";
    }
    return has(name)
        ? "what is kept in " + row + " was changed, or was sealed for another row"
        : "what is kept in " + row + " is sealed with master key " + name + ", which is not here";
  }

  /** Names the keys only. */
  @Override
  public String toString() {
    return "MasterKeys["
        + String.join(", ", keys.stream().map(key -> HexFormat.of().formatHex(key.name())).toList())
        + "]";
  }
}
