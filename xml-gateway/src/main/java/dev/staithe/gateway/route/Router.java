package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.BackEndAnswer;
import dev.staithe.gateway.backend.BackEndRequest;
import dev.staithe.gateway.backend.Bodies;
import dev.staithe.gateway.backend.CallerFields;
import dev.staithe.gateway.engine.MessageThreads;
import dev.staithe.gateway.evidence.Evidence;
import dev.staithe.gateway.mime.MediaType;
import dev.staithe.gateway.trust.TokenDoor;
import dev.staithe.gateway.trust.TokenEndpoint;
import dev.staithe.gateway.trust.TokenOutcome;
import dev.staithe.service.log.AuditLog;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one request: judged as a whole, by what was in force when it began, before a byte goes
 * to the back end; its answer protected by the mechanism of the request. Thread-safe.
 */
final class Router {
  private static final Logger log = LoggerFactory.getLogger(Router.class);

  /**
   * What all requests share.
   *
   * @param evidence keeps signed messages; null where no endpoint wants that
   * @param apart where long messages are computed
   * @param writer of protected answers
   */
  record Shared(
      Admission admission,
      TokenDoor tokens,
      Meters meters,
      AuditLog audit,
      @Nullable Evidence evidence,
      Bodies bodies,
      MessageThreads apart,
      AnswerWriter writer) {}

  private final Shared shared;

  Router(Shared shared) {
    this.shared = shared;
  }

  /** Serves one; answers exactly once. */
  void serve(Endpoint endpoint, Call call) throws IOException {
    Passage passage = new Passage(shared, endpoint, call);
    Meters.Outcome outcome = Meters.Outcome.FAILED;
    Bodies.Share share = shared.bodies().share(call.client());
    call.whenTaken(share::close);
    try {
      outcome = route(passage, share);
    } catch (IOException | RuntimeException | Error e) {
      // No answer is on its way that would give it back.
      share.close();
      throw e;
    } finally {
      passage.end(outcome);
    }
  }

  private Meters.Outcome route(Passage passage, Bodies.Share share) throws IOException {
    Call call = passage.call;
    String contentType = call.header("Content-Type");
    Optional<SoapVersion> told = Incoming.version(contentType);
    if (told.isEmpty() || contentType == null) {
      // A client that is still sending would not see the answer.
      call.throwAway();
      call.line(415, "text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2) is expected");
      return Meters.Outcome.REFUSED;
    }
    SoapVersion version = told.get();
    long most = passage.endpoint.settings().largest();
    byte[] body;
    try {
      body = call.body(most, share);
      if (body != null) {
        share.reserve();
      }
    } catch (Bodies.Full e) {
      return passage.refuse(version, Refusal.UNAVAILABLE, Bodies.Full.LINE);
    }
    if (body == null) {
      return passage.tooLarge(version, most);
    }
    String soapAction = call.header("SOAPAction");
    if (call.isAmbiguous("SOAPAction")
        || call.isAmbiguous("Content-Type")
        || passage.endpoint.settings().told().isAmbiguous(call.request().getHeaders())) {
      return passage.refuse(version, Refusal.ACTION, "a header of HTTP came twice");
    }
    try {
      return switch (shared
          .apart()
          .compute(
              // What is in no parts, and in UTF-8, is not looked at yet.
              MediaType.isMultipart(contentType) || MediaType.isLatin(contentType)
                  ? body.length
                  : 0,
              () -> Incoming.read(passage.inForce, version, contentType, soapAction, body))) {
        case Incoming.Reading.Refused(Refusal reason, String detail) ->
            passage.refuse(version, reason, detail);
        case Incoming.Reading.Read read -> judge(passage, share, read);
      };
    } catch (Surroundings.Unavailable e) {
      // Nothing was answered, and the service not called.
      return passage.refuse(version, Refusal.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private Meters.Outcome judge(Passage passage, Bodies.Share share, Incoming.Reading.Read read) {
    InForce inForce = passage.inForce;
    Incoming incoming = read.incoming();
    byte[] judged = read.judged();
    Optional<TrustAction> asked =
        shared
            .apart()
            .compute(
                // Where HTTP tells the action, the message's text is not searched.
                incoming.action() == null ? judged.length : 0,
                () -> TokenRequests.of(inForce, incoming, judged));
    Expectation expectation = TokenRequests.expectation(inForce, asked);
    Opening opening = open(passage, expectation, judged);
    Expectation otherwise = TokenRequests.otherwise(inForce, asked);
    if (otherwise != null && opening instanceof Opening.Refused(Refusal first, String _)) {
      Opening second = open(passage, otherwise, judged);
      if (second instanceof Opening.Opened) {
        expectation = otherwise;
        opening = second;
      } else if (first == Refusal.POLICY || first == Refusal.NO_SECURITY) {
        // It was not of the conversation at all.
        opening = second;
      }
    }
    return switch (opening) {
      case Opening.Refused(Refusal reason, String detail) ->
          passage.refuse(incoming.version(), reason, detail);
      case Opening.Unknown(String shape) ->
          passage.refuse(incoming.version(), Refusal.POLICY, "no engine knows " + shape);
      case Opening.Opened opened -> {
        shared.meters().judged(passage.path(), opened.findings().engine());
        var secured = new Passage.Secured(opened, expectation.answering(opened.findings()));
        yield switch (shared
            .admission()
            .judge(passage.endpoint, expectation, incoming, asked, opened)) {
          case Admission.Verdict.Refused(Refusal reason, String detail) ->
              passage.refuse(secured, reason, detail);
          case Admission.Verdict.Admitted(@Nullable String action) ->
              asked.isPresent()
                  ? token(passage, asked.get(), secured)
                  : keepAndForward(
                      passage,
                      share,
                      new ForwardedRequest(incoming, action, read.envelope(), opened));
        };
      }
    };
  }

  private Opening open(Passage passage, Expectation expectation, byte[] envelope) {
    Admission admission = shared.admission();
    try {
      var arrival =
          new Arrival(envelope, expectation, admission.transport(passage.call, expectation));
      return admission.open(
          passage.call, expectation, () -> passage.inForce.engine().open(arrival));
    } catch (Surroundings.Unavailable e) {
      return new Opening.Refused(Refusal.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private Meters.Outcome token(Passage passage, TrustAction action, Passage.Secured secured) {
    Endpoint.Settings settings = passage.endpoint.settings();
    Call call = passage.call;
    SoapVersion version = secured.version();
    TokenEndpoint at =
        new TokenEndpoint(
            settings.path(),
            passage.inForce.expectation().policy(),
            List.of(settings.address().toString(), call.addressOr(settings).toString()));
    return switch (shared
        .tokens()
        .answer(action, secured.opened(), at, call.request().isSecure())) {
      case TokenOutcome.Granted granted -> {
        Sealing sealing;
        try {
          sealing = passage.seal(granted.envelope(), secured);
        } finally {
          granted.settle();
        }
        yield switch (sealing) {
          case Sealing.Sealed sealed -> {
            call.content(200, Outgoing.contentType(version, granted.action()), sealed.envelope());
            yield Meters.Outcome.ANSWERED;
          }
          case Sealing.Failed(String line) -> {
            log.error("the answer to a request for a context cannot be protected: {}", line);
            passage.fault(Faults.ours(version), secured);
            yield Meters.Outcome.FAILED;
          }
        };
      }
      case TokenOutcome.Refused(Refusal reason, String detail, byte @Nullable [] envelope) -> {
        shared.meters().refused(settings.path(), reason);
        Faults told = Faults.of(version, reason.told(), passage.inForce.expectation().policy());
        passage.fault(envelope == null ? told : new Faults(told.status(), envelope), secured);
        yield Meters.Outcome.REFUSED;
      }
    };
  }

  /** Kept before the service sees it: what cannot be kept goes nowhere. */
  private Meters.Outcome keepAndForward(
      Passage passage, Bodies.Share share, ForwardedRequest onward) {
    Opening.Opened opened = onward.opened();
    Evidence evidence = shared.evidence();
    if (evidence != null && passage.inForce.expectation().evidence()) {
      try {
        evidence.keep(passage.path(), passage.inForce.document(), opened);
      } catch (UncheckedIOException e) {
        log.error("a signed message cannot be kept as evidence: {}", e.getMessage(), e);
        return passage.refuse(
            passage.secured(opened), Refusal.UNAVAILABLE, "it cannot be kept as evidence");
      }
    }
    return forward(passage, share, onward);
  }

  private Meters.Outcome forward(Passage passage, Bodies.Share share, ForwardedRequest onward) {
    Endpoint endpoint = passage.endpoint;
    CallerFields told = endpoint.settings().told();
    String passed = told.passed(passage.call.request().getHeaders());
    BackEndRequest request =
        shared
            .apart()
            .compute(
                onward.envelope().length,
                () ->
                    onward.request(
                        passage.inForce.isPlain(),
                        endpoint.backEndAddress(),
                        told,
                        passed,
                        passage.call.id()));
    return switch (endpoint.backEnd().ask(request, share)) {
      case BackEndAnswer.Failed(BackEndAnswer.Kind kind, String line) ->
          passage.behind(onward.opened(), kind, line);
      case BackEndAnswer.Answered answered -> delivered(passage, onward.opened(), answered);
    };
  }

  private Meters.Outcome delivered(
      Passage passage, Opening.Opened opened, BackEndAnswer.Answered answered) {
    try {
      return deliver(passage, opened, answered);
    } catch (Surroundings.Unavailable e) {
      // Nothing was answered: all that waits for a thread, or a mark, does so before.
      return passage.behind(
          opened, BackEndAnswer.Kind.NO_ROOM, "its answer is lost here: " + e.getMessage());
    }
  }

  private Meters.Outcome deliver(
      Passage passage, Opening.Opened opened, BackEndAnswer.Answered answered) {
    int status = answered.status();
    if ((status == 202 || status == 204 || status == 200) && answered.body().length == 0) {
      passage.call.nothing(202);
      return passage.accepted(opened);
    }
    String type = answered.contentType();
    boolean expected = status == 200 || status == 202 || status == 400 || status == 500;
    if (!expected || type == null || Incoming.version(type).isEmpty()) {
      return passage.behind(
          opened,
          BackEndAnswer.Kind.NO_SOAP,
          "it answers " + status + (Soap.ofContentType(type).isEmpty() ? " and no SOAP" : ""));
    }
    AnswerReading reading =
        shared
            .apart()
            .compute(
                answered.body().length,
                () ->
                    AnswerReading.of(
                        passage.endpoint, passage.inForce, shared.writer(), type, answered.body()));
    return switch (reading) {
      case AnswerReading.Refused(String line) ->
          passage.behind(opened, BackEndAnswer.Kind.NO_SOAP, line);
      case AnswerReading.Read(byte[] body) when passage.inForce.isPlain() -> {
        passage.call.content(status, type, body);
        yield passage.accepted(opened);
      }
      case AnswerReading.Read(byte[] body) -> {
        byte[] addressed =
            AnswerAddressing.add(
                body,
                opened.message(),
                () -> passage.endpoint.wsdl().actions().ofAnswer(opened.message()));
        yield switch (passage.seal(addressed, passage.secured(opened))) {
          case Sealing.Sealed sealed -> {
            passage.call.soap(status, opened.message().version(), sealed.envelope());
            yield passage.accepted(opened);
          }
          case Sealing.Failed(String line) ->
              passage.behind(opened, BackEndAnswer.Kind.NO_SOAP, line);
        };
      }
    };
  }
}
