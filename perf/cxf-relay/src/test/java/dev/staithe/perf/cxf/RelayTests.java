package dev.staithe.perf.cxf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.HttpTap;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.jaxws.DispatchImpl;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.apache.cxf.ws.policy.WSPolicyFeature;
import org.apache.cxf.ws.security.SecurityConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RelayTests {
  private static final String PAYLOAD = "<e:echo xmlns:e=\"urn:x\"><e:text>tide</e:text></e:echo>";

  /** Held, because a logger that nobody holds forgets its level. */
  private static final Logger LOG = Logger.getLogger("org.apache.cxf");

  @TempDir static Path folder;
  private HttpServer backEnd;
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private ThrowAwayAuthority authority;
  private Path place;
  private Relay relay;
  private HttpTap tap;

  @BeforeAll
  void start() throws Exception {
    LOG.setLevel(Level.OFF);
    backEnd = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    backEnd.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            seen.add(new String(request, StandardCharsets.UTF_8));
            exchange
                .getResponseHeaders()
                .add("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"));
            exchange.sendResponseHeaders(200, request.length);
            exchange.getResponseBody().write(request);
          }
        });
    backEnd.start();
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    place = Files.createDirectory(folder.resolve("relay"));
    credential("localhost", place);
    relay = Relay.start(settings(place, false));
    tap = HttpTap.before(relay.http());
  }

  @AfterAll
  void stop() {
    tap.close();
    relay.close();
    backEnd.stop(0);
  }

  private RelaySettings settings(Path there, boolean repeatable) {
    return new RelaySettings(
        there,
        0,
        0,
        URI.create("http://localhost:%d/".formatted(backEnd.getAddress().getPort())),
        repeatable);
  }

  private void credential(String name, Path there) throws IOException {
    ThrowAwayAuthority.Host host =
        authority.host(
            new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(7)));
    Files.copy(host.certificate(), there.resolve("host.pem"));
    Files.copy(host.key(), there.resolve("host-key.pem"));
    Files.copy(authority.certificateFile(), there.resolve("ca.pem"));
  }

  @ParameterizedTest
  @CsvSource({
    "none, 1.1",
    "none, 1.2",
    "transport, 1.1",
    "transport, 1.2",
    "x509, 1.1",
    "x509, 1.2",
    "conversation, 1.1",
    "conversation, 1.2",
    "encrypted-key, 1.2",
    "x509-interop, 1.2",
    "conversation-interop, 1.2",
    "encrypted-key-interop, 1.1"
  })
  void clientOfTheSamePolicyIsAnsweredByTheBackEnd(String policy, String soap) throws Exception {
    URI url =
        policy.equals("transport")
            ? relay.https().resolve("/echo/" + policy)
            : tap.url("/echo/" + policy);
    try (var client = client(policy, soap, url)) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.call(PAYLOAD)).contains("tide");
      }
    }

    assertThat(seen.getLast()).contains("tide").doesNotContain("Security");
    if (policy.equals("none") || policy.equals("transport")) {
      return;
    }
    String wire = new String(tap.passed().getLast().request(), StandardCharsets.UTF_8);
    String back = new String(tap.passed().getLast().response(), StandardCharsets.UTF_8);
    String signed = policy.startsWith("x509") ? "#rsa-sha" : "#hmac-sha";
    for (String message : List.of(wire, back)) {
      assertThat(message).doesNotContain("tide").contains("EncryptedData", "SignatureValue");
      if (policy.endsWith("-interop")) {
        assertThat(message).contains("#aes128-cbc", signed + "1");
      } else {
        assertThat(message)
            .contains("#aes256-gcm", "xmlenc#sha256", signed + "256")
            .doesNotContain("#aes128-cbc", signed + "1");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "transport"})
  void clientThatProtectsNothingIsRefused(String policy) throws Exception {
    int before = seen.size();
    try (var client = client("none", "1.2", relay.http().resolve("/echo/" + policy))) {
      assertThatThrownBy(() -> client.call(PAYLOAD)).isInstanceOf(WebServiceException.class);
    }

    assertThat(seen).hasSize(before);
  }

  @Test
  void messageThatCameBeforeIsRefusedUnlessTheRelaySaysOtherwise() throws Exception {
    try (var client = client("x509", "1.2", tap.url("/echo/x509"))) {
      client.call(PAYLOAD);
    }
    HttpTap.Passed sent = tap.passed().getLast();

    assertThat(again(relay, sent)).isEqualTo(500);
    try (Relay repeatable = Relay.start(settings(place, true))) {
      assertThat(again(repeatable, sent)).isEqualTo(200);
      assertThat(again(repeatable, sent)).isEqualTo(200);
    }
  }

  private static int again(Relay where, HttpTap.Passed message) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(where.http().resolve(message.path()))
                  .header("Content-Type", message.contentType())
                  .POST(HttpRequest.BodyPublishers.ofByteArray(message.request()))
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  private Client client(String policy, String soap, URI url) throws Exception {
    Path own = Files.createDirectories(folder.resolve("client"));
    if (!Files.exists(own.resolve("host.pem"))) {
      credential("client", own);
    }
    RelayKeys keys = RelayKeys.read(own);
    Bus bus = new CXFBusFactory().createBus();
    Bus before = BusFactory.getThreadDefaultBus(false);
    BusFactory.setThreadDefaultBus(bus);
    try {
      RelaySecurity.suite().forEach(bus::setProperty);
      var name = new QName("urn:staithe:perf:relay", "RelayService");
      var port = new QName("urn:staithe:perf:relay", "RelayPort");
      Service service = Service.create(name);
      service.addPort(
          port,
          soap.equals("1.1") ? SOAPBinding.SOAP11HTTP_BINDING : SOAPBinding.SOAP12HTTP_BINDING,
          url.toString());
      Dispatch<Source> dispatch =
          service.createDispatch(
              port, Source.class, Service.Mode.PAYLOAD, new WSAddressingFeature());
      var client = ((DispatchImpl<Source>) dispatch).getClient();
      RelayPolicy document =
          RelayPolicy.all(folder.resolve("none")).stream()
              .filter(candidate -> candidate.name().equals(policy))
              .findFirst()
              .orElseThrow();
      new WSPolicyFeature(document.read(bus)).initialize(client, bus);
      Map<String, Object> properties = new HashMap<>(RelaySecurity.properties(keys, false));
      Path relays = folder.resolve("relay");
      var relaysKeys = RelayKeys.read(relays);
      for (String suffix : new String[] {"", ".sct"}) {
        properties.put(SecurityConstants.ENCRYPT_CRYPTO + suffix, relaysKeys.crypto());
        properties.put(SecurityConstants.ENCRYPT_USERNAME + suffix, RelayKeys.ALIAS);
      }
      dispatch.getRequestContext().putAll(properties);
      client.getEndpoint().putAll(properties);
      if (url.getScheme().equals("https")) {
        var tls = new TLSClientParameters();
        tls.setSslContext(keys.tls());
        ((HTTPConduit) client.getConduit()).setTlsClientParameters(tls);
      }
      return new Client(bus, dispatch);
    } finally {
      BusFactory.setThreadDefaultBus(before);
    }
  }

  private record Client(Bus bus, Dispatch<Source> dispatch) implements AutoCloseable {
    String call(String payload) throws Exception {
      Source answer = dispatch.invoke(new StreamSource(new StringReader(payload)));
      var text = new StringWriter();
      var writer = StaxUtils.createXMLStreamWriter(text);
      StaxUtils.copy(answer, writer);
      writer.flush();
      return text.toString();
    }

    @Override
    public void close() {
      bus.shutdown(false);
    }
  }
}
