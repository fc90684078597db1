package dev.staithe.wss;

/** What became of an answer. */
public sealed interface Sealing {
  /**
   * It may leave.
   *
   * @param envelope UTF-8; not to be changed
   */
  record Sealed(byte[] envelope) implements Sealing {}

  /**
   * What the back end gave is no envelope that could be protected.
   *
   * @param line why, for the log
   */
  record Failed(String line) implements Sealing {}
}
