package dev.staithe.perf.cxf;

import dev.staithe.pki.PemException;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.apache.cxf.ws.policy.WSPolicyFeature;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * A running relay: one endpoint per policy at {@code /echo/NAME}, each for both versions of SOAP.
 */
final class Relay implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String FIRST_CALL =
      "<e:Envelope xmlns:e=\"%s\"><e:Body><first xmlns=\"urn:staithe:perf:relay\"/></e:Body></e:Envelope>";

  private final Server server;
  private final ServerConnector plain;
  private final ServerConnector secure;
  private final Bus bus;

  private Relay(Server server, ServerConnector plain, ServerConnector secure, Bus bus) {
    this.server = server;
    this.plain = plain;
    this.secure = secure;
    this.bus = bus;
  }

  /**
   * Starts one.
   *
   * @throws IOException where its files cannot be read
   */
  static Relay start(RelaySettings settings) throws Exception {
    RelayKeys keys;
    try {
      keys = RelayKeys.read(settings.folder());
    } catch (PemException e) {
      throw new IOException(e.getMessage(), e);
    }
    Bus bus = new CXFBusFactory().createBus();
    var servlet = new CXFNonSpringServlet();
    servlet.setBus(bus);
    var server = new Server();
    var context = new ServletContextHandler();
    context.setContextPath("/");
    context.addServlet(new ServletHolder(servlet), "/echo/*");
    server.setHandler(context);
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    var plain = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    plain.setHost(LOOPBACK);
    plain.setPort(settings.port());
    var tls = new SslContextFactory.Server();
    tls.setSslContext(keys.tls());
    tls.setWantClientAuth(true);
    var https = new HttpConfiguration(http);
    https.addCustomizer(new SecureRequestCustomizer(false));
    var secure =
        new ServerConnector(
            server,
            1,
            1,
            new SslConnectionFactory(tls, "http/1.1"),
            new HttpConnectionFactory(https));
    secure.setHost(LOOPBACK);
    secure.setPort(settings.tlsPort());
    server.addConnector(plain);
    server.addConnector(secure);
    // The servlet knows the bus's paths from now on.
    server.start();
    Map<String, Object> properties = RelaySecurity.properties(keys, settings.repeatable());
    // On the bus, because CXF asks for a context with endpoints of its own making.
    RelaySecurity.suite().forEach(bus::setProperty);
    var backEnd = new BackEnd(settings.backEnd());
    for (RelayPolicy policy : RelayPolicy.all(settings.folder())) {
      var endpoint =
          new EndpointImpl(bus, new RelayProvider(backEnd), SOAPBinding.SOAP12HTTP_BINDING);
      endpoint.getFeatures().add(new WSAddressingFeature());
      if (policy.document() != null) {
        endpoint.getFeatures().add(new WSPolicyFeature(policy.read(bus)));
      }
      endpoint.setProperties(properties);
      endpoint.publish("/" + policy.name());
    }
    return new Relay(server, plain, secure, bus);
  }

  /**
   * Answers one call, as the next will be; a fault that tells of the back end is an answer.
   *
   * @throws IOException where it does not answer by SOAP
   */
  void answerOnce() throws IOException, InterruptedException {
    String envelope = "http://schemas.xmlsoap.org/soap/envelope/";
    HttpRequest call =
        HttpRequest.newBuilder(http().resolve("/echo/none"))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .POST(BodyPublishers.ofString(FIRST_CALL.formatted(envelope)))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(call, BodyHandlers.ofString());
      if (!answer.body().contains(envelope)) {
        throw new IOException("its first call was answered " + answer.statusCode());
      }
    }
  }

  /** Where it listens without TLS; endpoints are below {@code /echo/}. */
  URI http() {
    return URI.create("http://localhost:%d/".formatted(plain.getLocalPort()));
  }

  /** Where it listens with TLS. */
  URI https() {
    return URI.create("https://localhost:%d/".formatted(secure.getLocalPort()));
  }

  /** Until it is closed. */
  void await() throws InterruptedException {
    server.join();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("the relay did not stop", e);
    } finally {
      bus.shutdown(false);
    }
  }
}
