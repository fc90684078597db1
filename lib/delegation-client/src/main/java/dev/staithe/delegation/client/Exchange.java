package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** Sends one request and takes its answer whole, within limits. Follows nothing. Thread-safe. */
final class Exchange {
  /** A service may have to make an RSA key first. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Twelve certificates of RSA 8192 with VOMS attributes are far smaller. */
  private static final int MOST_BYTES = 1 << 20;

  private final BoundedFetch fetch;

  Exchange(HttpClient http) {
    this(http, PATIENCE);
  }

  /**
   * One with its own limit.
   *
   * @param patience until an answer is whole, connecting included
   */
  Exchange(HttpClient http, Duration patience) {
    if (http.followRedirects() != HttpClient.Redirect.NEVER) {
      // A redirect would take the request, and what signs it, to a place that nobody named.
      throw new IllegalArgumentException("a client that follows redirects delegates to strangers");
    }
    this.fetch = new BoundedFetch(http, patience, MOST_BYTES);
  }

  /**
   * What came back.
   *
   * @param location the header of that name; empty where there is none
   */
  record Reply(int status, String type, String location, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  Outcome<Reply> send(String method, URI url, Map<String, String> headers, byte[] body) {
    var request =
        HttpRequest.newBuilder(url)
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .header("User-Agent", "staithe");
    headers.forEach(request::header);
    try {
      HttpResponse<byte[]> answer = fetch.send(request.build());
      return new Outcome.Done<>(
          new Reply(
              answer.statusCode(),
              answer.headers().firstValue("Content-Type").orElse(""),
              answer.headers().firstValue("Location").orElse(""),
              answer.body()));
    } catch (IOException e) {
      return e.getCause() instanceof HttpTimeoutException
          ? Outcome.refused(
              Kind.LATE,
              url.getAuthority() + " gave no answer within " + fetch.whole().toSeconds() + " s")
          : Outcome.refused(
              Kind.UNREACHABLE, url.getAuthority() + " cannot be reached: " + e.getMessage());
    }
  }
}
