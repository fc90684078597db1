package dev.staithe.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;

/** An engine that answers as a test says, and a client of its bucket. */
final class ScriptedEngine implements AutoCloseable {
  private final HttpServer server;
  private final RenewedCredentials credentials;
  private final S3Client client;

  /** By the keys of a file, see {@link #keys}. */
  ScriptedEngine(Path keys, HttpHandler script) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/bucket", script);
    server.start();
    credentials = new RenewedCredentials(keys, Duration.ZERO, Clock.systemUTC());
    client =
        EngineContract.client(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "bucket", credentials);
  }

  /** Writes a file with keys, and more lines behind them. */
  static Path keys(Path folder, String more) throws IOException {
    Path file = folder.resolve("credentials");
    Files.writeString(file, "[default]\naws_access_key_id = a\naws_secret_access_key = b\n" + more);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** Answers with a document. */
  static void answer(HttpExchange exchange, String document) throws IOException {
    byte[] answer = document.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  RenewedCredentials credentials() {
    return credentials;
  }

  S3Client client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    credentials.close();
    server.stop(0);
  }
}
