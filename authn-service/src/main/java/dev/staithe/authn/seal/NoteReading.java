package dev.staithe.authn.seal;

import java.util.Map;

/** What a text presented as a sealed note turned out to be. */
public sealed interface NoteReading {
  /**
   * Sealed by a node of this cluster for this purpose, and still good.
   *
   * @param fields what was noted
   */
  record Genuine(Map<String, String> fields) implements NoteReading {}

  /** It was good once. */
  record Expired() implements NoteReading {}

  /** Anything else: no note, of another purpose, with an unknown key, or forged. */
  record NotGenuine() implements NoteReading {}
}
