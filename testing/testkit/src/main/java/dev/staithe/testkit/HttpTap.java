package dev.staithe.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * Stands between a client and a server over plain HTTP, passes everything on byte for byte, and
 * keeps what went by. Thread-safe.
 */
public final class HttpTap implements AutoCloseable {
  /** Those that a client of the JDK sets itself. */
  private static final Set<String> HOP =
      Set.of("connection", "content-length", "host", "expect", "upgrade", "transfer-encoding");

  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Passed> passed = new CopyOnWriteArrayList<>();
  private final URI target;

  /**
   * One exchange.
   *
   * @param path with its query
   * @param contentType of the request; empty without
   */
  public record Passed(
      String path, String contentType, byte[] request, int status, byte[] response) {}

  private HttpTap(HttpServer server, URI target) {
    this.server = server;
    this.target = target;
  }

  /**
   * Starts one.
   *
   * @param target the server's scheme, host and port; paths are passed on
   */
  public static HttpTap before(URI target) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      HttpTap tap = new HttpTap(server, target);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", tap::pass);
      server.start();
      return tap;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clients go instead. */
  public URI url(String path) {
    return URI.create("http://localhost:" + server.getAddress().getPort()).resolve(path);
  }

  /** What has gone by, in the order of its answers. */
  public List<Passed> passed() {
    return List.copyOf(passed);
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] request = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().toString();
      HttpRequest.Builder onward =
          HttpRequest.newBuilder(target.resolve(path))
              .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(request));
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) -> {
                if (!HOP.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                  values.forEach(value -> onward.header(name, value));
                }
              });
      HttpResponse<byte[]> answer =
          client.send(onward.build(), HttpResponse.BodyHandlers.ofByteArray());
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!HOP.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                  exchange.getResponseHeaders().put(name, values);
                }
              });
      String type = exchange.getRequestHeaders().getFirst("Content-Type");
      passed.add(
          new Passed(path, type == null ? "" : type, request, answer.statusCode(), answer.body()));
      int length = answer.body().length;
      exchange.sendResponseHeaders(answer.statusCode(), length == 0 ? -1 : length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }
}
