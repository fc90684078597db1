package dev.staithe.gateway.wss;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import java.util.List;

/** Opens one message that TLS protects, with the tokens that the policy asks for. */
final class TransportOpening {
  private final Arrival arrival;
  private final Envelope envelope;

  TransportOpening(Surroundings surroundings, Arrival arrival, Envelope envelope) {
    this.arrival = arrival;
    this.envelope = envelope;
  }

  Opening open() throws Rejection {
    if (!arrival.transport().tls()) {
      throw new Rejection(Refusal.TRANSPORT, "TLS is demanded");
    }
    Caller.Certificate certificate = arrival.transport().certificate();
    if (arrival.expectation().policy().binding() instanceof Binding.Transport transport
        && transport.clientCertificate()
        && certificate == null) {
      throw new Rejection(Refusal.TRANSPORT, "a certificate is demanded");
    }
    if (!arrival.expectation().policy().supporting().isEmpty()) {
      throw new Rejection(Refusal.POLICY, "supporting tokens are not taken yet");
    }
    PlainMessage message = PlainOpening.message(envelope);
    return new Opening.Opened(
        message,
        certificate == null ? new Caller.Anonymous() : certificate,
        new Reply(
            message.version(), new Reply.Keys.None(), List.of(), message.addressing().messageId()),
        Findings.NOTHING);
  }
}
