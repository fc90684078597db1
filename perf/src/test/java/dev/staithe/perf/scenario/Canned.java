package dev.staithe.perf.scenario;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** A server that answers COPY as it is told, and everything with the same status. */
final class Canned implements AutoCloseable {
  private final HttpServer server;

  Canned(int status, Supplier<String> copied) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] body =
              "COPY".equals(exchange.getRequestMethod())
                  ? copied.get().getBytes(StandardCharsets.UTF_8)
                  : new byte[0];
          exchange.sendResponseHeaders(
              "DELETE".equals(exchange.getRequestMethod()) ? 204 : status,
              body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort() + "/";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
