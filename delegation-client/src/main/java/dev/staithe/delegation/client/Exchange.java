package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Sends one request and takes its answer whole, within limits. Follows nothing. Thread-safe. */
final class Exchange {
  /** A service may have to make an RSA key first. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Twelve certificates of RSA 8192 with VOMS attributes are far smaller. */
  private static final int MOST_BYTES = 1 << 20;

  private final HttpClient http;
  private final Duration patience;

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
    this.http = http;
    this.patience = patience;
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
            .timeout(patience)
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .header("User-Agent", "staithe");
    headers.forEach(request::header);
    // The request's own limit ends with the answer's head, and a body may trickle. Not the client's
    // asynchronous way: that needs the common pool, which may be full of those who wait here.
    var coming =
        new FutureTask<HttpResponse<byte[]>>(
            () ->
                http.send(
                    request.build(),
                    BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES)));
    Thread.ofVirtual().start(coming);
    try {
      HttpResponse<byte[]> answer = coming.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return new Outcome.Done<>(
          new Reply(
              answer.statusCode(),
              answer.headers().firstValue("Content-Type").orElse(""),
              answer.headers().firstValue("Location").orElse(""),
              answer.body()));
    } catch (InterruptedException e) {
      coming.cancel(true);
      Thread.currentThread().interrupt();
      return Outcome.refused(Kind.UNREACHABLE, url.getAuthority() + " was not waited for");
    } catch (TimeoutException e) {
      coming.cancel(true);
      return late(url);
    } catch (ExecutionException e) {
      return broken(url, e.getCause());
    }
  }

  private Outcome<Reply> late(URI url) {
    return Outcome.refused(
        Kind.LATE, url.getAuthority() + " gave no answer within " + patience.toSeconds() + " s");
  }

  private Outcome<Reply> broken(URI url, @Nullable Throwable why) {
    if (why instanceof HttpTimeoutException) {
      return late(url);
    }
    if (why instanceof IOException e) {
      return Outcome.refused(
          Kind.UNREACHABLE,
          url.getAuthority()
              + " cannot be reached: "
              + ClientTls.rejection(e).orElseGet(() -> reason(e)));
    }
    throw new IllegalStateException("a request failed by a defect", why);
  }

  /** The JDK's own line about certificates names its classes, and no way out. */
  private static String reason(IOException e) {
    if (e instanceof SSLHandshakeException) {
      return "no TLS with it: " + (e.getMessage() == null ? "" : e.getMessage());
    }
    if (e instanceof ConnectException) {
      return "nobody listens there";
    }
    return e.getMessage() == null ? "no answer" : e.getMessage();
  }
}
