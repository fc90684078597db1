package dev.staithe.cli.campus;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Cookies;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.ServerTrust;
import dev.staithe.cli.program.Unreachable;
import dev.staithe.http.BoundedFetch;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for pages with cookies, one after the other, and follows nothing by itself: what is done
 * with a redirect is decided where it is known what would travel along. Only https, or this
 * machine. Not thread-safe.
 */
final class Browser implements AutoCloseable {
  /** For a whole answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Login pages with everything inside are below 1 MiB. */
  private static final long LARGEST = 4L * 1024 * 1024;

  private final URI service;
  private final Cookies cookies;
  private final Duration patience;
  private final @Nullable ClientTls tls;
  private final HttpClient usual;
  private final @Nullable HttpClient own;
  private final Set<String> ownHosts = new HashSet<>();

  /**
   * Opens nothing yet.
   *
   * @param service is believed by the given authorities only, where there are any; other hosts by
   *     those of the JDK or by the given ones
   * @param trust a PEM file or folder of authorities; empty for those of the JDK
   * @throws IOException where the authorities cannot be read
   */
  Browser(URI service, String trust, Cookies cookies, Clock clock) throws IOException {
    this(service, trust, cookies, clock, PATIENCE);
  }

  /** With another patience. */
  Browser(URI service, String trust, Cookies cookies, Clock clock, Duration patience)
      throws IOException {
    this.service = service;
    this.cookies = cookies;
    this.patience = patience;
    this.tls = ServerTrust.tls(trust, clock);
    this.usual = BoundedFetch.client(null, patience);
    this.own = tls == null ? null : BoundedFetch.client(tls.context(), patience);
  }

  Cookies cookies() {
    return cookies;
  }

  Page get(URI address, Map<String, String> headers) throws IOException {
    return send("GET", address, null, headers);
  }

  Page post(URI address, String type, String body, Map<String, String> headers) throws IOException {
    var all = new java.util.HashMap<>(headers);
    all.put("Content-Type", type);
    return send("POST", address, body, all);
  }

  /** As somebody whom the host does not know. */
  Page getAsStranger(URI address, Map<String, String> headers) throws IOException {
    return send("GET", address, null, headers, "");
  }

  /** Any request; a body goes as UTF-8. */
  Page send(String method, URI address, @Nullable String body, Map<String, String> headers)
      throws IOException {
    return send(method, address, body, headers, cookies.header(address));
  }

  private Page send(
      String method,
      URI address,
      @Nullable String body,
      Map<String, String> headers,
      String carried)
      throws IOException {
    if (!Addresses.isSafe(address)) {
      throw new IOException(
          "the login leads to "
              + Page.oneLine(address.toString())
              + ", which is not https: nothing is sent there");
    }
    var request =
        HttpRequest.newBuilder(withoutFragment(address))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::setHeader);
    request.setHeader("User-Agent", "staithe");
    if (!carried.isEmpty()) {
      request.setHeader("Cookie", carried);
    }
    HttpResponse<byte[]> answer = exchange(address, request.build());
    cookies.take(address, answer.headers().allValues("Set-Cookie"));
    String type = answer.headers().firstValue("Content-Type").orElse("");
    return new Page(
        address,
        answer.statusCode(),
        Page.type(type),
        new String(
            answer.body(),
            type.toLowerCase(java.util.Locale.ROOT).contains("iso-8859-1")
                ? StandardCharsets.ISO_8859_1
                : StandardCharsets.UTF_8),
        answer
            .headers()
            .firstValue("Location")
            .map(location -> Addresses.resolve(address, location))
            .orElse(null));
  }

  private HttpResponse<byte[]> exchange(URI address, HttpRequest request) throws IOException {
    String host = Addresses.host(address);
    HttpClient given = own;
    if (given == null) {
      return exchange(usual, host, request);
    }
    if (Addresses.sameOrigin(address, service) || ownHosts.contains(host)) {
      return exchange(given, host, request);
    }
    try {
      return exchange(usual, host, request);
    } catch (IOException e) {
      Throwable fetch = e.getCause();
      if (fetch == null || !(fetch.getCause() instanceof SSLHandshakeException)) {
        throw e;
      }
      // Nothing was sent before the handshake failed.
      HttpResponse<byte[]> answer = exchange(given, host, request);
      ownHosts.add(host);
      return answer;
    }
  }

  private HttpResponse<byte[]> exchange(HttpClient client, String host, HttpRequest request)
      throws IOException {
    try {
      return new BoundedFetch(client, patience, LARGEST).send(request);
    } catch (IOException e) {
      throw Unreachable.of(host, e);
    }
  }

  private static URI withoutFragment(URI address) {
    String text = address.toString();
    int fragment = text.indexOf('#');
    return fragment < 0 ? address : URI.create(text.substring(0, fragment));
  }

  @Override
  public void close() {
    usual.close();
    if (own != null) {
      own.close();
    }
    if (tls != null) {
      tls.close();
    }
  }
}
