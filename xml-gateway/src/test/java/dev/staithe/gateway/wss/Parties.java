package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A client, a service and an authority that both believe; keys are made once for all tests. */
final class Parties {
  static final String ENDPOINT = "echo";
  static final CertificateIssuer AUTHORITY =
      CertificateIssuer.create(
          "Authority of messages", KeyKind.EC_P256, Duration.ofDays(30), Clock.systemUTC());
  static final Credential SERVICE = credential("service.example", KeyKind.RSA_2048);
  static final Credential CLIENT = credential("client.example", KeyKind.RSA_2048);
  static final Credential CURVED_CLIENT = credential("curved.example", KeyKind.EC_P256);
  static final Credential STRANGER =
      CertificateIssuer.create(
              "Authority of nobody", KeyKind.EC_P256, Duration.ofDays(30), Clock.systemUTC())
          .issueHost(
              new HostCertificateRequest(
                  List.of("stranger.example"), KeyKind.RSA_2048, Duration.ofDays(7)));
  static final String USER = "ada";
  static final String PASSWORD = "analytical";

  private final Map<String, SecurityContext> contexts = new ConcurrentHashMap<>();
  private Clock clock = Clock.systemUTC();

  private static Credential credential(String host, KeyKind kind) {
    return AUTHORITY.issueHost(new HostCertificateRequest(List.of(host), kind, Duration.ofDays(7)));
  }

  Surroundings surroundings() {
    return new Surroundings(
        () -> SERVICE,
        new Signers(),
        (identifier, instance) -> contexts.get(identifier),
        new Users(),
        clock);
  }

  void at(Clock other) {
    clock = other;
  }

  static Expectation expectation(EndpointPolicy policy) {
    return new Expectation(
        ENDPOINT,
        policy,
        policy.suite() == Policies.INTEROP ? AlgorithmList.INTEROP : AlgorithmList.MODERN,
        Expectation.Limits.DEFAULT,
        true);
  }

  static Arrival arrival(byte[] message, EndpointPolicy policy) {
    return new Arrival(message, expectation(policy), Arrival.TransportFacts.PLAIN);
  }

  SecurityContext context(EndpointPolicy policy, String namespace) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) (7 + contexts.size()));
    Instant now = Instant.now();
    var context =
        new SecurityContext(
            "urn:uuid:context-" + contexts.size(),
            null,
            namespace,
            ENDPOINT,
            policy.version(),
            new Caller.Certificate("/CN=client.example", CLIENT.chain()),
            now,
            now.plusSeconds(600),
            secret);
    contexts.put(context.identifier(), context);
    return context;
  }

  SecurityContext context(EndpointPolicy policy) {
    return context(policy, Namespaces.SC_13);
  }

  void add(SecurityContext context) {
    contexts.put(context.identifier(), context);
  }

  private static final class Signers implements Surroundings.Signers {
    @Override
    public Surroundings.Judgement judge(List<X509Certificate> chain) {
      X509Certificate certificate = chain.getFirst();
      boolean ours =
          certificate
              .getIssuerX500Principal()
              .equals(AUTHORITY.certificate().getSubjectX500Principal());
      return ours
          ? new Surroundings.Judgement.Trusted(
              new Caller.Certificate("/" + certificate.getSubjectX500Principal().getName(), chain))
          : new Surroundings.Judgement.Untrusted("issued by nobody that is trusted");
    }

    @Override
    public @Nullable X509Certificate find(Surroundings.Name name) {
      for (Credential each : List.of(CLIENT, CURVED_CLIENT, STRANGER)) {
        X509Certificate certificate = each.certificate();
        boolean found =
            switch (name) {
              case Surroundings.Name.Thumbprint(byte[] sha1) ->
                  Arrays.equals(sha1, sha1(certificate));
              case Surroundings.Name.KeyIdentifier(byte[] identifier) -> {
                byte[] extension = certificate.getExtensionValue("2.5.29.14");
                yield extension != null
                    && Arrays.equals(
                        identifier, Arrays.copyOfRange(extension, 4, extension.length));
              }
              case Surroundings.Name.IssuerSerial(String issuer, var serial) ->
                  serial.equals(certificate.getSerialNumber());
            };
        if (found) {
          return certificate;
        }
      }
      return null;
    }

    private static byte[] sha1(X509Certificate certificate) {
      try {
        return MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded());
      } catch (java.security.GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Users implements Surroundings.Passwords {
    @Override
    public boolean check(String username, char[] password) {
      return username.equals(USER) && Arrays.equals(password, PASSWORD.toCharArray());
    }

    @Override
    public byte @Nullable [] of(String username) {
      return username.equals(USER) ? PASSWORD.getBytes(StandardCharsets.UTF_8) : null;
    }
  }
}
