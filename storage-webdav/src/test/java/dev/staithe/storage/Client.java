package dev.staithe.storage;

import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;

/**
 * Many requests at once from one process, where a {@code curl} each would cost more than the server
 * under test. Thread-safe.
 */
final class Client implements AutoCloseable {
  private final HttpClient http;
  private final String token;

  /** What came back. */
  record Answer(int status, String text, Optional<String> retryAfter) {}

  Client(ThrowAwayAuthority authority, String token) {
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(authority.clientContext())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    this.token = token;
  }

  private HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url))
        .timeout(Duration.ofMinutes(4))
        .header("Authorization", "Bearer " + token);
  }

  /** Uploads those bytes. */
  Answer put(String url, byte[] content) throws IOException {
    return send(request(url).PUT(HttpRequest.BodyPublishers.ofByteArray(content)));
  }

  /** Uploads what the stream gives, in chunks. */
  Answer put(String url, InputStream content) throws IOException {
    return send(request(url).PUT(HttpRequest.BodyPublishers.ofInputStream(() -> content)));
  }

  /** Downloads. */
  Answer get(String url) throws IOException {
    return send(request(url).GET());
  }

  /** Lets the server at {@code url} pull from {@code source}, for which the same token is good. */
  Answer pull(String url, String source) throws IOException {
    return send(copy(url).header("Source", source));
  }

  /** The same by so many streams, small files too where the server's settings let them. */
  Answer pull(String url, String source, int streams) throws IOException {
    return send(
        copy(url).header("Source", source).header("X-Number-Of-Streams", String.valueOf(streams)));
  }

  /** Lets the server at {@code url} push to {@code destination}. */
  Answer push(String url, String destination) throws IOException {
    return send(copy(url).header("Destination", destination));
  }

  private HttpRequest.Builder copy(String url) {
    return request(url)
        .method("COPY", HttpRequest.BodyPublishers.noBody())
        .header("Credential", "none")
        .header("TransferHeaderAuthorization", "Bearer " + token);
  }

  private Answer send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(
          response.statusCode(), response.body(), response.headers().firstValue("Retry-After"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }

  /** Breaks off all that is under way. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
