package dev.staithe.delegation.door;

import dev.staithe.pki.Credential;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody with a client certificate and a connection of TLS. */
public final class RestClient implements AutoCloseable {
  private static final char[] NO_PASSWORD = {};

  private final URI url;
  private final HttpClient http;

  private RestClient(URI url, SSLContext tls) {
    this.url = url;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .sslContext(tls)
            .build();
  }

  /** What came back. */
  public record Answer(int status, HttpResponse<String> whole) {
    public String body() {
      return whole.body();
    }

    public JsonNode json() {
      return JsonMapper.shared().readTree(body());
    }

    public String header(String name) {
      return whole.headers().firstValue(name).orElse("");
    }
  }

  /** With that certificate. */
  static RestClient of(URI url, X509Certificate trusted, Credential own) {
    return new RestClient(url, context(trusted, own));
  }

  /** With none. */
  static RestClient anonymous(URI url, X509Certificate trusted) {
    return new RestClient(url, context(trusted, null));
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer json(String method, String path, String body) {
    return send(method, path, body, "Content-Type", "application/json");
  }

  public Answer send(String method, String path, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(url.resolve(path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static SSLContext context(X509Certificate trusted, Credential own) {
    try {
      KeyStore anchors = KeyStore.getInstance("PKCS12");
      anchors.load(null, null);
      anchors.setCertificateEntry("ca", trusted);
      var trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(anchors);
      // In memory only; the other kind would derive a key by ten thousand rounds, twice.
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, null);
      if (own != null) {
        store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
      }
      var keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
