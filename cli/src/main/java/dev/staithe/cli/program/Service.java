package dev.staithe.cli.program;

import dev.staithe.http.BoundedFetch;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The authn-service, or a storage element, as the command sees it. Not thread-safe. */
public final class Service implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LARGEST = 64 << 20;

  private final URI url;
  private final @Nullable String token;
  private final @Nullable ClientTls tls;
  private final HttpClient client;

  /** An answer that is no success; the message is one line. */
  public static final class Refusal extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String error;

    Refusal(int status, String error, String line) {
      super(line);
      this.status = status;
      this.error = error;
    }

    /** The error's name, where OAuth gives one (RFC 6749 section 5.2); else empty. */
    public String error() {
      return error;
    }

    public int status() {
      return status;
    }
  }

  private Service(URI url, @Nullable String token, @Nullable ClientTls tls) {
    this.url = url;
    this.token = token;
    this.tls = tls;
    this.client = BoundedFetch.client(tls == null ? null : tls.context(), PATIENCE);
  }

  /**
   * Opens nothing yet.
   *
   * @param trust a PEM file or folder of trusted authorities; empty for those of the JDK
   * @throws IOException where the address or the authorities cannot be used
   */
  public static Service at(String address, String trust, @Nullable String token, Clock clock)
      throws IOException {
    URI url = Addresses.service(address);
    return new Service(url, token, ServerTrust.tls(trust, clock));
  }

  /** Asks; a {@link Refusal} where the answer is no success. */
  public JsonNode get(String path) throws IOException {
    return sent("GET", path, null, Map.of());
  }

  /** Deletes; a {@link Refusal} where the answer is no success. */
  public JsonNode delete(String path) throws IOException {
    return sent("DELETE", path, null, Map.of());
  }

  /** Sends JSON. */
  public JsonNode send(String method, String path, @Nullable Object body) throws IOException {
    return sent(
        method,
        path,
        body == null ? "" : JsonMapper.shared().writeValueAsString(body),
        Map.of("Content-Type", "application/json"));
  }

  /**
   * The same, with more fields.
   *
   * @param fields by name
   */
  public JsonNode send(String method, String path, Object body, Map<String, String> fields)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>(fields);
    all.put("Content-Type", "application/json");
    return sent(method, path, JsonMapper.shared().writeValueAsString(body), all);
  }

  /** Sends a form. */
  public JsonNode form(String path, Map<String, String> fields) throws IOException {
    var text = new StringBuilder();
    fields.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? "" : "&").append(name).append('=').append(encoded(value)));
    return sent(
        "POST", path, text.toString(), Map.of("Content-Type", "application/x-www-form-urlencoded"));
  }

  /** As a path segment or a form's value. */
  public static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private JsonNode sent(
      String method, String path, @Nullable String body, Map<String, String> headers)
      throws IOException {
    var request =
        HttpRequest.newBuilder(url.resolve(path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    request.header("User-Agent", "staithe");
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> answer;
    try {
      answer =
          new BoundedFetch(client, PATIENCE, LARGEST)
              .send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw Unreachable.of(url.toString(), e);
    }
    return judged(answer);
  }

  private static JsonNode judged(HttpResponse<String> answer) throws IOException {
    boolean good = answer.statusCode() / 100 == 2;
    JsonNode body;
    try {
      body = JsonMapper.shared().readTree(answer.body().isEmpty() ? "{}" : answer.body());
    } catch (JacksonException e) {
      if (good) {
        // A page of whoever stands there instead, which has done nothing.
        throw new IOException(
            Addresses.host(answer.uri()) + " answers no JSON: is that the address of the service?",
            e);
      }
      body = JsonMapper.shared().createObjectNode();
    }
    if (good) {
      return body;
    }
    String message = body.path("message").asString("");
    if (message.isEmpty()) {
      message = body.path("error_description").asString(body.path("error").asString(""));
    }
    if (message.isEmpty() && !answer.body().stripLeading().matches("(?s)[<{\\[].*")) {
      // Neither a page nor JSON: a storage element refuses with one line of plain text.
      message = answer.body().lines().findFirst().orElse("");
    }
    message = Page.oneLine(message);
    throw new Refusal(
        answer.statusCode(),
        body.path("error").asString(""),
        "HTTP " + answer.statusCode() + (message.isEmpty() ? "" : ": " + message));
  }

  @Override
  public void close() {
    client.close();
    if (tls != null) {
      tls.close();
    }
  }
}
