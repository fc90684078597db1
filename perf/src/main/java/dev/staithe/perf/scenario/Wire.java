package dev.staithe.perf.scenario;

import dev.staithe.tls.TlsProvider;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to and from a server, with or without TLS, through direct buffers that are reused.
 * Blocking, not thread-safe.
 */
final class Wire implements AutoCloseable {
  private static final int PLAIN_BUFFER = 1 << 20;

  private final SocketChannel channel;
  private final @Nullable SSLEngine engine;
  private final ByteBuffer encryptedIn;
  private final ByteBuffer encryptedOut;
  private final ByteBuffer in;
  private String cipher = "";

  private Wire(SocketChannel channel, @Nullable SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    int packet = engine == null ? 0 : engine.getSession().getPacketBufferSize();
    this.encryptedIn = ByteBuffer.allocateDirect(packet).limit(0);
    this.encryptedOut = ByteBuffer.allocateDirect(packet);
    this.in =
        ByteBuffer.allocateDirect(
                engine == null ? PLAIN_BUFFER : engine.getSession().getApplicationBufferSize())
            .limit(0);
  }

  /**
   * Connects.
   *
   * @param engine in client mode; absent for no TLS
   */
  static Wire connect(InetAddress address, int port, @Nullable SSLEngine engine)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(new InetSocketAddress(address, port));
      Wire wire = new Wire(channel, engine);
      if (engine != null) {
        wire.handshake(engine);
      }
      return wire;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  String cipher() {
    return cipher;
  }

  private void handshake(SSLEngine tls) throws IOException {
    tls.beginHandshake();
    while (true) {
      HandshakeStatus status = tls.getHandshakeStatus();
      switch (status) {
        case NEED_WRAP -> encrypt(tls, ByteBuffer.allocate(0));
        case NEED_TASK -> {
          Runnable task;
          while ((task = tls.getDelegatedTask()) != null) {
            task.run();
          }
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (!decrypt(tls)) {
            throw new EOFException("closed during the handshake");
          }
        }
        case FINISHED, NOT_HANDSHAKING -> {
          cipher = tls.getSession().getProtocol() + " " + tls.getSession().getCipherSuite();
          return;
        }
      }
    }
  }

  /** Writes all that remains. */
  void write(ByteBuffer data) throws IOException {
    if (engine != null) {
      do {
        encrypt(engine, data);
      } while (data.hasRemaining());
    } else {
      while (data.hasRemaining()) {
        channel.write(data);
      }
    }
  }

  private void encrypt(SSLEngine tls, ByteBuffer data) throws IOException {
    encryptedOut.clear();
    tls.wrap(data, encryptedOut);
    encryptedOut.flip();
    while (encryptedOut.hasRemaining()) {
      channel.write(encryptedOut);
    }
  }

  /** Decrypts at least a record into {@link #in}, which is empty before; false at the end. */
  private boolean decrypt(SSLEngine tls) throws IOException {
    while (true) {
      if (encryptedIn.hasRemaining()) {
        in.clear();
        SSLEngineResult result;
        try {
          result = tls.unwrap(encryptedIn, in);
        } finally {
          in.flip();
        }
        switch (result.getStatus()) {
          case CLOSED -> {
            return in.hasRemaining();
          }
          case OK -> {
            if (result.bytesProduced() > 0
                || result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
              return true;
            }
            if (result.bytesConsumed() > 0) {
              continue;
            }
          }
          case BUFFER_OVERFLOW -> throw new IOException("a record is larger than the buffer");
          case BUFFER_UNDERFLOW -> {}
        }
      }
      encryptedIn.compact();
      int n = channel.read(encryptedIn);
      encryptedIn.flip();
      if (n < 0) {
        return false;
      }
    }
  }

  private boolean fill() throws IOException {
    if (engine != null) {
      do {
        if (!decrypt(engine)) {
          return false;
        }
        answerHandshake(engine);
      } while (!in.hasRemaining());
      return true;
    }
    in.clear();
    int n = channel.read(in);
    in.flip();
    return n > 0;
  }

  /** TLS 1.3 sends tickets and key updates among data (RFC 8446 section 4.6). */
  private void answerHandshake(SSLEngine tls) throws IOException {
    while (true) {
      HandshakeStatus status = tls.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        Runnable task = tls.getDelegatedTask();
        if (task != null) {
          task.run();
        }
      } else if (status == HandshakeStatus.NEED_WRAP) {
        encrypt(tls, ByteBuffer.allocate(0));
      } else {
        return;
      }
    }
  }

  /**
   * What has come next, at most {@code longest} bytes; valid until the next call.
   *
   * @return null at the end
   */
  @Nullable ByteBuffer read(long longest) throws IOException {
    if (!in.hasRemaining() && !fill()) {
      return null;
    }
    int n = (int) Math.min(longest, in.remaining());
    ByteBuffer part = in.slice(in.position(), n);
    in.position(in.position() + n);
    return part;
  }

  /** A line of a head, without its end. */
  String line() throws IOException {
    var line = new StringBuilder(64);
    while (true) {
      if (!in.hasRemaining() && !fill()) {
        throw new EOFException("the connection was closed");
      }
      char c = (char) (in.get() & 0xff);
      if (c == '\n') {
        int end = line.length();
        if (end > 0 && line.charAt(end - 1) == '\r') {
          line.setLength(end - 1);
        }
        return line.toString();
      }
      line.append(c);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // nothing is waited for any more
    }
    if (engine != null) {
      TlsProvider.release(engine);
    }
  }
}
