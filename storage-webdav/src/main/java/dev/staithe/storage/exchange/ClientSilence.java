package dev.staithe.storage.exchange;

import org.eclipse.jetty.server.Request;

/**
 * What becomes of a client's silence for longer than the idle timeout. Where a read or a write
 * waits for the client Jetty fails that; where none does, the client waits for us.
 */
public final class ClientSilence {
  private ClientSilence() {}

  /** Lets silence count only while a read or a write of that request waits for its client. */
  public static void countsWhileAwaited(Request request) {
    request.addIdleTimeoutListener(
        silence -> {
          countsAnew(request);
          return false;
        });
  }

  /**
   * Lets the time begin again. Jetty looks at a stream of HTTP/2 no more once its time was over,
   * whatever came of that (jetty.project issue 15386): a client that then takes nothing would hold
   * the stream, and what its answer needs, for ever.
   */
  public static void countsAnew(Request request) {
    request.addHttpStreamWrapper(
        stream -> {
          stream.setIdleTimeout(stream.getIdleTimeout());
          return stream;
        });
  }
}
