package dev.staithe.gateway.route;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * A plain SOAP service that keeps what it was sent, and answers as it is told. Of itself it says
 * nothing, until it is given a description.
 */
public final class RecordingService implements AutoCloseable {
  /** What came. */
  public record Seen(Map<String, List<String>> headers, String body) {
    public String header(String name) {
      return String.join(",", headers.getOrDefault(name, List.of()));
    }
  }

  /** How it answers. */
  @FunctionalInterface
  public interface Manner {
    void answer(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile Manner manner;
  private volatile Manner description = with(404, "text/plain", "");

  public RecordingService(Manner first) {
    manner = first;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestMethod().equals("GET")) {
            description.answer(exchange);
            return;
          }
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          seen.add(new Seen(Map.copyOf(exchange.getRequestHeaders()), body));
          manner.answer(exchange);
        });
    server.start();
  }

  /** Answers with that, always. */
  public static Manner with(int status, String type, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    };
  }

  public void answerAs(Manner next) {
    manner = next;
  }

  /** Gives it a description at {@code ?wsdl}. */
  public RecordingService describedBy(String wsdl) {
    description = with(200, "text/xml", wsdl);
    return this;
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/service");
  }

  public List<Seen> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
