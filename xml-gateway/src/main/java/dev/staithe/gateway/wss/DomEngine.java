package dev.staithe.gateway.wss;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;

/**
 * The engine on the document tree: Santuario verifies, and decrypts all but CBC. It takes every
 * form that a policy can ask for. Conclusions are its own: what is covered is judged by the
 * identity of elements at fixed places, and algorithms before anything is computed. Thread-safe.
 */
public final class DomEngine implements Engine {
  private final Surroundings surroundings;

  /** An engine that asks its surroundings for keys and trust, for each message. */
  public DomEngine(Surroundings surroundings) {
    XmlSecurity.begin();
    this.surroundings = surroundings;
  }

  @Override
  public Opening open(Arrival arrival) {
    try {
      Envelope envelope = Envelope.read(arrival.envelope(), arrival.expectation().limits());
      return switch (arrival.expectation().policy().binding()) {
        case Binding.None none ->
            PlainOpening.open(
                envelope, arrival.expectation().limits().canonical(arrival.envelope().length));
        case Binding.Transport transport ->
            new TransportOpening(surroundings, arrival, envelope).open();
        default -> new TreeOpening(surroundings, arrival, envelope).open();
      };
    } catch (RefusedMessage e) {
      return new Opening.Refused(e.reason(), e.detail());
    } catch (LinkageError e) {
      // Classes of SAML are left out; whatever would need them is no token that is taken.
      return new Opening.Refused(Refusal.TOKEN, "a token that nothing here can read");
    }
  }
}
