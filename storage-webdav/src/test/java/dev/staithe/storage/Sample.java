package dev.staithe.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CheckedOutputStream;

/**
 * Content that cannot be guessed or compressed, the same for the same seed, and its checksums as
 * the JDK computes them.
 *
 * @param sha256 hex
 * @param adler32 eight hex digits
 */
record Sample(long size, String sha256, String adler32) {
  /** Some bytes. */
  static byte[] bytes(long seed, int size) {
    byte[] content = new byte[size];
    new Random(seed).nextBytes(content);
    return content;
  }

  /** Writes a file of that size. */
  static Sample write(Path file, long seed, long size) throws IOException {
    Random random = new Random(seed);
    byte[] part = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = size; left > 0; ) {
        random.nextBytes(part);
        int n = (int) Math.min(part.length, left);
        out.write(part, 0, n);
        left -= n;
      }
    }
    return of(file);
  }

  /** What a file holds. */
  static Sample of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in, Files.size(file));
    }
  }

  /** What these bytes are. */
  static Sample ofBytes(byte[] content) throws IOException {
    return of(new ByteArrayInputStream(content), content.length);
  }

  private static Sample of(InputStream in, long size) throws IOException {
    MessageDigest sha256 = digest();
    Adler32 adler32 = new Adler32();
    try (OutputStream out =
        new DigestOutputStream(
            new CheckedOutputStream(OutputStream.nullOutputStream(), adler32), sha256)) {
      in.transferTo(out);
    }
    return new Sample(
        size,
        HexFormat.of().formatHex(sha256.digest()),
        HexFormat.of().toHexDigits((int) adler32.getValue()));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
