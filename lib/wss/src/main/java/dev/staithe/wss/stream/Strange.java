package dev.staithe.wss.stream;

/**
 * A shape that is not among those that are streamed: nothing was concluded. Without a trace, since
 * it is no fault.
 */
final class Strange extends Exception {
  Strange(String shape) {
    super(shape, null, false, false);
  }
}
