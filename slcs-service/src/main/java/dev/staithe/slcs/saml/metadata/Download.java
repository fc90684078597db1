package dev.staithe.slcs.saml.metadata;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Fetches metadata over https, no more than a limit and no longer than a time. Thread-safe. */
final class Download {
  /** Aggregates of all the world are a third of it. */
  static final long LONGEST = 256L << 20;

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration WHOLE = Duration.ofMinutes(10);

  private final HttpClient client;

  /**
   * @param trust whom to trust; null: the JDK's authorities
   */
  Download(@Nullable SSLContext trust) {
    var builder =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            // From https to http is refused by this choice.
            .followRedirects(HttpClient.Redirect.NORMAL);
    if (trust != null) {
      builder.sslContext(trust);
    }
    this.client = builder.build();
  }

  static boolean isUrl(String location) {
    return location.startsWith("https://");
  }

  /**
   * Writes what is at a URL into a file.
   *
   * @throws IOException with one line where that fails
   */
  void to(String url, Path file) throws IOException {
    HttpRequest request;
    try {
      request =
          HttpRequest.newBuilder(URI.create(url))
              .timeout(ANSWER)
              .header("Accept", "application/samlmetadata+xml, application/xml, text/xml")
              .build();
    } catch (IllegalArgumentException e) {
      throw new IOException(url + " is no URL that can be asked", e);
    }
    try {
      int status =
          new BoundedFetch(client, WHOLE, LONGEST)
              .send(
                  request,
                  answer ->
                      answer.statusCode() == 200
                          ? BodySubscribers.ofFile(file, CREATE, WRITE, TRUNCATE_EXISTING)
                          : BodySubscribers.replacing(file))
              .statusCode();
      if (status != 200) {
        throw new IOException("it answers " + status);
      }
    } catch (IOException e) {
      throw new IOException(url + ": " + e.getMessage(), e);
    }
  }
}
