package dev.staithe.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.HexFormat;
import java.util.zip.Adler32;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.conscrypt.Conscrypt;

/**
 * Content that cannot be guessed or compressed, the same for the same seed, and its checksums. Both
 * come from native code: Java's own takes fifteen times as long where only the first compiler runs.
 *
 * @param sha256 hex
 * @param adler32 eight hex digits
 */
record Sample(long size, String sha256, String adler32) {
  private static final Provider NATIVE = Conscrypt.newProvider();
  private static final int PART = 1 << 16;

  /** Some bytes. */
  static byte[] bytes(long seed, int size) {
    return next(stream(seed), size);
  }

  /** Writes a file of that size, which begins as {@link #bytes} do. */
  static Sample write(Path file, long seed, long size) throws IOException {
    Cipher stream = stream(seed);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = size; left > 0; left -= PART) {
        out.write(next(stream, (int) Math.min(PART, left)));
      }
    }
    return of(file);
  }

  /** A cipher's key stream: as random as that of a generator, and made by one instruction. */
  private static Cipher stream(long seed) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding", NATIVE);
      byte[] key = ByteBuffer.allocate(16).putLong(seed).array();
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] next(Cipher stream, int size) {
    byte[] next = stream.update(new byte[size]);
    return next == null ? new byte[0] : next;
  }

  /** What a file holds. */
  static Sample of(Path file) throws IOException {
    MessageDigest sha256 = digest();
    Adler32 adler32 = new Adler32();
    byte[] part = new byte[PART];
    long size = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(part); n >= 0; n = in.read(part)) {
        sha256.update(part, 0, n);
        adler32.update(part, 0, n);
        size += n;
      }
    }
    return of(size, sha256, adler32);
  }

  /** What these bytes are. */
  static Sample ofBytes(byte[] content) {
    MessageDigest sha256 = digest();
    sha256.update(content);
    Adler32 adler32 = new Adler32();
    adler32.update(content);
    return of(content.length, sha256, adler32);
  }

  private static Sample of(long size, MessageDigest sha256, Adler32 adler32) {
    return new Sample(
        size,
        HexFormat.of().formatHex(sha256.digest()),
        HexFormat.of().toHexDigits((int) adler32.getValue()));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256", NATIVE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
