package dev.staithe.authn;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A program that uses a node, or several behind a load balancer, by REST. Safe for many threads.
 */
public final class RestClient implements AutoCloseable {
  private static final String JSON = "application/json";

  private final URI url;
  private final HttpClient client;

  public RestClient(URI url) {
    this(url, HttpClient.newBuilder());
  }

  /** One that trusts that authority. */
  public RestClient(URI url, ThrowAwayAuthority authority) {
    this(url, HttpClient.newBuilder().sslContext(authority.clientContext()));
  }

  private RestClient(URI url, HttpClient.Builder client) {
    this.url = url;
    this.client =
        client
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Eventually.LONGEST)
            .build();
  }

  public URI url() {
    return url;
  }

  /** A login by headers, whatever comes of it. */
  public HttpResponse<String> attempt(String name, String password) {
    return send(
        HttpRequest.newBuilder(url.resolve("json/authenticate"))
            .header("X-OpenAM-Username", name)
            .header("X-OpenAM-Password", password)
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** The token of a login that must succeed. */
  public String login(String name, String password) {
    HttpResponse<String> answer = attempt(name, password);
    if (answer.statusCode() != 200) {
      throw new AssertionError("login: " + answer.statusCode() + " " + answer.body());
    }
    return json(answer).path("tokenId").asString("");
  }

  public HttpResponse<String> post(String path, String type, String body) {
    return send(
        HttpRequest.newBuilder(url.resolve(path))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(url.resolve(path)).GET());
  }

  /** With a session token as a bearer. */
  public HttpResponse<String> as(String token, String method, String path, String body) {
    return send(
        HttpRequest.newBuilder(url.resolve(path))
            .header("Content-Type", JSON)
            .header("Authorization", "Bearer " + token)
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> logout(String token) {
    return as(token, "POST", "json/sessions?_action=logout", "");
  }

  public HttpResponse<String> validate(String token) {
    return post("json/sessions?_action=validate", JSON, "{\"tokenId\":\"" + token + "\"}");
  }

  public HttpResponse<String> validate(String token, String freshness) {
    return post(
        "json/sessions?_action=validate&freshness=" + freshness,
        JSON,
        "{\"tokenId\":\"" + token + "\"}");
  }

  /** Whether a token is good by its answer. */
  public boolean isGood(String token) {
    return json(validate(token)).path("valid").asBoolean(false);
  }

  /** Whether the node is ready to be asked, as load balancers see it. */
  public boolean isUp() {
    try {
      return get(".staithe/health/status").statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(
          request.timeout(Eventually.LONGEST).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public static JsonNode json(HttpResponse<String> answer) {
    return JsonMapper.shared().readTree(answer.body());
  }

  @Override
  public void close() {
    client.close();
  }
}
