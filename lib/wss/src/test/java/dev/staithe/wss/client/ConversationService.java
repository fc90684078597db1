package dev.staithe.wss.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A service on 127.0.0.1 under the policy {@code conversation}: it gives contexts out, renews and
 * cancels them, and answers what is said in one. It can be made to forget, to refuse, and to lie.
 */
final class ConversationService implements AutoCloseable {
  static final String PAYLOAD = "<heard xmlns=\"urn:t\">all of it</heard>";
  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String ENDPOINT = "e";

  final EndpointPolicy policy = BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
  final Map<String, SecurityContext> contexts = new ConcurrentHashMap<>();

  /** What was asked, as {@code issue}, {@code renew}, {@code cancel} and {@code call}. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** Envelopes as they came. */
  final List<byte[]> envelopes = new CopyOnWriteArrayList<>();

  /** How long contexts live. */
  volatile Duration lifetime = Duration.ofMinutes(10);

  /** Whether each context is forgotten as soon as it was given out. */
  volatile boolean forgetful;

  /** What becomes of what is told of a context. */
  volatile UnaryOperator<TokenAnswer> telling = UnaryOperator.identity();

  /** What becomes of the octets of each answer. */
  volatile UnaryOperator<byte[]> sending = UnaryOperator.identity();

  /** The type of each answer. */
  volatile String type = "text/xml; charset=utf-8";

  private final Clock clock;
  private final Credential client;
  private final Credential service;
  private final Surroundings surroundings;
  private final StreamEngine engine;
  private final HttpServer server;

  ConversationService(Path folder, Clock clock) throws IOException {
    this.clock = clock;
    var authority = ThrowAwayAuthority.in(folder, clock);
    client = authority.host(request("client")).credential();
    service = authority.host(request("service")).credential();
    surroundings =
        new Surroundings(
            () -> service,
            chain -> new Surroundings.Judgement.Trusted(new Caller.Certificate("/CN=c", chain)),
            (identifier, instance) -> {
              SecurityContext known = contexts.get(identifier);
              return known != null && clock.instant().isBefore(known.expires()) ? known : null;
            },
            new Nobody(),
            clock);
    engine = new StreamEngine(surroundings);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  private static HostCertificateRequest request(String name) {
    return new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(1));
  }

  private static final class Nobody implements Surroundings.Passwords {
    @Override
    public boolean check(String username, char[] password) {
      return false;
    }

    @Override
    public byte @Nullable [] of(String username) {
      return null;
    }
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + ENDPOINT);
  }

  /** Whoever may ask for a context. */
  Holder holder() {
    return Holder.of(client, service.certificate());
  }

  long count(String what) {
    return asked.stream().filter(what::equals).count();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] envelope = exchange.getRequestBody().readAllBytes();
    envelopes.add(envelope);
    String action = exchange.getRequestHeaders().getFirst("SOAPAction").replace("\"", "");
    byte[] answer = sending.apply(answer(action, envelope));
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private byte[] answer(String action, byte[] envelope) {
    TrustAction.Kind kind = TrustAction.of(action).map(TrustAction::kind).orElse(null);
    asked.add(kind == null ? "call" : kind.word());
    EndpointPolicy under =
        kind == TrustAction.Kind.ISSUE
            ? ((Binding.Conversation) policy.binding()).bootstrap()
            : policy;
    var expectation =
        new Expectation(ENDPOINT, under, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false);
    return switch (engine.open(new Arrival(envelope, expectation, Arrival.TransportFacts.PLAIN))) {
      case Opening.Opened opened -> {
        String payload = kind == null ? PAYLOAD : told(opened.message().body());
        yield payload == null
            ? fault("UnableToRenew")
            : sealed(envelope(relates(opened), payload), opened, expectation);
      }
      case Opening.Refused(Refusal reason, String detail) ->
          fault(reason == Refusal.CONTEXT ? "BadContextToken" : "InvalidSecurity");
      case Opening.Unknown(String shape) -> throw new AssertionError(shape);
    };
  }

  private byte[] sealed(byte[] plain, Opening.Opened opened, Expectation expectation) {
    Sealing sealing =
        new AnswerWriter(surroundings).protect(new Departure(plain, opened.reply(), expectation));
    return sealing instanceof Sealing.Sealed sealed ? sealed.envelope() : fault("Failed");
  }

  private @Nullable String told(byte[] body) {
    if (!(TokenRequest.read(body) instanceof TrustReading.Read<TokenRequest>(var request))) {
      throw new AssertionError("no request that is read");
    }
    Instant now = clock.instant();
    TokenAnswer answer =
        switch (request) {
          case TokenRequest.Issue issue -> issued(issue, now);
          case TokenRequest.Renew renew -> renewed(renew, now);
          case TokenRequest.Cancel cancel -> {
            contexts.remove(cancel.target().identifier());
            yield new TokenAnswer.Cancelled(cancel.version(), cancel.context());
          }
        };
    return answer == null ? null : telling.apply(answer).payload();
  }

  private TokenAnswer issued(TokenRequest.Issue request, Instant now) {
    byte[] entropy = new byte[32];
    new SecureRandom().nextBytes(entropy);
    var answer =
        new TokenAnswer.Issued(
            request.version(),
            request.context(),
            request.tokenVersion(),
            new ContextName("urn:uuid:" + UUID.randomUUID(), null),
            "token",
            request.appliesTo(),
            new TokenAnswer.Key.Computed(entropy),
            request.keyBits(),
            now,
            now.plus(lifetime));
    byte[] secret = answer.secret(request.entropy(), null, 256);
    if (!forgetful && secret != null) {
      keep(answer, secret);
    }
    return answer;
  }

  /** For as long again, with the same key; null where it is unknown, or nothing is renewed. */
  private @Nullable TokenAnswer renewed(TokenRequest.Renew request, Instant now) {
    SecurityContext known = contexts.get(request.target().identifier());
    byte[] secret = known == null ? null : known.secret();
    if (secret == null || lifetime.isZero()) {
      return null;
    }
    var answer =
        new TokenAnswer.Issued(
            request.version(),
            request.context(),
            request.version(),
            request.target(),
            "token",
            request.appliesTo(),
            new TokenAnswer.Key.Unspecified(),
            0,
            now,
            now.plus(lifetime));
    keep(answer, secret);
    return answer;
  }

  private void keep(TokenAnswer.Issued answer, byte[] secret) {
    Instant created = answer.created();
    Instant expires = answer.expires();
    if (created == null || expires == null) {
      throw new AssertionError("a context ends");
    }
    contexts.put(
        answer.name().identifier(),
        new SecurityContext(
            answer.name().identifier(),
            answer.name().instance(),
            answer.tokenVersion().conversation(),
            ENDPOINT,
            policy.version(),
            new Caller.Username("ada"),
            created,
            expires,
            secret));
  }

  /** As a gateway says it, by which a client knows an answer of this request from others. */
  private static String relates(Opening.Opened opened) {
    return "<s:Header><a:RelatesTo xmlns:a=\""
        + Namespaces.WSA
        + "\">"
        + opened.message().addressing().messageId()
        + "</a:RelatesTo></s:Header>";
  }

  private static byte[] envelope(String header, String payload) {
    return ("<s:Envelope xmlns:s=\""
            + SOAP
            + "\">"
            + header
            + "<s:Body>"
            + payload
            + "</s:Body></s:Envelope>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] fault(String code) {
    return envelope(
        "",
        "<s:Fault><faultcode xmlns:w=\"urn:w\">w:"
            + code
            + "</faultcode><faultstring>no</faultstring></s:Fault>");
  }

  /** What a call is answered with, without a connection. */
  byte[] answerTo(SecuredRequest request) {
    return answer(request.action(), request.envelope());
  }

  /** All envelopes that are not requests for a context, as text. */
  List<String> calls() {
    var calls = new ArrayList<String>();
    for (int i = 0; i < asked.size(); i++) {
      if (asked.get(i).equals("call")) {
        calls.add(new String(envelopes.get(i), StandardCharsets.UTF_8));
      }
    }
    return calls;
  }

  SoapCaller caller() {
    try {
      return new SoapCaller(address(), policy, holder(), null, clock);
    } catch (UnusableMessage e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
