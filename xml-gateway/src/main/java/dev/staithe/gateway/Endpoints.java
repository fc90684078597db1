package dev.staithe.gateway;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.gateway.backend.BackEnd;
import dev.staithe.gateway.backend.CallerFields;
import dev.staithe.gateway.backend.CallerTokens;
import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.gateway.publish.Published;
import dev.staithe.gateway.publish.PublishedPolicies;
import dev.staithe.gateway.publish.PublishedPolicy;
import dev.staithe.gateway.publish.Wsdl;
import dev.staithe.gateway.route.Endpoint;
import dev.staithe.gateway.route.InForce;
import dev.staithe.http.BoundedFetch;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.log.AuditLog;
import dev.staithe.tls.ClientTls;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
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
 * @param policies in force, and watched
 * @param describing asks services for their descriptions
 * @param echo the built-in back end; null where every endpoint names its own
 */
record Endpoints(
    List<Endpoint> all,
    List<BackEnd> backEnds,
    PublishedPolicies policies,
    HttpClient describing,
    @Nullable EchoBackEnd echo)
    implements AutoCloseable {
  /** Messages of any age. */
  private static final Duration MEASURING = Duration.ofDays(3650);

  /** A description changes with a new version of a service, and is asked for by programmers. */
  private static final Duration DESCRIPTION_FRESH = Duration.ofMinutes(1);

  /** What endpoints share. */
  record Shared(
      GatewayProperties properties,
      @Nullable ClientTls tls,
      Engines engines,
      @Nullable CallerTokens tokens,
      AuditLog audit,
      Clock clock) {}

  static Endpoints of(Shared around) {
    GatewayProperties properties = around.properties();
    PublishedPolicies policies = started("staithe.endpoints", () -> policies(around));
    PolicyNeeds needs = new PolicyNeeds(properties);
    EchoBackEnd echo =
        properties.endpoints().stream().anyMatch(each -> each.backEnd() == null)
            ? new EchoBackEnd()
            : null;
    HttpClient describing =
        BoundedFetch.client(
            around.tls() == null ? null : around.tls().context(), Duration.ofSeconds(5));
    List<Endpoint> all = new ArrayList<>();
    List<BackEnd> backEnds = new ArrayList<>();
    for (int i = 0; i < properties.endpoints().size(); i++) {
      EndpointProperties each = properties.endpoints().get(i);
      PublishedPolicy policy = policies.all().get(i);
      String key = "staithe.endpoints[" + i + "].policy = \"" + each.policy() + "\"";
      needs
          .missing(policy.current().policy(), each.engine())
          .ifPresent(
              missing -> {
                throw new OneLineFailure.NotStarted(key + " needs " + missing, null);
              });
      URI address = each.backEnd();
      if (address == null && echo != null) {
        address = echo.address();
      }
      if (address == null || properties.url() == null) {
        throw new IllegalStateException("checked above");
      }
      BackEnd backEnd =
          new BackEnd(
              address,
              around.tls() == null ? null : around.tls().context(),
              each.timeout(),
              each.messageSize().toBytes());
      backEnds.add(backEnd);
      Endpoint endpoint =
          new Endpoint(
              new Endpoint.Settings(
                  each.path(),
                  URI.create(properties.url() + each.path()),
                  Set.copyOf(properties.names()),
                  Set.copyOf(each.callers()),
                  told(each, around),
                  each.messageSize().toBytes()),
              backEnd,
              wsdl(each, address, describing, policy, around.clock()),
              inForce(properties, each, policy.current(), around.engines()));
      policy.whenSwitched(
          next -> {
            needs
                .missing(next.policy(), each.engine())
                .ifPresent(
                    missing -> {
                      throw new IllegalArgumentException(each.policy() + " needs " + missing);
                    });
            endpoint.put(inForce(properties, each, next, around.engines()));
          });
      all.add(endpoint);
    }
    return new Endpoints(List.copyOf(all), List.copyOf(backEnds), policies, describing, echo);
  }

  private static CallerFields told(EndpointProperties endpoint, Shared around) {
    return new CallerFields(
        endpoint.callerHeader(),
        endpoint.callerToken(),
        endpoint.callerToken() == null ? null : around.tokens(),
        endpoint.pass());
  }

  private static PublishedPolicies policies(Shared around) throws IOException {
    return new PublishedPolicies(
        around.properties().endpoints().stream()
            .map(each -> new PublishedPolicy.Source(each.path(), each.policy(), each.algorithms()))
            .toList(),
        around.properties().tls().checkInterval(),
        around.audit(),
        around.clock());
  }

  private static Wsdl wsdl(
      EndpointProperties endpoint,
      URI address,
      HttpClient client,
      PublishedPolicy policy,
      Clock clock) {
    return endpoint.wsdl() == null
        ? Wsdl.ofBackEnd(
            address,
            () -> client,
            Duration.ofSeconds(10),
            policy::current,
            DESCRIPTION_FRESH,
            clock)
        : Wsdl.ofFile(endpoint.wsdl(), policy::current, DESCRIPTION_FRESH, clock);
  }

  /** What a policy means for an endpoint. */
  static InForce inForce(
      GatewayProperties properties,
      EndpointProperties endpoint,
      Published published,
      Engines engines) {
    Expectation.Limits limits = limits(properties, endpoint);
    EndpointPolicy policy = published.policy();
    return new InForce(
        published.name(),
        published.document(),
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
        properties.measuring() ? MEASURING : properties.message().skew(),
        properties.measuring() ? MEASURING : properties.message().freshness(),
        usual.references(),
        usual.derivedKeys(),
        usual.derivedBytes(),
        usual.nonceBytes(),
        usual.iterations());
  }

  @Override
  public void close() {
    policies.close();
    // A description that is being read is not waited for.
    describing.shutdownNow();
    describing.close();
    backEnds.forEach(BackEnd::close);
    if (echo != null) {
      echo.close();
    }
  }
}
