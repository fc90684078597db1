package dev.staithe.service;

import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The service of these tests in this process, with TLS. */
public final class RunningSample implements AutoCloseable {
  private final ThrowAwayAuthority authority;
  private final ConfigurableApplicationContext context;

  public RunningSample(Path folder, Map<String, Object> extra) {
    authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", 0);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.tls.certificate", host.certificate());
    properties.put("staithe.tls.key", host.key());
    properties.putAll(extra);
    context =
        new SpringApplicationBuilder(SampleApplication.class)
            .run(
                properties.entrySet().stream()
                    .map(e -> "--" + e.getKey() + "=" + e.getValue())
                    .toArray(String[]::new));
  }

  public int port() {
    return ((WebServerApplicationContext) context).getWebServer().getPort();
  }

  /** A connection by TLS that keeps to no rule. */
  public SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket) authority.clientContext().getSocketFactory().createSocket("127.0.0.1", port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  public Curl curl(String path) {
    return Curl.to("https://localhost:" + port() + path).trusting(authority);
  }

  @Override
  public void close() {
    context.close();
  }
}
