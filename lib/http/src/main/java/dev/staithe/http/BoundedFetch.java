package dev.staithe.http;

import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers by the JDK's client, with an end to the bytes of an answer and to the time for all
 * of it. Thread-safe.
 *
 * @param client closed by whoever made it
 * @param whole time until an answer is whole, connecting included
 * @param most bytes of its body
 */
public record BoundedFetch(HttpClient client, Duration whole, long most) {
  /**
   * A client of HTTP/1.1 that follows no redirects.
   *
   * @param trust whom to trust, and what to show; null: the JDK's authorities, and nothing
   */
  public static HttpClient client(@Nullable SSLContext trust, Duration connect) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(connect)
            .followRedirects(HttpClient.Redirect.NEVER);
    return (trust == null ? builder : builder.sslContext(trust)).build();
  }

  /**
   * The whole answer.
   *
   * @throws IOException with one line, which does not name the server; its cause is what the client
   *     threw, {@link HttpTimeoutException} where it was late
   */
  public HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    return send(request, BodyHandlers.ofByteArray());
  }

  /** The same, with a body of another kind. */
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) throws IOException {
    // A request's own limit ends with the answer's head, and a body may trickle. Not the client's
    // asynchronous way: that needs the common pool, which may be full of those who wait here.
    var coming = new FutureTask<>(() -> client.send(request, BodyHandlers.limiting(handler, most)));
    // Nor a virtual thread: the client asks name servers on the one that sends, see HostLookUp.
    Thread.ofPlatform().daemon().name("fetch").start(coming);
    try {
      return coming.get(whole.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw failed(new HttpTimeoutException("no whole answer in time"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw failed(cause);
      }
      throw new IllegalStateException("a request failed by a defect", e.getCause());
    } finally {
      coming.cancel(true);
    }
  }

  private IOException failed(IOException failure) {
    return new IOException(ClientTls.rejection(failure).orElseGet(() -> reason(failure)), failure);
  }

  /** The JDK's own line about certificates names its classes, and no way out. */
  private String reason(IOException failure) {
    String said =
        failure.getMessage() == null ? "" : failure.getMessage().lines().findFirst().orElse("");
    return switch (failure) {
      case HttpTimeoutException late -> "no answer within " + whole.toSeconds() + " s";
      case SSLHandshakeException tls -> "no TLS with it: " + said;
      case ConnectException none -> "nobody listens there";
      default -> said.isEmpty() ? "no answer" : said;
    };
  }
}
