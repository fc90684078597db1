package dev.staithe.cli.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.http.BoundedFetch;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.MutableClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContractOptionsTests {
  private static final Duration LONG = Duration.ofDays(10);
  private static final Duration SHORT = Duration.ofHours(12);

  private final MutableClock clock = MutableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
  private HttpServer server;

  /** A file without an end. */
  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 1L << 40);
          while (true) {
            exchange.getResponseBody().write(new byte[1 << 16]);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private PersonSigner ada() throws Exception {
    CertificateIssuer authority = CertificateIssuer.create("a", KeyKind.EC_P256, LONG, clock);
    Credential ada =
        authority.issueHost(new HostCertificateRequest(List.of("ada"), KeyKind.EC_P256, SHORT));
    return PersonSigner.byCertificate(ada, Map.of(), clock);
  }

  /** As of one whose signature is not believed, of which no byte is wanted then. */
  @Test
  void answerThatNobodyReadsIsNotWaitedFor() throws Exception {
    var acting =
        new ContractOptions.Acting(
            ada(), BoundedFetch.client(null, Duration.ofSeconds(30)), "", "");
    URI file = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/f");
    var answer =
        acting.http().send(HttpRequest.newBuilder(file).build(), BodyHandlers.ofInputStream());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(CompletableFuture.runAsync(acting::close)).succeedsWithin(Duration.ofMinutes(1));
  }
}
