package dev.staithe.gateway;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.gateway.route.BackEnd;
import dev.staithe.gateway.route.Endpoint;
import dev.staithe.gateway.route.InForce;
import dev.staithe.service.OneLineFailure;
import dev.staithe.tls.ClientTls;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
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

  static Endpoints of(GatewayProperties properties, @Nullable ClientTls tls, Engines engines) {
    EchoBackEnd echo =
        properties.endpoints().stream().anyMatch(each -> each.backEnd() == null)
            ? new EchoBackEnd()
            : null;
    List<Endpoint> all = new ArrayList<>();
    List<BackEnd> backEnds = new ArrayList<>();
    for (int i = 0; i < properties.endpoints().size(); i++) {
      EndpointProperties each = properties.endpoints().get(i);
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
              inForce(properties, each, read(properties, each, i), engines)));
    }
    return new Endpoints(List.copyOf(all), List.copyOf(backEnds), echo);
  }

  private static EndpointPolicy read(
      GatewayProperties properties, EndpointProperties endpoint, int number) {
    String key = "staithe.endpoints[" + number + "].policy = \"" + endpoint.policy() + "\"";
    byte[] document;
    try {
      document =
          BuiltInPolicies.has(endpoint.policy())
              ? BuiltInPolicies.document(endpoint.policy(), endpoint.algorithms())
              : Files.readAllBytes(Path.of(endpoint.policy()));
    } catch (IOException e) {
      throw new OneLineFailure.NotStarted(
          key + ": must be one of " + BuiltInPolicies.NAMES + " or a file that can be read", null);
    }
    return switch (PolicyReader.read(document, endpoint.algorithms())) {
      case PolicyOutcome.Refused(String line) ->
          throw new OneLineFailure.NotStarted(key + ": " + line, null);
      case PolicyOutcome.Accepted(EndpointPolicy policy) -> {
        new Needs(properties)
            .missing(policy)
            .ifPresent(
                missing -> {
                  throw new OneLineFailure.NotStarted(key + " needs " + missing, null);
                });
        yield policy;
      }
    };
  }

  /** What a policy means for an endpoint. */
  static InForce inForce(
      GatewayProperties properties,
      EndpointProperties endpoint,
      EndpointPolicy policy,
      Engines engines) {
    Expectation.Limits limits = limits(properties, endpoint);
    String name =
        BuiltInPolicies.has(endpoint.policy())
            ? endpoint.policy()
            : "" + Path.of(endpoint.policy()).getFileName();
    return new InForce(
        name,
        new Expectation(
            endpoint.path(), policy, endpoint.algorithms(), limits, endpoint.evidence()),
        policy.binding() instanceof Binding.Conversation conversation
            ? new Expectation(
                endpoint.path(), conversation.bootstrap(), endpoint.algorithms(), limits, false)
            : null,
        engines.of(endpoint.engine()));
  }

  private static Expectation.Limits limits(
      GatewayProperties properties, EndpointProperties endpoint) {
    Expectation.Limits usual = Expectation.Limits.DEFAULT;
    return new Expectation.Limits(
        endpoint.messageSize().toBytes(),
        usual.depth(),
        usual.attributes(),
        properties.message().skew(),
        properties.message().freshness(),
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
