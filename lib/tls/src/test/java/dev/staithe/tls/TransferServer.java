package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty on a free port: gives 64 MiB, takes any, and tells the port of the client. */
final class TransferServer implements AutoCloseable {
  static final int LENGTH = 64 << 20;

  private static final int CHUNK = 256 << 10;
  private static final byte[] BLOCK = new byte[(1 << 20) + 7];

  static {
    new Random(11).nextBytes(BLOCK);
  }

  private final Server server;
  private final ServerConnector connector;
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final BlockingQueue<Connection> closed = new LinkedBlockingQueue<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger uploads = new AtomicInteger();

  TransferServer(ServerTls tls) throws Exception {
    var threads = new QueuedThreadPool(50);
    threads.setDaemon(true);
    var pool = new ArrayByteBufferPool(0, 4096, tls.largestBuffer() + 4096);
    server = new Server(threads, null, pool);
    var ssl = new SslContextFactory.Server();
    ssl.setSslContext(tls.context());
    var configuration = new HttpConfiguration();
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    configuration.setOutputBufferSize(CHUNK);
    configuration.setUseInputDirectByteBuffers(true);
    configuration.setUseOutputDirectByteBuffers(true);
    var http = new HttpConnectionFactory(configuration);
    var secure = new SslConnectionFactory(ssl, "http/1.1");
    secure.setDirectBuffersForEncryption(true);
    secure.setDirectBuffersForDecryption(true);
    connector = new ServerConnector(server, 1, 1, secure, http);
    connector.setHost("127.0.0.1");
    connector.addBean(
        new Connection.Listener() {
          @Override
          public void onOpened(Connection connection) {
            if (connection instanceof SslConnection) {
              opened.incrementAndGet();
            }
          }

          @Override
          public void onClosed(Connection connection) {
            if (connection instanceof SslConnection secured) {
              TlsProvider.release(secured.getSSLEngine());
              closed.add(connection);
            }
          }
        });
    server.addConnector(connector);
    server.setHandler(new Transfers());
    server.start();
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:" + connector.getLocalPort() + "/" + path);
  }

  /** The bytes that {@code /down} gives. */
  static InputStream content() {
    return new InputStream() {
      private int position;

      @Override
      public int read() {
        return position == LENGTH ? -1 : BLOCK[position++ % BLOCK.length] & 0xff;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) {
        if (position == LENGTH) {
          return -1;
        }
        int at = position % BLOCK.length;
        int count = Math.min(Math.min(length, BLOCK.length - at), LENGTH - position);
        System.arraycopy(BLOCK, at, buffer, offset, count);
        position += count;
        return count;
      }
    };
  }

  String contentDigest() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream in = content()) {
      byte[] buffer = new byte[CHUNK];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** What the next upload that fails does so with. */
  Throwable nextFailure() throws InterruptedException {
    return failures.poll(180, TimeUnit.SECONDS);
  }

  int uploads() {
    return uploads.get();
  }

  /** Waits until every connection that was opened is closed. */
  void awaitNoConnections() throws InterruptedException {
    for (int left = opened.getAndSet(0); left > 0; left--) {
      assertThat(closed.poll(180, TimeUnit.SECONDS)).as("a connection that stays open").isNotNull();
    }
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Transfers extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      switch (Request.getPathInContext(request)) {
        case "/down" -> give(response, callback);
        case "/up" -> take(request, response, callback);
        default ->
            Content.Sink.write(
                response, true, String.valueOf(Request.getRemotePort(request)), callback);
      }
      return true;
    }

    private void give(Response response, Callback callback) throws Exception {
      response.getHeaders().put("Content-Length", LENGTH);
      ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
      byte[] bytes = new byte[CHUNK];
      try (InputStream in = content()) {
        for (int left = LENGTH; left > 0; ) {
          int read = in.read(bytes);
          left -= read;
          chunk.clear().put(bytes, 0, read).flip();
          Content.Sink.write(response, left == 0, chunk);
        }
      }
      callback.succeeded();
    }

    private void take(Request request, Response response, Callback callback) throws Exception {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = Content.Source.asInputStream(request)) {
        byte[] buffer = new byte[CHUNK];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          digest.update(buffer, 0, read);
        }
      } catch (Exception e) {
        failures.add(e);
        callback.failed(e);
        return;
      }
      uploads.incrementAndGet();
      byte[] answer = HexFormat.of().formatHex(digest.digest()).getBytes(StandardCharsets.US_ASCII);
      response.write(true, ByteBuffer.wrap(answer), callback);
    }
  }
}
