package dev.staithe.cli.campus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A host that answers as a test says: what no real identity provider does on purpose. */
public final class PlayedHost implements AutoCloseable {
  private final HttpServer server;
  private final List<Asked> requests = new CopyOnWriteArrayList<>();
  private volatile Script script = asked -> Answer.html("");

  /** What arrived. */
  public record Asked(
      String method,
      String path,
      String body,
      @Nullable String authorization,
      @Nullable String paos,
      String cookie) {}

  /** What is answered. */
  public record Answer(int status, String type, String body, String location, String setCookie) {
    static Answer html(String body) {
      return new Answer(200, "text/html; charset=utf-8", body, "", "");
    }

    public static Answer xml(String body) {
      return new Answer(200, "text/xml", body, "", "");
    }

    static Answer to(int status, String location) {
      return new Answer(status, "text/plain", "", location, "");
    }

    Answer setting(String cookie) {
      return new Answer(status, type, body, location, cookie);
    }
  }

  /** How it behaves. */
  public interface Script {
    Answer answer(Asked asked);
  }

  public PlayedHost() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  public void plays(Script next) {
    script = next;
  }

  public List<Asked> requests() {
    return requests;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      var asked =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
              headers.getFirst("Authorization"),
              headers.getFirst("PAOS"),
              headers.getFirst("Cookie") == null ? "" : headers.getFirst("Cookie"));
      requests.add(asked);
      Answer answer = script.answer(asked);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      if (!answer.location().isEmpty()) {
        exchange.getResponseHeaders().set("Location", answer.location());
      }
      if (!answer.setCookie().isEmpty()) {
        exchange.getResponseHeaders().set("Set-Cookie", answer.setCookie());
      }
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
