package dev.staithe.gateway;

import dev.staithe.gateway.backend.Bodies;
import dev.staithe.gateway.route.Endpoint;
import dev.staithe.service.start.StartLines;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started and, in the development default, how to try it. */
final class GatewayStartLines implements StartLines {
  private static final Logger log = LoggerFactory.getLogger(GatewayStartLines.class);

  private final GatewayProperties properties;
  private final Endpoints endpoints;
  private final Bodies bodies;

  GatewayStartLines(GatewayProperties properties, Endpoints endpoints, Bodies bodies) {
    this.properties = properties;
    this.endpoints = endpoints;
    this.bodies = bodies;
  }

  private void tellWhatDoesNotFit() {
    for (EndpointProperties endpoint : properties.endpoints()) {
      if (endpoint.messageSize().toBytes() > bodies.longest()) {
        log.warn(
            "{} takes messages of {} KB, but one client has room for {} KB of one (staithe.bodies):"
                + " longer ones are answered 503. A larger heap (-Xmx) or less message-size helps",
            endpoint.path(),
            endpoint.messageSize().toKilobytes(),
            bodies.longest() >> 10);
      }
    }
  }

  @Override
  public @Nullable URI url() {
    return properties.url();
  }

  @Override
  public void log(boolean development) {
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
  }

  @Override
  public String development(String folder, int port) {
    return """

          This is the development default: no configuration was given, so an authority and a host
          certificate were made in
            %1$s
          and a plain SOAP service that echoes stands behind one endpoint for each policy. It listens
          on this machine only and is gone once any staithe.* property is set.

          Try it, from the folder in which the server was started:
            curl --cacert %1$s/ca.pem -H 'Content-Type: text/xml' -d '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><echo xmlns="http://www.nordugrid.org/schemas/echo"><say>hello</say></echo></s:Body></s:Envelope>' %2$s/echo/none

          """
        .formatted(folder, properties.url());
  }
}
