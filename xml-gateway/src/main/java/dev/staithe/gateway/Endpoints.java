package dev.staithe.gateway;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.gateway.route.BackEnd;
import dev.staithe.gateway.route.Endpoint;
import dev.staithe.gateway.route.InForce;
import dev.staithe.tls.ClientTls;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.PassingEngine;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of the configuration, with all that they hold open.
 *
 * @param all in their order
 * @param backEnds one each
 * @param echo the built-in back end; null where every endpoint names its own
 */
record Endpoints(List<Endpoint> all, List<BackEnd> backEnds, @Nullable EchoBackEnd echo)
    implements AutoCloseable {

  static Endpoints of(GatewayProperties properties, @Nullable ClientTls tls) {
    EchoBackEnd echo =
        properties.endpoints().stream().anyMatch(each -> each.backEnd() == null)
            ? new EchoBackEnd()
            : null;
    List<Endpoint> all = new ArrayList<>();
    List<BackEnd> backEnds = new ArrayList<>();
    for (EndpointProperties each : properties.endpoints()) {
      URI address = each.backEnd();
      if (address == null && echo != null) {
        address = echo.address();
      }
      if (address == null || properties.url() == null) {
        throw new IllegalStateException("checked above");
      }
      long largest = each.messageSize().toBytes();
      BackEnd backEnd =
          new BackEnd(address, tls == null ? null : tls.context(), each.timeout(), largest);
      backEnds.add(backEnd);
      all.add(
          new Endpoint(
              new Endpoint.Settings(
                  each.path(),
                  URI.create(properties.url() + each.path()),
                  Set.copyOf(each.callers()),
                  largest),
              backEnd,
              new InForce(each.policy(), plain(each), null, new PassingEngine())));
    }
    return new Endpoints(List.copyOf(all), List.copyOf(backEnds), echo);
  }

  /** Until documents are read: the two policies that need no document. */
  private static Expectation plain(EndpointProperties endpoint) {
    Binding binding =
        endpoint.policy().equals("transport") ? new Binding.Transport(false) : new Binding.None();
    AlgorithmSuite none = new AlgorithmSuite("none", "", "", "", "", "", 0, 0);
    return new Expectation(
        endpoint.path(),
        new EndpointPolicy(
            "0000000000000000",
            Namespaces.SP_12,
            binding,
            none,
            false,
            false,
            false,
            false,
            EndpointPolicy.Layout.LAX,
            Parts.NONE,
            Parts.NONE,
            List.of(),
            false,
            false,
            false,
            false),
        endpoint.algorithms(),
        limits(endpoint.messageSize().toBytes(), Duration.ofMinutes(1), Duration.ofMinutes(5)),
        endpoint.evidence());
  }

  private static Expectation.Limits limits(long bytes, Duration skew, Duration freshness) {
    Expectation.Limits usual = Expectation.Limits.DEFAULT;
    return new Expectation.Limits(
        bytes,
        usual.depth(),
        usual.attributes(),
        skew,
        freshness,
        usual.references(),
        usual.derivedKeys(),
        usual.derivedBytes(),
        usual.nonceBytes(),
        usual.iterations());
  }

  @Override
  public void close() {
    backEnds.forEach(BackEnd::close);
    if (echo != null) {
      echo.close();
    }
  }
}
