package dev.staithe.wss.stream;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Pool;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.XmlRefused;
import java.util.List;
import java.util.Map;

/**
 * Passes messages on that nothing, or TLS alone, protects: well-formed, within limits, and an
 * envelope. What it opens has no pieces: such a message goes on in the bytes that came.
 * Thread-safe.
 *
 * <p>Under TLS a security header is none of its business: clients send one although the policy has
 * nothing to say in it, CXF among them, and say that it must be understood. It is left to an engine
 * that takes it off. Where nothing is demanded it belongs to the service behind.
 */
public final class PassingEngine implements Engine {
  private static final int MOST_AT_REST = 64;
  private static final String SECURITY_UNDER_TLS = "a security header under TLS";
  private static final Reply.Keys NO_KEYS = new Reply.Keys.None();
  private static final byte[] NOT_WRITTEN = new byte[0];
  private static final Caller NOBODY = new Caller.Anonymous();

  private final Pool<Workspace> works = new Pool<>(MOST_AT_REST, Workspace::new);

  /** Whether nothing is to be done for a policy but passing on. */
  public static boolean knows(EndpointPolicy policy) {
    return policy.supporting().isEmpty()
        && (policy.binding() instanceof Binding.None
            || policy.binding() instanceof Binding.Transport && !policy.timestamp());
  }

  @Override
  public Opening open(Arrival arrival) {
    if (!knows(arrival.expectation().policy())) {
      return new Opening.Unknown("a policy of another kind");
    }
    Caller.Certificate certificate = arrival.transport().certificate();
    if (arrival.expectation().policy().binding() instanceof Binding.Transport transport) {
      if (!arrival.transport().tls()) {
        return new Opening.Refused(Refusal.TRANSPORT, "TLS is demanded");
      }
      if (transport.clientCertificate() && certificate == null) {
        return new Opening.Refused(Refusal.TRANSPORT, "a certificate is demanded");
      }
    }
    Workspace work = works.take();
    try {
      PlainMessage message = read(arrival, work);
      return new Opening.Opened(
          message,
          certificate == null ? NOBODY : certificate,
          new Reply(message.version(), NO_KEYS, List.of(), message.addressing().messageId()),
          Findings.NOTHING);
    } catch (Rejected e) {
      return new Opening.Refused(e.reason(), String.valueOf(e.getMessage()));
    } catch (XmlRefused e) {
      return new Opening.Refused(StreamEngine.reason(e), e.reason());
    } catch (UnsupportedShape e) {
      return SECURITY_UNDER_TLS.equals(e.getMessage())
          ? new Opening.Unknown(SECURITY_UNDER_TLS)
          : new Opening.Refused(Refusal.MALFORMED, String.valueOf(e.getMessage()));
    } finally {
      work.clear();
      works.give(work);
    }
  }

  private static PlainMessage read(Arrival arrival, Workspace work)
      throws XmlRefused, Rejected, UnsupportedShape {
    EnvelopeScan scan = EnvelopeScan.whole(work, arrival.envelope(), arrival.expectation());
    if (scan.hasSecurity && arrival.expectation().policy().binding() instanceof Binding.Transport) {
      throw new UnsupportedShape(SECURITY_UNDER_TLS);
    }
    return new PlainMessage(
        scan.version,
        List.of(),
        NOT_WRITTEN,
        Map.of(),
        scan.operation,
        EnvelopeScan.addressing(scan.blocks));
  }
}
