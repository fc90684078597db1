package dev.staithe.gateway;

import dev.staithe.gateway.backend.Bodies;
import dev.staithe.gateway.engine.MessageThreads;
import dev.staithe.gateway.pages.PageView;
import dev.staithe.gateway.pages.PagesConfiguration;
import dev.staithe.gateway.route.GatewayDoor;
import dev.staithe.gateway.route.Judges;
import dev.staithe.gateway.route.Meters;
import dev.staithe.gateway.trust.SignerTrust;
import dev.staithe.gateway.trust.TokenDoor;
import dev.staithe.gateway.trust.TrustMetrics;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.service.Networks;
import dev.staithe.service.certificates.CertificateHealth;
import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.OutgoingTls;
import dev.staithe.service.certificates.RevocationMetrics;
import dev.staithe.service.certificates.TlsEnd;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.start.StartLines;
import dev.staithe.tls.TlsProvider;
import dev.staithe.wss.Caller;
import dev.staithe.wss.stream.AnswerWriter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the parts together; all that is decided here comes from the properties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(GatewayProperties.class)
final class GatewayConfiguration {
  @Bean
  OutgoingTls outgoing(GatewayProperties properties, TlsProvider provider, Clock clock) {
    return OutgoingTls.open(
        Stream.concat(
            Stream.ofNullable(properties.authn()).map(AuthnProperties::url),
            properties.endpoints().stream().map(EndpointProperties::backEnd)),
        properties.trust(),
        properties.tls().checkInterval(),
        provider,
        clock);
  }

  @Bean
  MessageParts messageParts(
      GatewayProperties properties, OutgoingTls outgoing, TlsProvider provider, Clock clock) {
    return MessageParts.open(properties, outgoing.tls(), provider, clock);
  }

  @Bean
  TrustMetrics trustMetrics(
      MeterRegistry registry, GatewayProperties properties, MessageParts parts) {
    Gauge.builder("staithe.gateway.replays.limit", properties.message(), it -> it.replayMost())
        .description("Signatures and nonces that this node can remember in its memory")
        .register(registry);
    return new TrustMetrics(registry, parts.contexts(), parts.replays());
  }

  @Bean
  TokenDoor tokenDoor(
      GatewayProperties properties,
      MessageParts parts,
      TrustMetrics metrics,
      AuditLog audit,
      Clock clock) {
    return new TokenDoor(
        parts.contexts(),
        parts.surroundings().signers(),
        properties.contexts().limits(),
        metrics,
        audit,
        clock);
  }

  @Bean
  MessageThreads apart() {
    Runtime runtime = Runtime.getRuntime();
    // Half of the heap, where a message takes six times its size.
    return new MessageThreads(runtime.availableProcessors(), runtime.maxMemory() / 12);
  }

  @Bean
  Engines engines(MessageParts parts, MessageThreads apart) {
    return Engines.of(parts.surroundings(), apart);
  }

  @Bean
  TokensOfCallers tokensOfCallers(GatewayProperties properties, Clock clock) {
    return TokensOfCallers.open(properties, clock);
  }

  @Bean
  Endpoints endpoints(
      GatewayProperties properties,
      OutgoingTls outgoing,
      Engines engines,
      TokensOfCallers callerTokens,
      AuditLog audit,
      MeterRegistry registry,
      Clock clock) {
    Endpoints endpoints =
        Endpoints.of(
            new Endpoints.Shared(
                properties, outgoing.tls(), engines, callerTokens.tokens(), audit, clock));
    endpoints.policies().bindTo(registry);
    return endpoints;
  }

  @Bean
  HealthIndicator policiesHealthIndicator(Endpoints endpoints) {
    return endpoints.policies().health();
  }

  @Bean
  Meters meters(MeterRegistry registry) {
    return new Meters(registry);
  }

  @Bean
  Bodies bodies(GatewayProperties properties, MeterRegistry registry) {
    Bodies bodies = new Bodies(properties.roomForBodies());
    Gauge.builder("staithe.gateway.bodies", bodies, Bodies::used)
        .baseUnit("bytes")
        .description("Memory that bodies of requests and answers take")
        .register(registry);
    Gauge.builder("staithe.gateway.bodies.limit", bodies, Bodies::most)
        .baseUnit("bytes")
        .description("Memory that bodies of requests and answers may take")
        .register(registry);
    return bodies;
  }

  @Bean
  EvidenceKeeping keeping(GatewayProperties properties, MessageParts parts, Clock clock) {
    return EvidenceKeeping.of(properties, parts.signers(), clock);
  }

  @Bean
  Judges judges(
      GatewayProperties properties,
      ClientDoor clients,
      MessageParts parts,
      EvidenceKeeping keeping,
      Clock clock) {
    return new Judges(
        chain -> judge(clients, chain),
        parts.bearers(),
        parts.brake(),
        parts.replays(),
        properties.auditLog().accepted(),
        keeping.evidence(),
        clock);
  }

  private static Caller.@Nullable Certificate judge(
      ClientDoor clients, List<X509Certificate> chain) {
    return clients.certificates() != null
            && clients.certificates().verdict(chain) instanceof ClientVerdict.Accepted accepted
        ? new Caller.Certificate(accepted.subject().distinct(), chain)
        : null;
  }

  /** By the path where it is an endpoint's. */
  @Bean
  AccessLog.Knowledge accessLogKnowledge(GatewayProperties properties) {
    Set<String> paths =
        properties.endpoints().stream().map(EndpointProperties::path).collect(Collectors.toSet());
    return new AccessLog.Knowledge(
        "endpoint",
        request -> {
          String path = request.getHttpURI().getCanonicalPath();
          return path != null && paths.contains(path) ? path : "pages";
        },
        request -> null);
  }

  @Bean
  HttpServer.Front gatewayDoor(
      Endpoints endpoints,
      Judges judges,
      TokenDoor tokens,
      Meters meters,
      AuditLog audit,
      Bodies bodies,
      MessageThreads apart,
      MessageParts parts) {
    AnswerWriter writer = new AnswerWriter(parts.surroundings());
    return HttpServer.Front.of(
        servlets ->
            new GatewayDoor(
                servlets, endpoints.all(), judges, tokens, meters, audit, bodies, apart, writer));
  }

  @Bean
  PagesConfiguration.Viewers viewers(GatewayProperties properties) {
    return new PagesConfiguration.Viewers(Networks.parse(properties.metrics().allowFrom()));
  }

  @Bean
  PageView shown(
      GatewayProperties properties,
      Endpoints endpoints,
      MessageParts parts,
      EvidenceKeeping keeping,
      TlsEnd tlsEnd) {
    return new PageSources(properties, endpoints, parts, keeping, tlsEnd).shown();
  }

  @Bean
  HealthIndicator certificatesHealthIndicator(TlsEnd tlsEnd, MessageParts parts, Clock clock) {
    return CertificateHealth.of(tlsEnd.tls(), null, signers(parts), clock);
  }

  @Bean
  MeterBinder signerRevocationMetrics(MessageParts parts, Clock clock) {
    return RevocationMetrics.of(signers(parts), clock);
  }

  /** Whose messages are believed; belongs to the parts. */
  private static ClientDoor signers(MessageParts parts) {
    SignerTrust signers = parts.signers();
    return new ClientDoor(signers == null ? null : signers.certificates());
  }

  @Bean
  HealthIndicator contextsHealthIndicator(MessageParts parts) {
    return parts::health;
  }

  @Bean
  StartLines startLines(GatewayProperties properties, Endpoints endpoints, Bodies bodies) {
    return new GatewayStartLines(properties, endpoints, bodies);
  }
}
