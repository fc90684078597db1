package dev.staithe.delegation;

import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A node in this process with everything real: sockets, TLS, embedded database. */
public final class RunningDelegation implements AutoCloseable {
  private final URI url;
  private final ThrowAwayAuthority authority;
  private final Path audit;
  private final ConfigurableApplicationContext context;

  private RunningDelegation(
      ThrowAwayAuthority authority,
      Path folder,
      int port,
      String name,
      Path trust,
      Map<String, Object> extra) {
    this.authority = authority;
    this.url = URI.create("https://localhost:" + port);
    this.audit = folder.resolve(name + "-audit.log");
    ThrowAwayAuthority.Host host = authority.localhost();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", port);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.url", url);
    properties.put("staithe.state", folder.resolve(name));
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.tls.key", host.key());
    properties.put("staithe.client-certificates.trust", trust);
    properties.put("staithe.audit-log.file", audit);
    properties.put("staithe.access-log.file", folder.resolve(name + "-access.log"));
    // Making them ahead would take the processor from the test.
    properties.put("staithe.keys.pool.size", 0);
    properties.putAll(extra);
    this.context =
        new SpringApplicationBuilder(DelegationApplication.class)
            .run(
                properties.entrySet().stream()
                    .map(each -> "--" + each.getKey() + "=" + each.getValue())
                    .toArray(String[]::new));
  }

  /**
   * Starts one, whose files are below that folder.
   *
   * @param trust the authorities of callers
   */
  public static RunningDelegation start(Path folder, Path trust, Map<String, Object> extra) {
    return new RunningDelegation(
        ThrowAwayAuthority.in(folder.resolve("tls"), Clock.systemUTC()),
        folder,
        extra.get("server.port") instanceof Integer port ? port : FreePort.next(),
        "state",
        trust,
        extra);
  }

  /** Where it listens, without a slash at its end. */
  public URI url() {
    return url;
  }

  /** Whom its clients trust. */
  public ThrowAwayAuthority authority() {
    return authority;
  }

  /** The lines of the audit log. */
  public List<String> audit() {
    try {
      return Files.exists(audit) ? Files.readAllLines(audit) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  @Override
  public void close() {
    context.close();
  }
}
