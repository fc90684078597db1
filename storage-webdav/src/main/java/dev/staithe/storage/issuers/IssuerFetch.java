package dev.staithe.storage.issuers;

import com.nimbusds.jose.jwk.JWKSet;
import dev.staithe.http.BoundedFetch;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Fetches an issuer's keys: OpenID Connect Discovery 1.0 section 4, or RFC 8414 section 3 where the
 * issuer has none, then the {@code jwks_uri} named there. Only https with verified certificates, at
 * most 1 MiB, redirects only within one origin.
 */
final class IssuerFetch implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration WHOLE_ANSWER = Duration.ofSeconds(15);
  private static final int LONGEST_ANSWER = 1 << 20;
  private static final int MOST_REDIRECTS = 3;

  private final BoundedFetch fetch;

  IssuerFetch(SSLContext ssl) {
    fetch = new BoundedFetch(BoundedFetch.client(ssl, CONNECT), WHOLE_ANSWER, LONGEST_ANSWER);
  }

  /**
   * The issuer's keys as they are now.
   *
   * @throws IOException with one line, safe to show to operators
   */
  JWKSet fetch(TrustedIssuer issuer) throws IOException {
    URI jwks = issuer.jwksUri() == null ? discover(issuer) : issuer.jwksUri();
    Answer answer = get(issuer, jwks);
    if (answer.status() != 200) {
      throw new IOException(jwks + " answered " + answer.status());
    }
    try {
      return SigningKeys.parse(answer.body());
    } catch (ParseException e) {
      throw new IOException(jwks + ": " + e.getMessage(), e);
    }
  }

  private URI discover(TrustedIssuer issuer) throws IOException {
    String base = issuer.issuer().replaceFirst("/$", "");
    URI openid = URI.create(base + "/.well-known/openid-configuration");
    Answer answer = get(issuer, openid);
    URI source = openid;
    if (answer.status() != 200) {
      URI uri = URI.create(base);
      source =
          URI.create(
              uri.getScheme()
                  + "://"
                  + uri.getRawAuthority()
                  + "/.well-known/oauth-authorization-server"
                  + uri.getRawPath());
      int first = answer.status();
      answer = get(issuer, source);
      if (answer.status() != 200) {
        throw new IOException(
            openid + " answered " + first + ", " + source + " answered " + answer.status());
      }
    }
    return jwksUri(issuer, source, answer.body());
  }

  private static URI jwksUri(TrustedIssuer issuer, URI source, String body) throws IOException {
    Map<String, Object> metadata;
    try {
      metadata = Json.object(body);
    } catch (ParseException e) {
      throw new IOException(source + " is not JSON", e);
    }
    // Without this check one issuer could speak for another (RFC 8414 section 3.3).
    if (!issuer.issuer().equals(metadata.get("issuer"))) {
      throw new IOException(
          source
              + " is of the issuer "
              + ForeignText.shown(String.valueOf(metadata.get("issuer")))
              + ", not of "
              + issuer.issuer());
    }
    if (metadata.get("jwks_uri") instanceof String written) {
      try {
        URI uri = URI.create(written);
        if (issuer.permits(uri)) {
          return uri;
        }
      } catch (IllegalArgumentException noUri) {
        // told below
      }
    }
    throw new IOException(
        source
            + " has no https jwks_uri: "
            + ForeignText.shown(String.valueOf(metadata.get("jwks_uri"))));
  }

  private record Answer(int status, String body) {}

  private Answer get(TrustedIssuer issuer, URI start) throws IOException {
    URI uri = start;
    for (int redirects = 0; ; redirects++) {
      HttpResponse<byte[]> response = send(uri);
      int status = response.statusCode();
      if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
        return new Answer(status, new String(response.body(), StandardCharsets.UTF_8));
      }
      if (redirects == MOST_REDIRECTS) {
        throw new IOException(start + " redirects more than " + MOST_REDIRECTS + " times");
      }
      String location = response.headers().firstValue("Location").orElse("");
      URI next;
      try {
        next = uri.resolve(location);
      } catch (IllegalArgumentException e) {
        throw new IOException(uri + " redirects to " + ForeignText.shown(location), e);
      }
      if (!issuer.permits(next) || !sameOrigin(uri, next)) {
        throw new IOException(
            uri + " redirects to another origin: " + ForeignText.shown(next.toString()));
      }
      uri = next;
    }
  }

  private static boolean sameOrigin(URI one, URI other) {
    return one.getScheme().equalsIgnoreCase(other.getScheme())
        && one.getHost().equalsIgnoreCase(other.getHost())
        && port(one) == port(other);
  }

  private static int port(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equalsIgnoreCase("http") ? 80 : 443;
  }

  private HttpResponse<byte[]> send(URI uri) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", "application/json").build();
    try {
      return fetch.send(request);
    } catch (IOException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      String told = ClientTls.rejection(cause).map(ForeignText::shown).orElse(reason(cause));
      throw new IOException(uri + ": " + told, e);
    }
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case HttpConnectTimeoutException timeout -> "connection timed out";
      case HttpTimeoutException late -> "no whole answer within " + WHOLE_ANSWER.toSeconds() + " s";
      case ConnectException connect -> "cannot connect";
      case SSLException tls -> "TLS failed: " + line(tls);
      default -> line(failure);
    };
  }

  private static String line(Throwable failure) {
    return ForeignText.shown(
        Objects.requireNonNullElse(failure.getMessage(), failure.getClass().getSimpleName()));
  }

  @Override
  public void close() {
    fetch.client().shutdownNow();
  }
}
