package dev.staithe.testkit;

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
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server of HTTP/1.1 on this machine and does what was asked of it
 * with the next connections, or with all: refuses, cuts answers off, loses them or lets them drip.
 * All others pass byte for byte. Thread-safe.
 */
public final class FaultyWay implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");

  /** What becomes of one connection. */
  public sealed interface Fault {
    /** The server seems to say this. */
    record Says(int status, String code) implements Fault {}

    /** The same to PUT and POST alone, as one does that has no room; all else passes. */
    record SaysToWrites(int status, String code) implements Fault {}

    /** The connection ends after so many bytes of answers. */
    record CutsAfter(int bytes) implements Fault {}

    /** The server does what it is asked, and nobody hears of it. */
    record LosesAnswer() implements Fault {}

    /** So many bytes of an answer come at once, and the next after a pause of so long. */
    record Drips(int bytes, int pauseMillis) implements Fault {}
  }

  private final ServerSocket listener;
  private final int target;
  private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile @Nullable Fault always;

  private FaultyWay(int target) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  /** One to that port of this machine. */
  public static FaultyWay to(int port) {
    try {
      return new FaultyWay(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** For the next connections, one each; those that are open end now. */
  public void next(Fault... of) throws IOException {
    endOpen();
    faults.addAll(List.of(of));
  }

  /** For every connection from now on, or null for none; those that are open end now. */
  public void always(@Nullable Fault fault) throws IOException {
    always = fault;
    endOpen();
  }

  private void endOpen() throws IOException {
    for (Socket each : open) {
      each.close();
    }
  }

  /** How many have been made. */
  public int connections() {
    return connections.get();
  }

  /** Faults that nobody has met. */
  public int left() {
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
    Fault first = faults.poll();
    Fault fault = first == null ? always : first;
    open.add(client);
    try (client) {
      if (fault instanceof Fault.Says(int status, String code)) {
        request(client.getInputStream());
        say(client, status, code);
        return;
      }
      if (fault instanceof Fault.SaysToWrites(int status, String code)) {
        byte[] request = request(client.getInputStream());
        if (request.length > 0 && request[0] == 'P') {
          say(client, status, code);
        } else {
          passOne(request, client);
        }
        return;
      }
      try (Socket server = new Socket("127.0.0.1", target)) {
        if (fault instanceof Fault.LosesAnswer) {
          server.getOutputStream().write(request(client.getInputStream()));
          server.getInputStream().read();
          return;
        }
        Thread.ofVirtual().start(() -> forward(client, server, null));
        forward(server, client, fault);
      }
    } catch (IOException ended) {
      // One of the sides has enough.
    } finally {
      open.remove(client);
    }
  }

  private static void say(Socket client, int status, String code) throws IOException {
    String body = "<Error><Code>" + code + "</Code><Message>no</Message></Error>";
    String head = "HTTP/1.1 %d No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n";
    client
        .getOutputStream()
        .write((head.formatted(status, body.length()) + body).getBytes(StandardCharsets.UTF_8));
  }

  /** One request, after whose answer the connection ends. */
  private void passOne(byte[] request, Socket client) throws IOException {
    String head = new String(request, StandardCharsets.ISO_8859_1);
    try (Socket server = new Socket("127.0.0.1", target)) {
      server
          .getOutputStream()
          .write(
              head.replaceFirst("\r\n", "\r\nConnection: close\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      server.getInputStream().transferTo(client.getOutputStream());
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

  private static void forward(Socket from, Socket to, @Nullable Fault fault) {
    byte[] buffer = new byte[fault instanceof Fault.Drips(int bytes, _) ? bytes : 65536];
    int left = fault instanceof Fault.CutsAfter(int bytes) ? bytes : Integer.MAX_VALUE;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, Math.min(n, left));
        if (fault instanceof Fault.CutsAfter) {
          left -= n;
          if (left <= 0) {
            return;
          }
        }
        if (fault instanceof Fault.Drips(_, int pauseMillis)) {
          Thread.sleep(pauseMillis); // It is what a slow server does.
        }
      }
      to.shutdownOutput();
    } catch (IOException closed) {
      // The other direction ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    endOpen();
  }
}
