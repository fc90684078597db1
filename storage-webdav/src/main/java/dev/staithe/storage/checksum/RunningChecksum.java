package dev.staithe.storage.checksum;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.Adler32;

/** A checksum of bytes while they pass. Not for use by several threads at once. */
public sealed interface RunningChecksum
    permits RunningChecksum.Adler, RunningChecksum.Digest, ChecksumBeside {
  /** Takes the remaining bytes into account and leaves the buffer's position alone. */
  void update(ByteBuffer bytes);

  /** The checksum of all bytes so far; ends the computation. */
  Checksum finish();

  /** Begins a checksum of that kind, of no bytes yet. */
  static RunningChecksum of(ChecksumAlgorithm algorithm) {
    return switch (algorithm) {
      case ADLER32 -> new Adler();
      case MD5 -> new Digest(algorithm, "MD5");
      case SHA_256 -> new Digest(algorithm, "SHA-256");
      case SHA_512 -> new Digest(algorithm, "SHA-512");
    };
  }

  /** Adler-32, on an intrinsic of the virtual machine that reads direct buffers in place. */
  final class Adler implements RunningChecksum {
    private static final int BASE = 65521;

    private final Adler32 sum = new Adler32();

    @Override
    public void update(ByteBuffer bytes) {
      sum.update(bytes.duplicate());
    }

    /** The checksum so far. */
    public int value() {
      return (int) sum.getValue();
    }

    @Override
    public Checksum finish() {
      return checksum(value());
    }

    /** That value as a checksum. */
    public static Checksum checksum(int value) {
      return new Checksum(ChecksumAlgorithm.ADLER32, ByteBuffer.allocate(4).putInt(value).array());
    }

    /**
     * The checksum of two adjacent parts from the checksums of each, without the bytes: both sums
     * are linear in the bytes, modulo 65521 (RFC 1950 section 8.2).
     */
    public static int combine(int first, int second, long secondLength) {
      long length = secondLength % BASE;
      long firstLow = first & 0xffff;
      long firstHigh = first >>> 16;
      long secondLow = second & 0xffff;
      long secondHigh = second >>> 16;
      long low = (firstLow + secondLow + BASE - 1) % BASE;
      long high = (firstHigh + secondHigh + length * firstLow + BASE - length) % BASE;
      return (int) (high << 16 | low);
    }
  }

  /** A message digest of the Java platform. */
  final class Digest implements RunningChecksum {
    private final ChecksumAlgorithm algorithm;
    private final MessageDigest digest;

    Digest(ChecksumAlgorithm algorithm, String name) {
      this.algorithm = algorithm;
      try {
        this.digest = MessageDigest.getInstance(name);
      } catch (NoSuchAlgorithmException impossible) {
        // Every Java platform has these (MessageDigest's class comment).
        throw new IllegalStateException(impossible);
      }
    }

    @Override
    public void update(ByteBuffer bytes) {
      digest.update(bytes.duplicate());
    }

    @Override
    public Checksum finish() {
      return new Checksum(algorithm, digest.digest());
    }
  }
}
