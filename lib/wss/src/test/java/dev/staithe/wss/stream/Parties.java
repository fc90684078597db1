package dev.staithe.wss.stream;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client, a service and what they know of each other. */
final class Parties {
  static final String ENDPOINT = "say";

  final Clock clock;
  final Credential client;
  final Credential service;
  final Credential stranger;
  final Map<String, SecurityContext> contexts = new HashMap<>();
  final StreamEngine engine;
  final AnswerWriter writer;

  Parties(Path folder, Clock clock, KeyKind kind) {
    this.clock = clock;
    var authority = ThrowAwayAuthority.in(folder, clock);
    client = authority.host(host("client", kind)).credential();
    // Content is encrypted for the service in any case, which only RSA can do.
    service = authority.host(host("service", KeyKind.RSA_2048)).credential();
    stranger = authority.host(host("stranger", kind)).credential();
    engine = new StreamEngine(surroundings(service));
    writer = new AnswerWriter(surroundings(service));
  }

  private static HostCertificateRequest host(String name, KeyKind kind) {
    return new HostCertificateRequest(List.of(name), kind, Duration.ofDays(1));
  }

  Surroundings surroundings(Credential own) {
    return new Surroundings(
        () -> own,
        new Surroundings.Signers() {
          @Override
          public Surroundings.Judgement judge(List<X509Certificate> chain) {
            return chain.getFirst().equals(client.certificate())
                ? new Surroundings.Judgement.Trusted(
                    new Caller.Certificate("/CN=client", List.of(client.certificate())))
                : new Surroundings.Judgement.Untrusted("a stranger");
          }

          @Override
          public @Nullable X509Certificate find(Surroundings.Name name) {
            return KnownCertificate.of(client.chain()).matches(name) ? client.certificate() : null;
          }
        },
        (identifier, instance) -> contexts.get(identifier),
        new Surroundings.Passwords() {
          @Override
          public boolean check(String username, char[] password) {
            return false;
          }

          @Override
          public byte @Nullable [] of(String username) {
            return null;
          }
        },
        clock);
  }

  SecurityContext context(EndpointPolicy policy) {
    return context(policy, ENDPOINT, Namespaces.SC_13);
  }

  SecurityContext context(EndpointPolicy policy, String endpoint, String namespace) {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    Instant now = clock.instant();
    var context =
        new SecurityContext(
            "urn:uuid:context-" + contexts.size(),
            null,
            namespace,
            endpoint,
            policy.version(),
            new Caller.Username("ada"),
            now,
            now.plusSeconds(600),
            secret);
    contexts.put(context.identifier(), context);
    return context;
  }

  Holder holder() {
    return Holder.of(client, service.certificate());
  }

  SecuredRequest request(EndpointPolicy policy, @Nullable SecurityContext context, String plain)
      throws Exception {
    return new Initiator(policy, context == null ? holder() : Holder.NOBODY, context, clock)
        .secure(
            PlainRequest.read(
                plain.getBytes(StandardCharsets.UTF_8), "urn:say", "http://localhost/say"));
  }

  static Expectation expectation(EndpointPolicy policy, AlgorithmList list) {
    return new Expectation(ENDPOINT, policy, list, Expectation.Limits.DEFAULT, false);
  }

  Opening open(byte[] envelope, EndpointPolicy policy, AlgorithmList list) {
    return engine.open(
        new Arrival(envelope, expectation(policy, list), Arrival.TransportFacts.PLAIN));
  }

  byte[] answer(String plain, Reply reply, EndpointPolicy policy, AlgorithmList list) {
    Sealing sealing =
        writer.protect(
            new Departure(
                plain.getBytes(StandardCharsets.UTF_8), reply, expectation(policy, list)));
    if (sealing instanceof Sealing.Sealed sealed) {
      return sealed.envelope();
    }
    throw new AssertionError(sealing);
  }
}
