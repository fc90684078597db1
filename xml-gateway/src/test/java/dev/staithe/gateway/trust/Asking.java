package dev.staithe.gateway.trust;

import dev.staithe.service.log.AuditLog;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Reply;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustReading;
import dev.staithe.wss.trust.TrustVersion;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** A door with its surroundings, and those who ask there: what an engine would hand on of them. */
final class Asking {
  static final String ADDRESS = "https://gateway.example.org/orders";
  static final Caller ADA = new Caller.Username("ada");

  final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T20:00:00Z"));
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final ContextStore contexts;
  final TokenDoor door;
  private final Path auditFile;

  Surroundings.Signers signers =
      chain -> new Surroundings.Judgement.Trusted(new Caller.Certificate("/C=DE/CN=Ada", chain));

  Asking(Path folder, ContextLimits limits) throws IOException {
    this(folder, limits, null);
  }

  Asking(Path folder, ContextLimits limits, @Nullable ContextStore store) throws IOException {
    this.auditFile = folder.resolve("audit.log");
    this.contexts = store == null ? new MemoryContexts(limits, clock) : store;
    this.door =
        new TokenDoor(
            contexts,
            chain -> signers.judge(chain),
            limits,
            new TrustMetrics(registry, contexts, new MemoryReplays(10, clock)),
            new AuditLog(auditFile, 1, clock),
            clock);
  }

  List<String> audit() throws IOException {
    return Files.readAllLines(auditFile);
  }

  double count(String action, String outcome) {
    return registry
        .get("staithe.contexts.requests")
        .tag("action", action)
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  static EndpointPolicy policy(Binding binding, boolean clientEntropy) {
    return new EndpointPolicy(
        "0123456789abcdef",
        Namespaces.SP_12,
        binding,
        new AlgorithmSuite("Basic256", "d", "a", "s", "e", "k", 32, 24),
        true,
        false,
        false,
        true,
        EndpointPolicy.Layout.STRICT,
        Parts.BODY,
        Parts.BODY,
        List.of(),
        false,
        clientEntropy,
        true,
        false);
  }

  static TokenEndpoint endpoint(boolean cancel, boolean renew, boolean clientEntropy) {
    return new TokenEndpoint(
        "orders",
        policy(
            new Binding.Conversation(true, policy(new Binding.Asymmetric(), false), cancel, renew),
            clientEntropy),
        List.of(ADDRESS));
  }

  static final TokenEndpoint ORDERS = endpoint(true, true, false);

  static TokenRequest.Issue issue(TrustVersion version, byte @Nullable [] entropy) {
    return new TokenRequest.Issue(version, null, version, ADDRESS, 256, entropy, null);
  }

  static TokenRequest.Renew renew(SecurityContext context) {
    return new TokenRequest.Renew(
        TrustVersion.OASIS,
        null,
        new ContextName(context.identifier(), context.instance()),
        null,
        0,
        null,
        null);
  }

  static TokenRequest.Cancel cancel(String identifier) {
    return new TokenRequest.Cancel(TrustVersion.OASIS, null, new ContextName(identifier, null));
  }

  /** What an engine makes of a message of that sender; in a context where one protects it. */
  static Opening.Opened opened(String payload, Caller caller, @Nullable SecurityContext context) {
    return new Opening.Opened(
        new PlainMessage(
            SoapVersion.SOAP_1_2,
            List.of(),
            ("<s:Body xmlns:s=\""
                    + SoapVersion.SOAP_1_2.namespace()
                    + "\">"
                    + payload
                    + "</s:Body>")
                .getBytes(StandardCharsets.UTF_8),
            Map.of(),
            null,
            new PlainMessage.Addressing(Namespaces.WSA, "a", "urn:uuid:m1", ADDRESS, null, null)),
        caller,
        new Reply(
            SoapVersion.SOAP_1_2,
            context == null ? new Reply.Keys.None() : new Reply.Keys.InContext(context),
            List.of(),
            "urn:uuid:m1"),
        Findings.NOTHING);
  }

  TokenOutcome ask(TokenRequest request, Caller caller, @Nullable SecurityContext context) {
    return ask(request, caller, context, ORDERS, false);
  }

  TokenOutcome ask(
      TokenRequest request,
      Caller caller,
      @Nullable SecurityContext context,
      TokenEndpoint endpoint,
      boolean tls) {
    return door.answer(
        new TrustAction(request.version(), request.kind()),
        opened(request.payload(), caller, context),
        endpoint,
        tls);
  }

  TokenOutcome.Granted granted(TokenRequest request, @Nullable SecurityContext context) {
    return granted(ask(request, ADA, context));
  }

  static TokenOutcome.Granted granted(TokenOutcome outcome) {
    if (outcome instanceof TokenOutcome.Granted granted) {
      return granted;
    }
    throw new AssertionError("not granted: " + outcome);
  }

  static TokenOutcome.Refused refused(TokenOutcome outcome) {
    if (outcome instanceof TokenOutcome.Refused refused) {
      return refused;
    }
    throw new AssertionError("granted: " + outcome);
  }

  static TokenAnswer.Issued issued(TokenOutcome.Granted granted) {
    if (TokenAnswer.read(body(granted.envelope()))
            instanceof TrustReading.Read<TokenAnswer>(TokenAnswer answer)
        && answer instanceof TokenAnswer.Issued issued) {
      return issued;
    }
    throw new AssertionError("no token in the answer");
  }

  /** The body of an envelope, as a client's engine would hand it on. */
  static byte[] body(byte[] envelope) {
    if (!(SafeXml.parse(envelope, XmlLimits.ofBytes(100_000)) instanceof XmlDocument.Parsed read)) {
      throw new AssertionError("the envelope is not well-formed");
    }
    Element root = read.document().getDocumentElement();
    return XmlText.fragment((Element) root.getLastChild()).getBytes(StandardCharsets.UTF_8);
  }
}
