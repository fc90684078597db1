package dev.staithe.gateway.route;

import dev.staithe.gateway.mime.MediaType;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.service.door.BearerToken;
import dev.staithe.service.http.TrustedProxies;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.wss.trust.TrustAction;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Everything that is judged beside the message itself. Thread-safe. */
final class Admission {
  private static final String NONE = "http://www.w3.org/2005/08/addressing/none";
  private static final Set<String> BACK_THE_SAME_WAY =
      Set.of(
          "http://www.w3.org/2005/08/addressing/anonymous",
          "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
          NONE);

  /** What came of it. */
  sealed interface Verdict {
    /**
     * It may go on.
     *
     * @param action what the service is told that it is for; null: nothing
     */
    record Admitted(@Nullable String action) implements Verdict {}

    /** It goes nowhere. */
    record Refused(Refusal reason, String detail) implements Verdict {}
  }

  private final Judges judges;
  private final Reflections reflections;

  Admission(Judges judges) {
    this.judges = judges;
    this.reflections = new Reflections(judges.replays(), judges.clock());
  }

  /** Whether the audit log has messages that were accepted. */
  boolean tellsAccepted() {
    return judges.tellsAccepted();
  }

  /** Opens a message, slowly where it may be one guess of many. */
  Opening open(Call call, Expectation expectation, Supplier<Opening> opening) {
    return wantsPassword(expectation.policy())
        ? judges.brake().open(call.client(), opening)
        : opening.get();
  }

  private static boolean wantsPassword(EndpointPolicy policy) {
    return policy.binding() instanceof Binding.UsernameKeys
        || policy.supporting().stream()
            .anyMatch(
                each ->
                    each.kind() == SupportingToken.Kind.USERNAME_TEXT
                        || each.kind() == SupportingToken.Kind.USERNAME_DIGEST);
  }

  /** What TLS and HTTP say of the sender, as far as the policy asks. */
  Arrival.TransportFacts transport(Call call, Expectation expectation) {
    Binding binding = expectation.policy().binding();
    List<SupportingToken> supporting = expectation.policy().supporting();
    if (binding instanceof Binding.None && supporting.isEmpty()) {
      return Arrival.TransportFacts.PLAIN;
    }
    Request request = call.request();
    Caller.Certificate certificate =
        binding instanceof Binding.Transport(boolean wanted) && wanted
            ? judge(shown(request))
            : null;
    Caller.Token bearer = null;
    if (supporting.stream().anyMatch(each -> each.kind() == SupportingToken.Kind.BEARER)) {
      String token = BearerToken.of(request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION));
      bearer = token == null ? null : judges.bearers().apply(token);
    }
    return new Arrival.TransportFacts(request.isSecure(), certificate, bearer);
  }

  private Caller.@Nullable Certificate judge(List<X509Certificate> shown) {
    return shown.isEmpty() ? null : judges.certificates().apply(shown);
  }

  /** What TLS showed; empty where nothing, or where the certificate is that of a proxy in front. */
  private static List<X509Certificate> shown(Request request) {
    if (request.getAttribute(TrustedProxies.THROUGH_PROXY) != null) {
      return List.of();
    }
    EndPoint.SslSessionData tls =
        request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    X509Certificate[] chain = tls == null ? null : tls.peerCertificates();
    return chain == null ? List.of() : List.of(chain);
  }

  /** Whether a message that is protected as demanded may go on. */
  Verdict judge(
      Endpoint endpoint,
      Expectation expectation,
      Incoming incoming,
      Optional<TrustAction> asked,
      Opening.Opened opened) {
    PlainMessage message = opened.message();
    if (message.version() != incoming.version()) {
      return new Verdict.Refused(
          Refusal.MALFORMED, "the media type is that of the other version of SOAP");
    }
    if (!MediaType.isUnambiguous(incoming.contentType())) {
      return new Verdict.Refused(
          Refusal.MALFORMED, "the media type can be read in two ways, or names another charset");
    }
    if (!isAnswerable(opened.reply().keys(), expectation.policy())) {
      // Else the service would act, and nobody would be told.
      return new Verdict.Refused(
          Refusal.POLICY, "answers are encrypted for the signer, whose key is not RSA");
    }
    Verdict addressing = addressing(endpoint, expectation, incoming, message.addressing());
    if (addressing != null) {
      return addressing;
    }
    String action = message.addressing().action();
    if (action != null) {
      action = action.strip();
      boolean contexts =
          asked.isPresent() || expectation.policy().binding() instanceof Binding.Conversation;
      if (contexts && !TrustAction.of(action).equals(asked)) {
        // HTTP said nothing, and the message says elsewhere what it is for.
        return new Verdict.Refused(Refusal.ACTION, "the action is not what the message is for");
      }
    } else if (InForce.isOfTransport(expectation)) {
      action = incoming.action();
    } else if (asked.isEmpty()) {
      // Nothing vouches for what HTTP says; but for the body, and so for what it stands for.
      action = described(endpoint, message);
      if (action != null && incoming.action() != null && !action.equals(incoming.action())) {
        return new Verdict.Refused(
            Refusal.ACTION, "the action of HTTP is not that of the signed body");
      }
    }
    Verdict again = once(opened.findings().once());
    if (again != null) {
      return again;
    }
    // After the mark: where its memory was lost meanwhile the store knows no message from before.
    Instant created = opened.findings().created();
    if (created != null && created.isBefore(judges.replays().since())) {
      return new Verdict.Refused(
          Refusal.STALE, "made before this gateway began to remember what came");
    }
    Set<String> callers = endpoint.settings().callers();
    if (!callers.isEmpty() && !callers.contains(opened.caller().subject())) {
      return new Verdict.Refused(Refusal.NOT_ALLOWED, "not among the callers of the endpoint");
    }
    return new Verdict.Admitted(action);
  }

  /** Of keys of certificates only those of RSA take what is encrypted (RFC 8017 section 7.1). */
  private static boolean isAnswerable(Reply.Keys keys, EndpointPolicy policy) {
    return !(keys instanceof Reply.Keys.ToCertificate(X509Certificate certificate))
        || certificate.getPublicKey().getAlgorithm().equals("RSA")
        || !policy.encrypts();
  }

  /** What the service's description says that a body is for; null where it says nothing. */
  private static @Nullable String described(Endpoint endpoint, PlainMessage message) {
    String action = endpoint.wsdl().actions().of(message);
    return action != null && Outgoing.isSafe(action) ? action : null;
  }

  /**
   * An answer that leaves must not come back as a request.
   *
   * @return whether it may leave
   */
  boolean leaves(Departure departure, Sealing.Sealed sealed) {
    return reflections.remember(
        departure.reply().keys(), sealed.signature(), departure.expectation());
  }

  /** Only what was verified comes here; null for what did not come before. */
  private @Nullable Verdict once(List<Findings.Once> once) {
    if (once.isEmpty()) {
      return null;
    }
    ReplayCache.Mark mark = judges.replays().mark(once);
    Instant now = judges.clock().instant();
    return switch (mark) {
      // Whoever was asked meanwhile may have taken long; marks are kept until then, and no longer.
      case ReplayCache.Mark.First first ->
          once.stream().allMatch(each -> each.until().isAfter(now))
              ? null
              : new Verdict.Refused(Refusal.STALE, "too old by the time that it was judged");
      case ReplayCache.Mark.Replay again -> new Verdict.Refused(Refusal.REPLAY, "it came before");
      case ReplayCache.Mark.Unavailable(String line) ->
          new Verdict.Refused(Refusal.UNAVAILABLE, line);
    };
  }

  /** Null where nothing is wrong with it. */
  private static @Nullable Verdict addressing(
      Endpoint endpoint,
      Expectation expectation,
      Incoming incoming,
      PlainMessage.Addressing addressing) {
    String action = addressing.action() == null ? null : addressing.action().strip();
    String transport = incoming.action();
    if (action != null && transport != null && !action.equals(transport)) {
      return new Verdict.Refused(
          Refusal.ACTION, "the action of HTTP is not the one in the message");
    }
    if ((action != null && !Outgoing.isSafe(action))
        || (transport != null && !Outgoing.isSafe(transport))) {
      return new Verdict.Refused(Refusal.ACTION, "the action is no URI");
    }
    if (isElsewhere(addressing.replyTo()) || isElsewhere(addressing.faultTo())) {
      // The back end would send its answer there, unprotected.
      return new Verdict.Refused(Refusal.ACTION, "the answer is wanted somewhere else");
    }
    String to = addressing.to();
    if (to != null && !PassingEngine.knows(expectation.policy()) && !isFor(endpoint, to.strip())) {
      return new Verdict.Refused(Refusal.ACTION, "the message is for another address");
    }
    return null;
  }

  private static boolean isElsewhere(@Nullable String answers) {
    return answers != null && !BACK_THE_SAME_WAY.contains(answers.strip());
  }

  private static boolean isFor(Endpoint endpoint, String to) {
    if (BACK_THE_SAME_WAY.contains(to)) {
      return true;
    }
    try {
      return endpoint.settings().isHere(URI.create(to));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
