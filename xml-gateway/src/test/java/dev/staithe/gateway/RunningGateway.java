package dev.staithe.gateway;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A gateway in this process with everything real: sockets, TLS, files. */
public final class RunningGateway implements AutoCloseable {
  private final URI url;
  private final Path folder;
  private final ThrowAwayAuthority authority;
  private final ConfigurableApplicationContext context;
  private final HttpClient client;

  private RunningGateway(Path folder, Map<String, Object> extra) {
    this.folder = folder;
    this.authority = ThrowAwayAuthority.in(folder.resolve("tls"), Clock.systemUTC());
    int port = FreePort.next();
    this.url = URI.create("https://localhost:" + port);
    ThrowAwayAuthority.Host host = authority.localhost();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", port);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.url", url);
    properties.put("staithe.state", folder.resolve("state"));
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.tls.key", host.key());
    properties.put("staithe.trust", authority.certificateFile());
    properties.put("staithe.audit-log.file", folder.resolve("audit.log"));
    properties.put("staithe.access-log.file", folder.resolve("access.log"));
    properties.putAll(extra);
    this.context =
        new SpringApplicationBuilder(GatewayApplication.class)
            .run(
                properties.entrySet().stream()
                    .map(each -> "--" + each.getKey() + "=" + each.getValue())
                    .toArray(String[]::new));
    this.client = HttpClient.newBuilder().sslContext(authority.clientContext()).build();
  }

  /** Starts one, whose files are below that folder. */
  public static RunningGateway start(Path folder, Map<String, Object> extra) {
    return new RunningGateway(folder, extra);
  }

  /** Settings of one endpoint. */
  public static Map<String, Object> endpoint(int number, String path, String policy, URI backEnd) {
    String key = "staithe.endpoints[" + number + "].";
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put(key + "path", path);
    settings.put(key + "policy", policy);
    settings.put(key + "back-end", backEnd);
    return settings;
  }

  /** Without a slash at its end. */
  public URI url() {
    return url;
  }

  /** Whom its clients trust. */
  public ThrowAwayAuthority authority() {
    return authority;
  }

  /** What it wrote down so far. */
  public String audit() {
    try {
      return Files.readString(folder.resolve("audit.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it wrote down of that exchange, which comes after the answer. */
  public String audited(HttpResponse<?> answer) {
    String id = "\"request\":\"" + answer.headers().firstValue("X-Request-Id").orElseThrow() + '"';
    Eventually.holds("the audit log has " + id, () -> audit().contains(id));
    return audit().lines().filter(line -> line.contains(id)).findFirst().orElseThrow();
  }

  /** Waits until something is in the part of the audit log that was not there before. */
  public void auditsAfter(String before, String what) {
    Eventually.holds(
        "the audit log goes on with " + what,
        () -> audit().substring(before.length()).contains(what));
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Sends a SOAP 1.1 message. */
  public HttpResponse<String> post(String path, String envelope, String... headers) {
    return send(path, "text/xml;charset=utf-8", envelope, headers);
  }

  /** Sends a message of any type. */
  public HttpResponse<String> send(
      String path, String contentType, String body, String... headers) {
    return send(path, contentType, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** The same, of bytes. */
  public HttpResponse<String> send(
      String path, String contentType, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return exchange(request.build());
  }

  /** Gets a page. */
  public HttpResponse<String> get(String path) {
    return exchange(HttpRequest.newBuilder(URI.create(url + path)).build());
  }

  private HttpResponse<String> exchange(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stops it, while its clients go on. */
  public void stop() {
    context.close();
  }

  @Override
  public void close() {
    client.close();
    context.close();
  }
}
