package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.peers.NginxServer;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server behind, in the clear and by TLS. */
final class NginxBackEndTests {
  private static final String ANSWER =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><ok/></s:Body></s:Envelope>";
  private static final String ASK = ANSWER.replace("<ok/>", "<do xmlns=\"urn:t\"/>");

  @TempDir private Path folder;

  private static String site(int port, String tls) {
    return """
    server {
      listen 127.0.0.1:%d%s
      default_type text/xml;
      location / { return 200 '%s'; }
    }
    """
        .formatted(port, tls, ANSWER);
  }

  @Test
  void manyCallsGoThroughToNginxOnKeptConnections() {
    try (NginxServer nginx = NginxServer.start(port -> site(port, ";"));
        RunningGateway gateway =
            RunningGateway.start(
                folder,
                RunningGateway.endpoint(
                    0, "/jobs", "none", URI.create("http://127.0.0.1:" + nginx.port() + "/s")))) {
      for (int i = 0; i < 20; i++) {
        HttpResponse<String> answer = gateway.post("/jobs", ASK);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(ANSWER);
      }
    }
  }

  @Test
  void serviceBehindTlsIsCalledWhereItsCertificateIsTrustedAndOnlyThere() {
    ThrowAwayAuthority known = ThrowAwayAuthority.in(folder.resolve("known"), Clock.systemUTC());
    ThrowAwayAuthority other = ThrowAwayAuthority.in(folder.resolve("other"), Clock.systemUTC());
    try (NginxServer good = NginxServer.start(port -> site(port, tls(known.localhost())));
        NginxServer bad = NginxServer.start(port -> site(port, tls(other.localhost())))) {
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.put("staithe.trust", known.certificateFile());
      settings.putAll(
          RunningGateway.endpoint(
              0, "/good", "none", URI.create("https://localhost:" + good.port() + "/s")));
      settings.putAll(
          RunningGateway.endpoint(
              1, "/bad", "none", URI.create("https://localhost:" + bad.port() + "/s")));
      try (RunningGateway gateway = RunningGateway.start(folder, settings)) {
        HttpResponse<String> answer = gateway.post("/good", ASK);
        assertThat(answer.body()).isEqualTo(ANSWER);
        assertThat(gateway.post("/good", ASK).statusCode()).isEqualTo(200);
        assertThat(gateway.post("/bad", ASK).statusCode()).isEqualTo(503);
      }
    }
  }

  private static String tls(ThrowAwayAuthority.Host host) {
    return " ssl; ssl_certificate %s; ssl_certificate_key %s;"
        .formatted(host.certificate(), host.key());
  }
}
