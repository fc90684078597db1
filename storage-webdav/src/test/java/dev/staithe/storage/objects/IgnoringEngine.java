package dev.staithe.storage.objects;

import dev.staithe.peers.VersityServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Versity gateway, but for one thing that it does as Ceph's does: a completion of an upload in
 * parts replaces what is there, whatever its condition. What is there is removed before the gateway
 * can judge; and a completion waits a while for another one, so that those of two servers meet.
 * Thread-safe.
 */
final class IgnoringEngine implements AutoCloseable {
  private static final int LONGEST_MILLIS = 2_000;
  private static final int LOOK_MILLIS = 20;
  private static final Pattern COMPLETION = Pattern.compile("POST /([^? ]+)\\?uploadId=");
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");

  private final VersityServer engine;
  private final ServerSocket listener;
  private final AtomicInteger completing = new AtomicInteger();

  IgnoringEngine(VersityServer engine) {
    this.engine = engine;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  /** One request of each connection. */
  private void serve(Socket client) {
    try (client;
        Socket server = new Socket("127.0.0.1", engine.port())) {
      String head = head(client.getInputStream());
      Matcher completion = COMPLETION.matcher(head);
      if (completion.lookingAt()) {
        meet();
        Files.deleteIfExists(engine.dataFolder().resolve(completion.group(1)));
      }
      String once = head.replaceFirst("\r\n", "\r\nConnection: close\r\n");
      server.getOutputStream().write(once.getBytes(StandardCharsets.ISO_8859_1));
      Matcher length = LENGTH.matcher(head);
      long left = length.find() ? Long.parseLong(length.group(1)) : 0;
      byte[] buffer = new byte[1 << 16];
      while (left > 0) {
        int n = client.getInputStream().read(buffer, 0, (int) Math.min(left, buffer.length));
        if (n < 0) {
          return;
        }
        server.getOutputStream().write(buffer, 0, n);
        left -= n;
      }
      server.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException | InterruptedException ended) {
      // One of the sides has enough.
    }
  }

  private void meet() throws InterruptedException {
    completing.incrementAndGet();
    for (int waited = 0; completing.get() < 2 && waited < LONGEST_MILLIS; waited += LOOK_MILLIS) {
      Thread.sleep(LOOK_MILLIS);
    }
    Thread.sleep(2 * LOOK_MILLIS); // The other one sees it too.
    completing.decrementAndGet();
  }

  /** Whether a completion has come and waits. */
  boolean isCompleting() {
    return completing.get() > 0;
  }

  private static String head(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 4) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("no request");
      }
      bytes.write(b);
      ends = b == "\r\n\r\n".charAt(ends) ? ends + 1 : b == '\r' ? 1 : 0;
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
