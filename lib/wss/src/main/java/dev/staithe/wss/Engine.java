package dev.staithe.wss;

/**
 * Takes the protection off requests. There are two: one on WSS4J's document tree that takes every
 * accepted form, and one that streams the shapes that X.509 and SecureConversation prescribe. Where
 * both take a message they must agree in everything that an {@link Opening} says. Thread-safe, and
 * without memory: replays are judged by whoever calls.
 */
public interface Engine {
  /** Judges a request, with all of its signatures, before a byte of it goes anywhere. */
  Opening open(Arrival arrival);
}
