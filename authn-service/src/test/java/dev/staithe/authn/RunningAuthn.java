package dev.staithe.authn;

import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import tools.jackson.databind.JsonNode;

/**
 * A node in this process with everything real: sockets, embedded database, argon2id. Plain HTTP on
 * the loopback address, unless somebody wants TLS.
 */
public final class RunningAuthn implements AutoCloseable {
  /** The password of every user that {@link #user} makes. */
  public static final String PASSWORD = "correct horse battery";

  private final ConfigurableApplicationContext context;
  private final RestClient client;

  private RunningAuthn(
      Path folder,
      Map<String, Object> extra,
      @Nullable Clock clock,
      @Nullable ThrowAwayAuthority authority) {
    int port = FreePort.next();
    URI url = URI.create((authority == null ? "http" : "https") + "://localhost:" + port + "/");
    this.client = authority == null ? new RestClient(url) : new RestClient(url, authority);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", port);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.issuer", url.toString().replaceFirst("/$", ""));
    properties.put("staithe.state", folder.resolve("state"));
    if (authority == null) {
      properties.put("staithe.tls.enabled", false);
    } else {
      ThrowAwayAuthority.Host host = authority.localhost();
      properties.put("staithe.tls.certificate", host.certificate());
      properties.put("staithe.tls.key", host.key());
    }
    properties.put("staithe.audit-log.file", folder.resolve("audit.log"));
    properties.put("staithe.access-log.file", folder.resolve("access.log"));
    properties.put("staithe.login.attempts-per-second", 0);
    // Hashing is tested where it is. Here it would only take time, and on a busy machine much of
    // it:
    // the threads that hash take what nothing else wants.
    properties.put("staithe.login.hash", "paper");
    properties.putAll(extra);
    this.context =
        new SpringApplicationBuilder(AuthnApplication.class)
            // A bean of that name which is there before the configuration is read stays.
            .properties("spring.main.allow-bean-definition-overriding=" + (clock != null))
            .initializers(
                start -> {
                  if (clock != null) {
                    ((GenericApplicationContext) start)
                        .registerBean("clock", Clock.class, () -> clock);
                  }
                })
            .run(
                properties.entrySet().stream()
                    .map(each -> "--" + each.getKey() + "=" + each.getValue())
                    .toArray(String[]::new));
  }

  /** Starts one. */
  public static RunningAuthn start(Path folder, Map<String, Object> extra) {
    return new RunningAuthn(folder, extra, null, null);
  }

  /** One that goes by that clock. */
  public static RunningAuthn start(Path folder, Map<String, Object> extra, Clock clock) {
    return new RunningAuthn(folder, extra, clock, null);
  }

  /** One that has TLS, for clients of the field; they trust that authority. */
  public static RunningAuthn overTls(
      Path folder, ThrowAwayAuthority authority, Map<String, Object> extra) {
    return new RunningAuthn(folder, extra, null, authority);
  }

  /** The same, and it goes by that clock. */
  public static RunningAuthn overTls(
      Path folder, ThrowAwayAuthority authority, Map<String, Object> extra, Clock clock) {
    return new RunningAuthn(folder, extra, clock, authority);
  }

  public URI url() {
    return client.url();
  }

  /** Asks it by REST. */
  public RestClient rest() {
    return client;
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Makes a user. */
  public RunningAuthn user(String name, String... groups) {
    bean(UserAdministration.class)
        .create(
            new NewUser(name, "", null, Set.of(groups), true),
            PASSWORD.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** A session of a user, through the front door. */
  public String login(String name) {
    return client.login(name, PASSWORD);
  }

  public HttpResponse<String> post(String path, String type, String body) {
    return client.post(path, type, body);
  }

  /** With a session token as a bearer. */
  public HttpResponse<String> as(String token, String method, String path, String body) {
    return client.as(token, method, path, body);
  }

  public HttpResponse<String> validate(String token) {
    return client.validate(token);
  }

  /** Whether a token is good by its answer. */
  public boolean isGood(String token) {
    return client.isGood(token);
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    return client.send(request);
  }

  public static JsonNode json(HttpResponse<String> answer) {
    return RestClient.json(answer);
  }

  @Override
  public void close() {
    context.close();
    client.close();
  }
}
