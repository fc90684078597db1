package dev.staithe.http;

/**
 * How much of a head is taken before it is too long.
 *
 * @param bytes of a head, and of the trailers after a body, from 256; buffers must hold them
 * @param fields in either
 */
public record HeadLimits(int bytes, int fields) {
  /** Checks the ranges. */
  public HeadLimits {
    if (bytes < 256 || fields < 1) {
      throw new IllegalArgumentException("a head needs at least 256 bytes and one field");
    }
  }
}
