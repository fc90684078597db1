package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.wss.DomEngine;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.client.UnusableMessage;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.StreamEngine;
import dev.staithe.xml.SoapVersion;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A gateway's engines with two callers in front of them: Ada, and Mallory who is believed too. */
final class Stage {
  static final String ENDPOINT = "/payments";
  static final String ADA_CONTEXT = "urn:uuid:11111111-1111-4111-8111-111111111111";
  static final String MALLORY_CONTEXT = "urn:uuid:22222222-2222-4222-8222-222222222222";
  static final String FOREIGN_CONTEXT = "urn:uuid:33333333-3333-4333-8333-333333333333";
  static final String PAYLOAD = "<p:pay xmlns:p=\"urn:pay\"><p:amount>1</p:amount></p:pay>";

  /** Which engine judges. */
  enum Judge {
    /** As the gateway does by itself: what the streaming engine does not know, the other judges. */
    AUTO,
    /** WSS4J's document tree alone. */
    DOM
  }

  /** Who plays, and the authority that vouches for them. Keys take long to make. */
  private record Cast(
      X509Certificate issuer,
      Credential ada,
      Credential mallory,
      Credential service,
      Credential ellen,
      Credential before,
      Credential after) {
    private static final Cast USUAL = make();

    static Cast make() {
      var authority =
          CertificateIssuer.create(
              "Authority of the stage", KeyKind.EC_P256, Duration.ofDays(30), clockAtNoon());
      RequestedKey key = RequestedKey.make(KeyKind.RSA_2048);
      return new Cast(
          authority.certificate(),
          host(authority, "ada", KeyKind.RSA_2048),
          host(authority, "mallory", KeyKind.RSA_2048),
          host(authority, "service", KeyKind.RSA_2048),
          host(authority, "ellen", KeyKind.EC_P256),
          person(authority, key, Duration.ofHours(1)),
          person(authority, key, Duration.ofHours(2)));
    }

    private static Credential host(CertificateIssuer authority, String name, KeyKind kind) {
      return authority.issueHost(
          new HostCertificateRequest(List.of(name), kind, Duration.ofDays(1)));
    }

    private static Credential person(CertificateIssuer authority, RequestedKey key, Duration good) {
      return new Credential(
          key.key(),
          List.of(
              authority.issuePerson(
                  PersonCertificateRequest.of(
                      DistinguishedName.parse("/DC=org/DC=staithe/CN=Bea"), key.publicKey(), good),
                  CertificateProfile.plain())));
    }
  }

  final MutableClock clock = clockAtNoon();
  final Credential ada;
  final Credential mallory;
  final Credential service;

  /** Signs with an elliptic curve. */
  final Credential ellen;

  /** Two certificates of one key, as after a renewal. */
  final Credential before;

  final Credential after;
  private final Map<String, SecurityContext> contexts = new HashMap<>();
  private final String policyVersion;
  private final Engine stream;
  private final Engine dom;

  Stage() {
    this(AlgorithmList.MODERN);
  }

  /**
   * @param algorithms of the policy that its contexts were asked for under
   */
  Stage(AlgorithmList algorithms) {
    this(algorithms, Cast.USUAL);
  }

  /** One where everybody has another key, of another authority. */
  static Stage elsewhere() {
    return new Stage(AlgorithmList.MODERN, Cast.make());
  }

  private Stage(AlgorithmList algorithms, Cast cast) {
    policyVersion = BuiltInPolicies.policy("conversation", algorithms).version();
    ada = cast.ada();
    mallory = cast.mallory();
    service = cast.service();
    ellen = cast.ellen();
    before = cast.before();
    after = cast.after();
    X509Certificate issuer = cast.issuer();
    var surroundings =
        new Surroundings(
            () -> service, new Believer(issuer, List.of(ada, mallory)), this::context, NONE, clock);
    stream = new StreamEngine(surroundings);
    dom = new DomEngine(surroundings);
    for (String each : List.of(ADA_CONTEXT, MALLORY_CONTEXT)) {
      contexts.put(each, fresh(each, ENDPOINT, each.equals(ADA_CONTEXT) ? ada : mallory));
    }
    contexts.put(FOREIGN_CONTEXT, fresh(FOREIGN_CONTEXT, "/elsewhere", ada));
  }

  private static MutableClock clockAtNoon() {
    return MutableClock.at(Instant.parse("2026-11-21T12:00:00.250Z"));
  }

  private record Believer(X509Certificate issuer, List<Credential> known)
      implements Surroundings.Signers {
    @Override
    public Surroundings.Judgement judge(List<X509Certificate> chain) {
      try {
        chain.getFirst().verify(issuer.getPublicKey());
        return new Surroundings.Judgement.Trusted(
            new Caller.Certificate(chain.getFirst().getSubjectX500Principal().getName(), chain));
      } catch (GeneralSecurityException e) {
        return new Surroundings.Judgement.Untrusted("another authority signed it");
      }
    }
  }

  private static final Surroundings.Passwords NONE =
      new Surroundings.Passwords() {
        @Override
        public boolean check(String username, char[] password) {
          return false;
        }

        @Override
        public byte @Nullable [] of(String username) {
          return null;
        }
      };

  private SecurityContext fresh(String identifier, String endpoint, Credential owner) {
    byte[] secret = new byte[32];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) (identifier.charAt(9) * 31 + i);
    }
    Instant now = clock.instant();
    return new SecurityContext(
        identifier,
        null,
        Namespaces.SC_13,
        endpoint,
        policyVersion,
        new Caller.Certificate(
            owner.certificate().getSubjectX500Principal().getName(), owner.chain()),
        now,
        now.plus(Duration.ofHours(1)),
        secret);
  }

  /** Finds a context as a gateway's store does. */
  @Nullable SecurityContext context(String identifier, @Nullable String instance) {
    return instance == null ? contexts.get(identifier) : null;
  }

  static EndpointPolicy x509() {
    return BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
  }

  static EndpointPolicy conversation() {
    return BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
  }

  /** The same with nothing encrypted, so that a thief of messages can read and cut them. */
  static EndpointPolicy signedOnly(EndpointPolicy policy) {
    return new EndpointPolicy(
        policy.version(),
        policy.securityPolicy(),
        policy.binding(),
        policy.suite(),
        policy.timestamp(),
        policy.encryptBeforeSigning(),
        policy.encryptSignature(),
        policy.entireHeadersAndBody(),
        policy.layout(),
        policy.signed(),
        Parts.NONE,
        policy.supporting(),
        policy.signatureConfirmation(),
        policy.clientEntropy(),
        policy.serverEntropy(),
        policy.addressing());
  }

  /** A message of Ada's, as she would send it. */
  SecuredRequest ofAda(EndpointPolicy policy) {
    return secured(policy, ada, contexts.get(ADA_CONTEXT), PAYLOAD);
  }

  SecuredRequest secured(
      EndpointPolicy policy, Credential who, @Nullable SecurityContext context, String payload) {
    try {
      return new Initiator(
              policy,
              Holder.of(who, service.certificate()),
              policy.binding() instanceof Binding.Conversation ? context : null,
              clock)
          .secure(
              PlainRequest.of(
                  SoapVersion.SOAP_1_1, "urn:pay", "https://localhost/payments", payload));
    } catch (UnusableMessage e) {
      throw new AssertionError(e);
    }
  }

  Opening open(Judge judge, EndpointPolicy policy, byte[] envelope) {
    return open(judge, policy, AlgorithmList.MODERN, envelope);
  }

  Opening open(Judge judge, EndpointPolicy policy, AlgorithmList algorithms, byte[] envelope) {
    var arrival =
        new Arrival(
            envelope,
            new Expectation(ENDPOINT, policy, algorithms, Expectation.Limits.DEFAULT, false),
            Arrival.TransportFacts.PLAIN);
    if (judge == Judge.AUTO) {
      Opening streamed = stream.open(arrival);
      if (!(streamed instanceof Opening.Unknown)) {
        return streamed;
      }
    }
    return dom.open(arrival);
  }

  /** What is attacked must have been good, or the attack shows nothing. */
  Opening attack(Judge judge, EndpointPolicy policy, Consumer<Cut> knife) {
    SecuredRequest good = ofAda(policy);
    assertThat(open(judge, policy, new Cut(good.envelope()).bytes()))
        .isInstanceOf(Opening.Opened.class);
    var cut = new Cut(good.envelope());
    knife.accept(cut);
    return open(judge, policy, cut.bytes());
  }

  static void refused(Opening opening, Refusal... reasons) {
    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Refused.class, it -> assertThat(it.reason()).isIn((Object[]) reasons));
  }

  /** What the streaming engine says by itself. */
  Opening stream(EndpointPolicy policy, byte[] envelope) {
    return stream.open(
        new Arrival(
            envelope,
            new Expectation(
                ENDPOINT, policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false),
            Arrival.TransportFacts.PLAIN));
  }
}
