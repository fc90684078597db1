package dev.staithe.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the bytes of responses come from. For one thread. */
interface ByteSource {
  /** The bytes received and not yet consumed; valid until the next {@link #fill}. */
  ByteBuffer input();

  /**
   * Adds received bytes to {@link #input}, at least one; blocks for them.
   *
   * @return bytes added, -1 at the end of the stream
   * @throws HttpFailure where the connection fails, or ends without TLS's closing alert
   */
  int fill() throws IOException;

  /** Has what is filled from now on come in the time of one call, until it is told that no more. */
  default void together(boolean calls) {}
}
