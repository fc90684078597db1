package dev.staithe.gateway.wss;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SoapVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Opens one message that TLS protects, with the tokens that the policy asks for. */
final class TransportOpening {
  private final Surroundings surroundings;
  private final Arrival arrival;
  private final Envelope envelope;
  private final EndpointPolicy policy;

  TransportOpening(Surroundings surroundings, Arrival arrival, Envelope envelope) {
    this.surroundings = surroundings;
    this.arrival = arrival;
    this.envelope = envelope;
    this.policy = arrival.expectation().policy();
  }

  Opening open() throws RefusedMessage {
    if (!arrival.transport().tls()) {
      throw new RefusedMessage(Refusal.TRANSPORT, "TLS is demanded");
    }
    Caller.Certificate certificate = arrival.transport().certificate();
    if (policy.binding() instanceof Binding.Transport transport
        && transport.clientCertificate()
        && certificate == null) {
      throw new RefusedMessage(Refusal.TRANSPORT, "a certificate is demanded");
    }
    Tokens tokens = tokens();
    PlainMessage message =
        PlainOpening.message(
            envelope, arrival.expectation().limits().canonical(arrival.envelope().length));
    if (policy.addressing() && message.addressing().action() == null) {
      throw new RefusedMessage(Refusal.POLICY, "addressing is demanded");
    }
    Caller caller = tokens.caller();
    if (caller == null) {
      caller = certificate == null ? new Caller.Anonymous() : certificate;
    }
    return new Opening.Opened(
        message,
        caller,
        new Reply(
            message.version(),
            new Reply.Keys.None(),
            tokens.confirmed(),
            message.addressing().messageId()),
        tokens.findings());
  }

  /**
   * What the security header says.
   *
   * @param caller null where it says nothing of that
   * @param confirmed values of signatures
   */
  private record Tokens(@Nullable Caller caller, List<byte[]> confirmed, Findings findings) {}

  private Tokens tokens() throws RefusedMessage {
    boolean wanted =
        policy.timestamp()
            || policy.supporting().stream()
                .anyMatch(each -> each.kind() != SupportingToken.Kind.BEARER);
    if (envelope.security() == null && !wanted) {
      return new Tokens(bearer(), List.of(), Findings.NOTHING);
    }
    Expectation expectation = arrival.expectation();
    var algorithms = new AlgorithmCheck(expectation);
    SecurityHeader header = SecurityHeader.read(envelope, expectation, algorithms);
    Shape.check(header, expectation, envelope.identifiers());
    if (!header.references().isEmpty()) {
      throw new RefusedMessage(Refusal.POLICY, "encryption that the policy does not ask for");
    }
    var keys = new TreeKeys(surroundings, expectation, envelope, header, surroundings.own());
    try {
      return judged(header, keys, algorithms);
    } finally {
      keys.forget();
    }
  }

  private Tokens judged(SecurityHeader header, TreeKeys keys, AlgorithmCheck algorithms)
      throws RefusedMessage {
    Expectation expectation = arrival.expectation();
    Instant now = surroundings.clock().instant();
    TreeTime freshness = null;
    if (header.timestamp() != null) {
      freshness = TreeTime.read(header.timestamp());
      freshness.check(now, expectation.limits());
    }
    List<SantuarioCheck.Verified> endorsing = endorsing(header, keys, algorithms);
    var judged =
        new SupportingTokens(surroundings, arrival, header, keys, now)
            .judge(List.of(), null, endorsing, arrival.transport().certificate());
    List<Findings.Once> once = new ArrayList<>(judged.once());
    List<byte[]> confirmed = new ArrayList<>();
    List<String> used = new ArrayList<>();
    for (SantuarioCheck.Verified each : endorsing) {
      if (freshness != null) {
        once.add(TreeOpening.once(each, freshness.until(expectation.limits())));
      }
      if (policy.signatureConfirmation()) {
        confirmed.add(each.value());
      }
      used.add(each.shape().algorithm());
      each.shape().references().forEach(reference -> used.add(reference.digest()));
    }
    return new Tokens(
        judged.caller(),
        confirmed,
        new Findings(
            "dom",
            endorsing.isEmpty() ? List.of() : List.of("Timestamp"),
            List.of(),
            used.stream().distinct().toList(),
            freshness == null ? null : freshness.created(),
            freshness == null ? null : freshness.expires(),
            once,
            null));
  }

  /** Over TLS they cover the timestamp (WS-SecurityPolicy 1.2 section 8.3). */
  private List<SantuarioCheck.Verified> endorsing(
      SecurityHeader header, TreeKeys keys, AlgorithmCheck algorithms) throws RefusedMessage {
    List<SantuarioCheck.Verified> verified = new ArrayList<>();
    var check = new SantuarioCheck(envelope, keys);
    for (var element : header.signatures()) {
      var shape = SignatureShape.read(element, arrival.expectation(), algorithms);
      if (!shape.covers(header.timestamp(), envelope.identifiers())) {
        throw new RefusedMessage(Refusal.COVERAGE, "the timestamp is not signed");
      }
      if (arrival.expectation().renewal() && keys.isOfAnEndedContext(shape.keyInfo())) {
        continue;
      }
      TreeKey key = keys.ofKeyInfo(shape.keyInfo());
      algorithms.signature(shape.algorithm(), key);
      SantuarioCheck.Verified endorsement = check.verify(shape, key);
      for (SantuarioCheck.Covered each : endorsement.covered()) {
        if (!counts(each.element(), header)) {
          throw new RefusedMessage(Refusal.COVERAGE, "a signed part that is not where it counts");
        }
      }
      verified.add(endorsement);
    }
    return verified;
  }

  /**
   * Whether an element stands where it means something. What was signed for an endpoint where keys
   * protect messages has a signed timestamp too: its body must not be hidden beside another one.
   */
  private boolean counts(Element element, SecurityHeader header) {
    return element == envelope.body()
        || element.getParentNode() == header.element()
        || Elements.is(element, Namespaces.WSSE, "SecurityTokenReference")
            && Elements.within(element, header.element())
        || envelope.blocks().contains(element) && !isBody(element);
  }

  private static boolean isBody(Element element) {
    return Arrays.stream(SoapVersion.values())
        .anyMatch(each -> Elements.is(element, each.namespace(), "Body"));
  }

  private @Nullable Caller bearer() throws RefusedMessage {
    if (policy.supporting().isEmpty()) {
      return null;
    }
    Caller.Token bearer = arrival.transport().bearer();
    if (bearer == null) {
      throw new RefusedMessage(Refusal.AUTHENTICATION, "no token of the authentication service");
    }
    return bearer;
  }
}
