package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.BackEndAnswer;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.xml.SoapVersion;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way, with what was in force when it began, and the ways in which it ends: each
 * answers the caller once, and says what came of it. For one thread.
 */
final class Passage {
  private static final Logger log = LoggerFactory.getLogger(Passage.class);

  final Endpoint endpoint;
  final InForce inForce;
  final Call call;
  private final Router.Shared shared;
  private final long begun = System.nanoTime();

  Passage(Router.Shared shared, Endpoint endpoint, Call call) {
    this.shared = shared;
    this.endpoint = endpoint;
    this.inForce = endpoint.inForce();
    this.call = call;
  }

  /** A request that was opened, and by what: the answer is protected in the same way. */
  record Secured(Opening.Opened opened, Expectation expectation) {
    SoapVersion version() {
      return opened.message().version();
    }
  }

  /** By what the answer to a request of the service is protected. */
  Secured secured(Opening.Opened opened) {
    return new Secured(opened, inForce.expectation().answering(opened.findings()));
  }

  String path() {
    return endpoint.settings().path();
  }

  /** Counts it, with the time that it took. */
  void end(Meters.Outcome outcome) {
    shared.meters().exchange(path(), inForce.policy(), outcome, System.nanoTime() - begun);
  }

  /** Refuses what was not opened: the fault is not protected. */
  Meters.Outcome refuse(SoapVersion version, Refusal reason, String detail) {
    refused(reason, detail, null);
    Faults fault = Faults.of(version, reason.told(), inForce.expectation().policy());
    call.soap(fault.status(), version, fault.envelope());
    return Meters.Outcome.REFUSED;
  }

  /** Refuses what was opened. */
  Meters.Outcome refuse(Secured secured, Refusal reason, String detail) {
    refused(reason, detail, secured.opened().caller());
    fault(Faults.of(secured.version(), reason.told(), inForce.expectation().policy()), secured);
    return Meters.Outcome.REFUSED;
  }

  Meters.Outcome tooLarge(SoapVersion version, long most) {
    Faults fault = Faults.tooLarge(version, most);
    call.soap(fault.status(), version, fault.envelope());
    refused(Refusal.LIMIT, "more than " + most + " bytes", null);
    return Meters.Outcome.REFUSED;
  }

  /** Tells that the service behind did not answer as it should. */
  Meters.Outcome behind(Opening.Opened opened, BackEndAnswer.Kind kind, String line) {
    log.warn("{}: {}", path(), line);
    shared.meters().backEnd(path(), kind);
    fault(Faults.behind(opened.message().version(), kind), secured(opened));
    tell(word(kind), opened);
    return Meters.Outcome.BACK_END;
  }

  /** A fault in the request's SOAP, protected as its answer would be. */
  void fault(Faults fault, Secured secured) {
    byte[] envelope = fault.envelope();
    if (!PassingEngine.knows(secured.expectation().policy())) {
      byte[] addressed = AnswerAddressing.add(envelope, secured.opened().message(), () -> null);
      try {
        if (seal(addressed, secured) instanceof Sealing.Sealed sealed) {
          envelope = sealed.envelope();
        }
      } catch (Surroundings.Unavailable e) {
        // It leaves as it is: a request it could never be.
      }
    }
    call.soap(fault.status(), secured.version(), envelope);
  }

  /**
   * Protects an answer, which must not come back as a request.
   *
   * @throws Surroundings.Unavailable where nobody would know it then: it must not leave
   */
  Sealing seal(byte[] envelope, Secured secured) {
    var departure = new Departure(envelope, secured.opened().reply(), secured.expectation());
    Sealing sealing =
        shared.apart().compute(envelope.length, () -> shared.writer().protect(departure));
    if (sealing instanceof Sealing.Sealed sealed && !shared.admission().leaves(departure, sealed)) {
      throw new Surroundings.Unavailable(
          "nobody would know the answer if it came back as a request", null);
    }
    return sealing;
  }

  private void refused(Refusal reason, String detail, @Nullable Caller caller) {
    shared.meters().refused(path(), reason);
    shared
        .audit()
        .line("exchange", word(reason))
        .with("endpoint", path())
        .with("policy", inForce.policy())
        .with("version", inForce.expectation().policy().version())
        .with("caller", caller == null ? null : caller.subject())
        .with("detail", detail)
        .write();
  }

  private static String word(Enum<?> of) {
    return of.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The service has answered. */
  Meters.Outcome accepted(Opening.Opened opened) {
    tell("ok", opened);
    return Meters.Outcome.ANSWERED;
  }

  /** What became of a message that was accepted. */
  private void tell(String outcome, Opening.Opened opened) {
    if (!shared.admission().tellsAccepted()
        || inForce.isPlain() && opened.caller().subject().isEmpty()) {
      // Nobody said who they are; the access log has the line.
      return;
    }
    shared
        .audit()
        .line("exchange", outcome)
        .with("endpoint", path())
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
