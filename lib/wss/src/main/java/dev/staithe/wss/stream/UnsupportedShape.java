package dev.staithe.wss.stream;

/**
 * A shape that is not among those that are streamed: nothing was concluded. Without a trace, since
 * it is no fault.
 */
final class UnsupportedShape extends Exception {
  UnsupportedShape(String shape) {
    super(shape, null, false, false);
  }
}
