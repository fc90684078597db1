package dev.staithe.wss;

import org.jspecify.annotations.Nullable;

/** What became of an answer. */
public sealed interface Sealing {
  /**
   * It may leave.
   *
   * @param envelope UTF-8; not to be changed
   * @param signature the value of its signature, which may be encrypted in the envelope; null where
   *     it has none
   */
  record Sealed(byte[] envelope, byte @Nullable [] signature) implements Sealing {
    /** One that nothing was put on, or no signature. */
    public static Sealed unsigned(byte[] envelope) {
      return new Sealed(envelope, null);
    }
  }

  /**
   * What the back end gave is no envelope that could be protected.
   *
   * @param line why, for the log
   */
  record Failed(String line) implements Sealing {}
}
