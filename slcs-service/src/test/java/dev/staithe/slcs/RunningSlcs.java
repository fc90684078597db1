package dev.staithe.slcs;

import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A node in this process with everything real: sockets, TLS, embedded database. */
public final class RunningSlcs implements AutoCloseable {
  private final URI url;
  private final ThrowAwayAuthority authority;
  private final ConfigurableApplicationContext context;

  private RunningSlcs(
      ThrowAwayAuthority authority, Path folder, int port, String name, Map<String, Object> extra) {
    this.authority = authority;
    this.url = URI.create("https://localhost:" + port);
    ThrowAwayAuthority.Host host = authority.localhost();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", port);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.url", url);
    properties.put("staithe.state", folder.resolve(name));
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.tls.key", host.key());
    properties.put("staithe.audit-log.file", folder.resolve(name + "-audit.log"));
    properties.put("staithe.access-log.file", folder.resolve(name + "-access.log"));
    properties.putAll(extra);
    this.context =
        new SpringApplicationBuilder(SlcsApplication.class)
            .run(
                properties.entrySet().stream()
                    .map(each -> "--" + each.getKey() + "=" + each.getValue())
                    .toArray(String[]::new));
  }

  /** Starts one, whose files are below that folder. */
  public static RunningSlcs start(Path folder, Map<String, Object> extra) {
    return new RunningSlcs(authority(folder), folder, FreePort.next(), "state", extra);
  }

  /** Starts one at a port, for tests that must know its URL before. */
  public static RunningSlcs start(Path folder, int port, Map<String, Object> extra) {
    return new RunningSlcs(authority(folder), folder, port, "state-" + port, extra);
  }

  /** Starts one more node, with a certificate of the same authority. */
  public RunningSlcs another(Path folder, Map<String, Object> extra) {
    int port = FreePort.next();
    return new RunningSlcs(authority, folder, port, "state-" + port, extra);
  }

  private static ThrowAwayAuthority authority(Path folder) {
    return ThrowAwayAuthority.in(folder.resolve("tls"), Clock.systemUTC());
  }

  /** Without a slash at its end. */
  public URI url() {
    return url;
  }

  /** Whom its clients trust. */
  public ThrowAwayAuthority authority() {
    return authority;
  }

  /** A client with cookies of its own. */
  public TestBrowser browser() {
    return new TestBrowser(url, authority.clientContext());
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  @Override
  public void close() {
    context.close();
  }
}
