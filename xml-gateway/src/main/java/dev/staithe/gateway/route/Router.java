package dev.staithe.gateway.route;

import dev.staithe.gateway.evidence.Evidence;
import dev.staithe.gateway.trust.TokenDoor;
import dev.staithe.gateway.trust.TokenEndpoint;
import dev.staithe.gateway.trust.TokenOutcome;
import dev.staithe.service.AuditLog;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one request: judged as a whole, by what was in force when it began, before a byte goes
 * to the back end; its answer protected by the mechanism of the request. Thread-safe.
 */
final class Router {
  private static final Logger log = LoggerFactory.getLogger(Router.class);

  private final Admission admission;
  private final TokenDoor tokens;
  private final Meters meters;
  private final AuditLog audit;
  private final @Nullable Evidence evidence;
  private final Bodies bodies;
  private final MessageThreads apart;

  Router(
      Admission admission,
      TokenDoor tokens,
      Meters meters,
      AuditLog audit,
      @Nullable Evidence evidence,
      Bodies bodies,
      MessageThreads apart) {
    this.admission = admission;
    this.tokens = tokens;
    this.meters = meters;
    this.audit = audit;
    this.evidence = evidence;
    this.bodies = bodies;
    this.apart = apart;
  }

  /** Serves one; answers exactly once. */
  void serve(Endpoint endpoint, Call call) throws IOException {
    long begun = System.nanoTime();
    InForce inForce = endpoint.inForce();
    Meters.Outcome outcome = Meters.Outcome.FAILED;
    try (Bodies.Share share = bodies.share(Request.getRemoteAddr(call.request()))) {
      outcome = route(endpoint, inForce, call, share);
    } finally {
      meters.exchange(
          endpoint.settings().path(), inForce.policy(), outcome, System.nanoTime() - begun);
    }
  }

  private Meters.Outcome route(Endpoint endpoint, InForce inForce, Call call, Bodies.Share share)
      throws IOException {
    String contentType = call.header("Content-Type");
    Optional<SoapVersion> told = Incoming.version(contentType);
    if (told.isEmpty() || contentType == null) {
      // A client that is still sending would not see the answer.
      call.throwAway();
      call.line(415, "text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2) is expected");
      return Meters.Outcome.REFUSED;
    }
    SoapVersion version = told.get();
    long most = endpoint.settings().largest();
    byte[] body;
    try {
      body = call.body(most, share);
    } catch (Bodies.Full e) {
      return refuse(endpoint, inForce, call, version, Refusal.UNAVAILABLE, Bodies.Full.LINE, null);
    }
    if (body == null) {
      Faults fault = Faults.tooLarge(version, most);
      call.soap(fault.status(), version, fault.envelope());
      refused(endpoint, inForce, Refusal.LIMIT, "more than " + most + " bytes", null);
      return Meters.Outcome.REFUSED;
    }
    String soapAction = call.header("SOAPAction");
    if (call.isAmbiguous("SOAPAction")
        || call.isAmbiguous("Content-Type")
        || endpoint.settings().told().isAmbiguous(call.request().getHeaders())) {
      return refuse(
          endpoint, inForce, call, version, Refusal.ACTION, "a header of HTTP came twice", null);
    }
    try {
      return switch (apart.compute(
          // What is in no parts is not looked at yet.
          Incoming.isMultipart(contentType) ? body.length : 0,
          () -> Incoming.read(inForce, version, contentType, soapAction, body))) {
        case Incoming.Reading.Refused(Refusal reason, String detail) ->
            refuse(endpoint, inForce, call, version, reason, detail, null);
        case Incoming.Reading.Read(Incoming incoming, byte[] envelope) ->
            judge(endpoint, inForce, call, share, incoming, envelope);
      };
    } catch (Surroundings.Unavailable e) {
      // Nothing was answered: all that waits for a thread does so before.
      return refuse(
          endpoint,
          inForce,
          call,
          version,
          Refusal.UNAVAILABLE,
          String.valueOf(e.getMessage()),
          null);
    }
  }

  private Meters.Outcome judge(
      Endpoint endpoint,
      InForce inForce,
      Call call,
      Bodies.Share share,
      Incoming incoming,
      byte[] envelope)
      throws IOException {
    Optional<TrustAction> asked =
        apart.compute(
            // Where HTTP tells the action, the message's text is not searched.
            incoming.action() == null ? envelope.length : 0,
            () -> TokenRequests.of(inForce, incoming, envelope));
    Expectation expectation = TokenRequests.expectation(inForce, asked);
    Opening opening = open(inForce, call, expectation, envelope);
    Expectation otherwise = TokenRequests.otherwise(inForce, asked);
    if (otherwise != null && opening instanceof Opening.Refused(Refusal first, String _)) {
      Opening second = open(inForce, call, otherwise, envelope);
      if (second instanceof Opening.Opened) {
        expectation = otherwise;
        opening = second;
      } else if (first == Refusal.POLICY || first == Refusal.NO_SECURITY) {
        // It was not of the conversation at all.
        opening = second;
      }
    }
    return answer(endpoint, inForce, call, share, incoming, envelope, asked, expectation, opening);
  }

  private Opening open(InForce inForce, Call call, Expectation expectation, byte[] envelope) {
    try {
      var arrival = new Arrival(envelope, expectation, admission.transport(call, expectation));
      return admission.open(call, expectation, () -> inForce.engine().open(arrival));
    } catch (Surroundings.Unavailable e) {
      return new Opening.Refused(Refusal.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private Meters.Outcome answer(
      Endpoint endpoint,
      InForce inForce,
      Call call,
      Bodies.Share share,
      Incoming incoming,
      byte[] envelope,
      Optional<TrustAction> asked,
      Expectation expectation,
      Opening opening)
      throws IOException {
    SoapVersion version = incoming.version();
    return switch (opening) {
      case Opening.Refused(Refusal reason, String detail) ->
          refuse(endpoint, inForce, call, version, reason, detail, null);
      case Opening.Unknown(String shape) ->
          refuse(
              endpoint, inForce, call, version, Refusal.POLICY, "no engine knows " + shape, null);
      case Opening.Opened opened -> {
        meters.judged(endpoint.settings().path(), opened.findings().engine());
        Secured secured = new Secured(opened, expectation.answering(opened.findings()));
        yield switch (admission.judge(endpoint, expectation, incoming, asked, opened)) {
          case Admission.Verdict.Refused(Refusal reason, String detail) ->
              refuse(endpoint, inForce, call, version, reason, detail, secured);
          case Admission.Verdict.Admitted(@Nullable String action) ->
              asked.isPresent()
                  ? token(endpoint, inForce, call, asked.get(), secured)
                  : keepAndForward(
                      endpoint,
                      inForce,
                      call,
                      share,
                      new ForwardedRequest(incoming, action, envelope, opened));
        };
      }
    };
  }

  /** A request that was opened, and by what: the answer is protected in the same way. */
  private record Secured(Opening.Opened opened, Expectation expectation) {}

  private Meters.Outcome token(
      Endpoint endpoint, InForce inForce, Call call, TrustAction action, Secured secured) {
    SoapVersion version = secured.opened().message().version();
    TokenEndpoint at =
        new TokenEndpoint(
            endpoint.settings().path(),
            inForce.expectation().policy(),
            List.of(
                endpoint.settings().address().toString(),
                call.addressOr(endpoint.settings()).toString()));
    return switch (tokens.answer(action, secured.opened(), at, call.request().isSecure())) {
      case TokenOutcome.Granted granted -> {
        Sealing sealing =
            seal(
                inForce,
                new Departure(granted.envelope(), secured.opened().reply(), secured.expectation()));
        granted.settle();
        yield switch (sealing) {
          case Sealing.Sealed sealed -> {
            call.content(200, Outgoing.contentType(version, granted.action()), sealed.envelope());
            yield Meters.Outcome.ANSWERED;
          }
          case Sealing.Failed(String line) -> {
            log.error("the answer to a request for a context cannot be protected: {}", line);
            fault(inForce, call, Faults.ours(version), secured);
            yield Meters.Outcome.FAILED;
          }
        };
      }
      case TokenOutcome.Refused(Refusal reason, String detail, byte @Nullable [] envelope) -> {
        meters.refused(endpoint.settings().path(), reason);
        Faults told = Faults.of(version, reason.told(), null);
        fault(
            inForce, call, envelope == null ? told : new Faults(told.status(), envelope), secured);
        yield Meters.Outcome.REFUSED;
      }
    };
  }

  /** Kept before the service sees it: what cannot be kept goes nowhere. */
  private Meters.Outcome keepAndForward(
      Endpoint endpoint, InForce inForce, Call call, Bodies.Share share, ForwardedRequest onward) {
    Opening.Opened opened = onward.opened();
    if (evidence != null && inForce.expectation().evidence()) {
      try {
        evidence.keep(endpoint.settings().path(), inForce.document(), opened);
      } catch (UncheckedIOException e) {
        log.error("a signed message cannot be kept as evidence: {}", e.getMessage(), e);
        return refuse(
            endpoint,
            inForce,
            call,
            opened.message().version(),
            Refusal.UNAVAILABLE,
            "it cannot be kept as evidence",
            new Secured(opened, inForce.expectation().answering(opened.findings())));
      }
    }
    return forward(endpoint, inForce, call, share, onward);
  }

  private Meters.Outcome forward(
      Endpoint endpoint, InForce inForce, Call call, Bodies.Share share, ForwardedRequest onward) {
    Opening.Opened opened = onward.opened();
    CallerFields told = endpoint.settings().told();
    String passed = told.passed(call.request().getHeaders());
    BackEndAnswer answer =
        endpoint
            .backEnd()
            .ask(
                apart.compute(
                    onward.envelope().length,
                    () ->
                        onward.request(
                            inForce.isPlain(), endpoint.backEndAddress(), told, passed, call.id())),
                share);
    return switch (answer) {
      case BackEndAnswer.Failed(BackEndAnswer.Kind kind, String line) ->
          behind(endpoint, inForce, call, opened, kind, line);
      case BackEndAnswer.Answered answered -> deliver(endpoint, inForce, call, opened, answered);
    };
  }

  private Meters.Outcome deliver(
      Endpoint endpoint,
      InForce inForce,
      Call call,
      Opening.Opened opened,
      BackEndAnswer.Answered answered) {
    SoapVersion version = opened.message().version();
    if ((answered.status() == 202 || answered.status() == 204 || answered.status() == 200)
        && answered.body().length == 0) {
      call.nothing(202);
      accepted(endpoint, inForce, opened);
      return Meters.Outcome.ANSWERED;
    }
    String type = answered.contentType();
    boolean status =
        answered.status() == 200
            || answered.status() == 202
            || answered.status() == 400
            || answered.status() == 500;
    if (!status || type == null || Incoming.version(type).isEmpty()) {
      return behind(
          endpoint,
          inForce,
          call,
          opened,
          BackEndAnswer.Kind.NO_SOAP,
          "it answers "
              + answered.status()
              + (Soap.ofContentType(type).isEmpty() ? " and no SOAP" : ""));
    }
    byte[] body;
    switch (apart.compute(
        answered.body().length, () -> AnswerReading.of(endpoint, inForce, type, answered.body()))) {
      case AnswerReading.Read(byte[] read) -> body = read;
      case AnswerReading.Refused(String line) -> {
        return behind(endpoint, inForce, call, opened, BackEndAnswer.Kind.NO_SOAP, line);
      }
    }
    if (inForce.isPlain()) {
      call.content(answered.status(), type, body);
    } else {
      switch (seal(
          inForce,
          new Departure(
              AnswerAddressing.add(
                  body,
                  opened.message(),
                  () -> endpoint.wsdl().actions().ofAnswer(opened.message())),
              opened.reply(),
              inForce.expectation().answering(opened.findings())))) {
        case Sealing.Sealed sealed -> call.soap(answered.status(), version, sealed.envelope());
        case Sealing.Failed(String line) -> {
          return behind(endpoint, inForce, call, opened, BackEndAnswer.Kind.NO_SOAP, line);
        }
      }
    }
    accepted(endpoint, inForce, opened);
    return Meters.Outcome.ANSWERED;
  }

  private Meters.Outcome behind(
      Endpoint endpoint,
      InForce inForce,
      Call call,
      Opening.Opened opened,
      BackEndAnswer.Kind kind,
      String line) {
    log.warn("{}: {}", endpoint.settings().path(), line);
    meters.backEnd(endpoint.settings().path(), kind);
    fault(
        inForce,
        call,
        Faults.behind(opened.message().version(), kind),
        new Secured(opened, inForce.expectation().answering(opened.findings())));
    return Meters.Outcome.BACK_END;
  }

  private Meters.Outcome refuse(
      Endpoint endpoint,
      InForce inForce,
      Call call,
      SoapVersion version,
      Refusal reason,
      String detail,
      @Nullable Secured secured) {
    refused(endpoint, inForce, reason, detail, secured == null ? null : secured.opened().caller());
    Faults fault = Faults.of(version, reason.told(), null);
    if (secured == null) {
      call.soap(fault.status(), version, fault.envelope());
    } else {
      fault(inForce, call, fault, secured);
    }
    return Meters.Outcome.REFUSED;
  }

  /** A fault in the request's SOAP, protected as its answer would be. */
  private void fault(InForce inForce, Call call, Faults fault, Secured secured) {
    byte[] envelope = fault.envelope();
    if (!PassingEngine.knows(secured.expectation().policy())) {
      byte[] addressed = AnswerAddressing.add(envelope, secured.opened().message(), () -> null);
      var departure = new Departure(addressed, secured.opened().reply(), secured.expectation());
      if (seal(inForce, departure) instanceof Sealing.Sealed sealed) {
        envelope = sealed.envelope();
      }
    }
    call.soap(fault.status(), secured.opened().message().version(), envelope);
  }

  private Sealing seal(InForce inForce, Departure departure) {
    Sealing sealing = inForce.engine().protect(departure);
    return sealing instanceof Sealing.Sealed sealed && !admission.leaves(departure, sealed)
        ? new Sealing.Failed("nobody would know the answer if it came back as a request")
        : sealing;
  }

  private void refused(
      Endpoint endpoint, InForce inForce, Refusal reason, String detail, @Nullable Caller caller) {
    meters.refused(endpoint.settings().path(), reason);
    audit
        .line("exchange", reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'))
        .with("endpoint", endpoint.settings().path())
        .with("policy", inForce.policy())
        .with("version", inForce.expectation().policy().version())
        .with("caller", caller == null ? null : caller.subject())
        .with("detail", detail)
        .write();
  }

  private void accepted(Endpoint endpoint, InForce inForce, Opening.Opened opened) {
    if (inForce.isPlain() || !admission.tellsAccepted()) {
      // Nobody said who they are; the access log has the line.
      return;
    }
    audit
        .line("exchange", "ok")
        .with("endpoint", endpoint.settings().path())
        .with("policy", inForce.policy())
        .with("version", inForce.expectation().policy().version())
        .with("caller", opened.caller().subject())
        .with("engine", opened.findings().engine())
        .with("signed", String.join(" ", opened.findings().signed()))
        .with("encrypted", String.join(" ", opened.findings().encrypted()))
        .with("algorithms", String.join(" ", opened.findings().algorithms()))
        .write();
  }
}
