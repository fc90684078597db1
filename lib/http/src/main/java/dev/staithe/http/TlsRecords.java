package dev.staithe.http;

import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/**
 * TLS over a socket, by an engine in client mode: records are opened into the socket's input, and
 * sealed out of what is written. For the socket's thread.
 */
final class TlsRecords {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final HttpSocket socket;
  private final ByteBuffer plainIn;
  private final ByteBuffer networkIn;
  private final ByteBuffer networkOut;

  /** Whether the other side said that nothing more comes. */
  private boolean ended;

  /**
   * Between a socket and its input.
   *
   * @param plainIn in writing state whenever something is opened
   */
  TlsRecords(
      SSLEngine engine,
      HttpSocket socket,
      ByteBuffer plainIn,
      ByteBuffer networkIn,
      ByteBuffer networkOut) {
    this.engine = engine;
    this.socket = socket;
    this.plainIn = plainIn;
    this.networkIn = networkIn.clear().limit(0);
    this.networkOut = networkOut;
  }

  /** What has come and was not opened, in reading state. */
  ByteBuffer input() {
    return networkIn;
  }

  boolean isEnded() {
    return ended;
  }

  /** Makes the session. */
  void handshake() throws IOException {
    engine.beginHandshake();
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> write(NOTHING);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          boolean over = open() == 0 && !ended && awaitsRecords() && socket.receive(networkIn) < 0;
          if ((over || ended) && awaitsRecords()) {
            throw new IOException("the connection was closed during the TLS handshake");
          }
        }
        default -> {
          return;
        }
      }
    }
  }

  private boolean awaitsRecords() {
    return switch (engine.getHandshakeStatus()) {
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> true;
      default -> false;
    };
  }

  /**
   * Waits until something can be opened.
   *
   * @return bytes that were added to the input; -1 at the end, of which the other side has told
   *     where {@link #isEnded}
   */
  int read() throws IOException {
    while (true) {
      // An engine may hold what it could not hand out: ask it before the network.
      int opened = open();
      if (opened > 0 || ended) {
        return opened > 0 ? opened : -1;
      }
      if (socket.receive(networkIn) < 0) {
        ended = engine.isInboundDone();
        return -1;
      }
    }
  }

  /** Opens all records received so far; bytes that were added to the input. */
  int open() throws IOException {
    int total = 0;
    while (true) {
      SSLEngineResult result = engine.unwrap(networkIn, plainIn);
      total += result.bytesProduced();
      switch (result.getStatus()) {
        case CLOSED -> {
          ended = true;
          return total;
        }
        case BUFFER_OVERFLOW -> {
          if (total == 0 && plainIn.position() == 0) {
            throw new IllegalStateException("a TLS record is larger than the buffer");
          }
          return total;
        }
        case BUFFER_UNDERFLOW -> {
          return total;
        }
        case OK -> {}
      }
      switch (result.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> write(NOTHING);
        case FINISHED -> {}
        default -> {
          if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
            return total;
          }
        }
      }
    }
  }

  /** Seals as many records as fit into one buffer and sends them. */
  void write(ByteBuffer plain) throws IOException {
    networkOut.clear();
    while (true) {
      SSLEngineResult result = engine.wrap(plain, networkOut);
      if (result.getStatus() == SSLEngineResult.Status.CLOSED && result.bytesProduced() == 0) {
        if (networkOut.position() > 0) {
          break;
        }
        throw new IOException("the TLS session was closed by the other side");
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
        if (networkOut.position() == 0) {
          throw new IllegalStateException("a TLS record is larger than the buffer");
        }
        break;
      }
      if (!plain.hasRemaining()) {
        break;
      }
    }
    networkOut.flip();
    socket.send(networkOut);
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /** The closing alert. */
  ByteBuffer goodbye() throws IOException {
    engine.closeOutbound();
    networkOut.clear();
    engine.wrap(NOTHING, networkOut);
    return networkOut.flip();
  }

  /** The engine, which is of no use afterwards. */
  void release() {
    TlsProvider.release(engine);
  }
}
