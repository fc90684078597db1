package dev.staithe.gateway;

import dev.staithe.gateway.route.Endpoint;
import dev.staithe.service.Development;
import dev.staithe.tls.TlsProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says what was started, where it listens and, in the development default, how to try it. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final GatewayProperties properties;
  private final TlsProvider provider;
  private final Endpoints endpoints;

  StartReport(GatewayProperties properties, TlsProvider provider, Endpoints endpoints) {
    this.properties = properties;
    this.provider = provider;
    this.endpoints = endpoints;
  }

  /** A client has half of the room at most, and room is made by doubling. */
  private void tellWhatDoesNotFit() {
    long half = properties.roomForBodies() / 2;
    for (EndpointProperties endpoint : properties.endpoints()) {
      if (endpoint.messageSize().toBytes() > half) {
        log.warn(
            "{} takes messages of {} MB, but one client gets {} MB of the memory for bodies (staithe.bodies):"
                + " longer ones are answered 503. A larger heap (-Xmx) or less message-size helps",
            endpoint.path(),
            endpoint.messageSize().toMegabytes(),
            half >> 20);
      }
    }
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    var environment = event.getApplicationContext().getEnvironment();
    int port =
        event.getApplicationContext() instanceof WebServerApplicationContext web
                && web.getWebServer() != null
            ? web.getWebServer().getPort()
            : -1;
    log.info(
        "listening on {} port {} ({}) as {}",
        environment.getProperty("server.address", "every address"),
        port,
        properties.tls().enabled() ? "TLS by " + provider : "plain HTTP",
        properties.url());
    for (Endpoint endpoint : endpoints.all()) {
      log.info(
          "{} in front of {}: {}",
          endpoint.settings().path(),
          endpoint.backEndAddress(),
          endpoint.inForce().policy());
    }
    tellWhatDoesNotFit();
    if (properties.measuring()) {
      log.warn(
          "staithe.measuring is set: messages are taken again and again and at any age. Whoever"
              + " records one can repeat it. This is for measuring and nothing else");
    }
    String folder = environment.getProperty(Development.MARK);
    if (folder != null) {
      System.out.printf(
          """

          This is the development default: no configuration was given, so an authority and a host
          certificate were made in
            %1$s
          and a plain SOAP service that echoes stands behind one endpoint for each policy. It listens
          on this machine only and is gone once any staithe.* property is set.

          Try it, from the folder in which the server was started:
            curl --cacert %1$s/ca.pem -H 'Content-Type: text/xml' -d '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><echo xmlns="http://www.nordugrid.org/schemas/echo"><say>hello</say></echo></s:Body></s:Envelope>' %2$s/echo/none

          """,
          folder, properties.url());
    }
  }
}
