package dev.staithe.slcs.saml;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
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
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(ANSWER)
            .header("Accept", "application/samlmetadata+xml, application/xml, text/xml")
            .build();
    long end = System.nanoTime() + WHOLE.toNanos();
    try {
      HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
      try (InputStream in = answer.body();
          OutputStream out = Files.newOutputStream(file)) {
        if (answer.statusCode() != 200) {
          throw new IOException(url + " answers " + answer.statusCode());
        }
        byte[] buffer = new byte[64 * 1024];
        long count = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          count += n;
          if (count > LONGEST) {
            throw new IOException(url + " gives more than " + LONGEST + " bytes");
          }
          if (System.nanoTime() > end) {
            throw new IOException(url + " gives for more than " + WHOLE.toMinutes() + " minutes");
          }
          out.write(buffer, 0, n);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(url + " was not waited for", e);
    } catch (IllegalArgumentException e) {
      throw new IOException(url + " is no URL that can be asked", e);
    }
  }
}
