package dev.staithe.storage.tpc;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** A remote server that misbehaves on demand, which no real one does; on 127.0.0.1. */
final class ScriptedServer implements AutoCloseable {
  /** What it does with a request; an exception ends the connection. */
  interface Script {
    void answer(Request request, Wire wire) throws IOException;
  }

  /** A request's head, names in lower case. */
  record Request(String method, String target, Map<String, String> headers) {
    String header(String name) {
      return headers.get(name);
    }

    int length() {
      return Integer.parseInt(headers.getOrDefault("content-length", "0"));
    }
  }

  /** The connection as a script sees it. */
  record Wire(InputStream in, OutputStream out, Socket socket, CountDownLatch ended) {
    void send(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    void respond(String statusLine, String headers, String body) throws IOException {
      send(
          "HTTP/1.1 "
              + statusLine
              + "\r\n"
              + headers
              + "Content-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
    }

    byte[] read(int bytes) throws IOException {
      return in.readNBytes(bytes);
    }

    /** Waits until the other side closes. */
    void awaitClose() {
      try {
        while (in.read() >= 0) {
          continue;
        }
      } catch (IOException reset) {
        // Closing with bytes unread resets the connection, which is a close as well.
      }
    }

    void close() throws IOException {
      socket.close();
    }

    /** Lets time pass, which is the fault that slow servers have. */
    void pause(long millis) throws IOException {
      try {
        ended.await(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    /** Neither reads nor closes until the server is closed. */
    void awaitEndOfTest() throws IOException {
      try {
        ended.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private final ServerSocket listener;
  private final boolean tls;
  private final Script script;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ended = new CountDownLatch(1);

  private ServerSocket open(SSLContext context) throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    return context == null
        ? new ServerSocket(0, 50, loopback)
        : context.getServerSocketFactory().createServerSocket(0, 50, loopback);
  }

  private ScriptedServer(SSLContext context, Script script) throws IOException {
    this.listener = open(context);
    this.tls = context != null;
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  static ScriptedServer plain(Script script) throws IOException {
    return new ScriptedServer(null, script);
  }

  static ScriptedServer tls(SSLContext context, Script script) throws IOException {
    return new ScriptedServer(context, script);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Wire wire = new Wire(in, socket.getOutputStream(), socket, ended);
      for (Request next = head(in); next != null && !socket.isClosed(); next = head(in)) {
        requests.add(next);
        script.answer(next, wire);
      }
    } catch (IOException gone) {
      // Scripts end connections in every way there is.
    }
  }

  private static Request head(InputStream in) throws IOException {
    String start = line(in);
    if (start.isEmpty()) {
      return null;
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("this is not HTTP");
      }
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, another) -> one + ", " + another);
    }
    String[] parts = start.split(" ");
    return new Request(parts[0], parts[1], headers);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  int port() {
    return listener.getLocalPort();
  }

  String url(String target) {
    return (tls ? "https" : "http") + "://127.0.0.1:" + port() + target;
  }

  /** All requests so far, in the order in which they came. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  List<String> methods() {
    return requests.stream().map(Request::method).toList();
  }

  @Override
  public void close() throws IOException {
    ended.countDown();
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
