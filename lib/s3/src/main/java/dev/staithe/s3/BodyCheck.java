package dev.staithe.s3;

/** How an engine is told what the body of an object must be, so that it refuses any other. */
public enum BodyCheck {
  /** By {@code Content-MD5}, which every engine compares. */
  MD5,
  /**
   * By the SHA-256 that is part of what is signed, which costs half of that where the processor
   * computes it; only for engines that the probe has found to compare it.
   */
  SHA_256
}
