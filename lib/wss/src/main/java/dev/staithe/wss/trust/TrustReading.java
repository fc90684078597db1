package dev.staithe.wss.trust;

/**
 * What came of reading a message of WS-Trust.
 *
 * @param <T> what it is
 */
public sealed interface TrustReading<T> {
  /** It was read. */
  record Read<T>(T value) implements TrustReading<T> {}

  /**
   * It is not such a message, or one with a wish that is not granted here.
   *
   * @param fault what to tell the sender
   * @param line for the log, one line that quotes nothing
   */
  record Refused<T>(TrustFault fault, String line) implements TrustReading<T> {}
}
