package dev.staithe.s3;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between a client and an engine and does what was asked of it with the next connections:
 * refuses, cuts answers off or loses them. All others pass byte for byte. Thread-safe.
 */
final class FaultyWay implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");

  /** What becomes of one connection. */
  sealed interface Fault {
    /** The engine seems to say this. */
    record Says(int status, String code) implements Fault {}

    /** The connection ends after so many bytes of the answer. */
    record CutsAfter(int bytes) implements Fault {}

    /** The engine does what it is asked, and nobody hears of it. */
    record LosesAnswer() implements Fault {}
  }

  private final ServerSocket listener;
  private final int target;
  private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();

  private FaultyWay(int target) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  static FaultyWay to(int port) {
    try {
      return new FaultyWay(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** For the next connections, one each; those that are open end now. */
  void next(Fault... of) throws IOException {
    for (Socket each : open) {
      each.close();
    }
    faults.addAll(List.of(of));
  }

  /** How many have been made. */
  int connections() {
    return connections.get();
  }

  /** Faults that nobody has met. */
  int left() {
    return faults.size();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    Fault fault = faults.poll();
    open.add(client);
    try (client) {
      if (fault instanceof Fault.Says(int status, String code)) {
        request(client.getInputStream());
        String body = "<Error><Code>" + code + "</Code><Message>no</Message></Error>";
        String head = "HTTP/1.1 %d No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n";
        client
            .getOutputStream()
            .write((head.formatted(status, body.length()) + body).getBytes(StandardCharsets.UTF_8));
        return;
      }
      try (Socket server = new Socket("127.0.0.1", target)) {
        if (fault == null) {
          Thread.ofVirtual().start(() -> forward(client, server));
          forward(server, client);
          return;
        }
        server.getOutputStream().write(request(client.getInputStream()));
        byte[] some = new byte[fault instanceof Fault.CutsAfter(int bytes) ? bytes : 1];
        int n = server.getInputStream().readNBytes(some, 0, some.length);
        if (fault instanceof Fault.CutsAfter) {
          client.getOutputStream().write(some, 0, n);
        }
      }
    } catch (IOException ended) {
      // One of the sides has enough.
    } finally {
      open.remove(client);
    }
  }

  /** One request with its body. */
  private static byte[] request(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 4) {
      int b = in.read();
      if (b < 0) {
        return bytes.toByteArray();
      }
      bytes.write(b);
      ends = b == "\r\n\r\n".charAt(ends) ? ends + 1 : b == '\r' ? 1 : 0;
    }
    Matcher length = LENGTH.matcher(bytes.toString(StandardCharsets.ISO_8859_1));
    bytes.write(in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0));
    return bytes.toByteArray();
  }

  private static void forward(Socket from, Socket to) {
    byte[] buffer = new byte[65536];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
      to.shutdownOutput();
    } catch (IOException closed) {
      // The other direction ended.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket each : open) {
      each.close();
    }
  }
}
