package dev.staithe.wss.stream;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Pool;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.XmlRefused;

/**
 * Opens messages of X.509 (asymmetric binding) and SecureConversation without a tree: the message
 * is read once, what is signed is written in canonical form while it is read, and what leaves are
 * the bytes that were digested. A shape that these policies do not prescribe, or a policy with more
 * to it, is {@link Opening.Unknown}. Thread-safe.
 */
public final class StreamEngine implements Engine {
  private static final int MOST_AT_REST = 64;

  private final Surroundings surroundings;
  private final Certificates certificates;
  private final Pool<Workspace> works = new Pool<>(MOST_AT_REST, Workspace::new);

  /** An engine in its surroundings. */
  public StreamEngine(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.certificates = new Certificates(surroundings);
  }

  /**
   * Whether messages of a policy may be of a shape that is known here. Where not, every message is
   * {@link Opening.Unknown}.
   */
  public static boolean knows(EndpointPolicy policy) {
    return (policy.binding() instanceof Binding.Asymmetric
            || policy.binding() instanceof Binding.Conversation)
        && policy.supporting().isEmpty()
        && !policy.encryptBeforeSigning()
        && !policy.encryptSignature()
        && policy.encrypted().headers().isEmpty()
        && !policy.encrypted().attachments()
        && !policy.signed().attachments();
  }

  @Override
  public Opening open(Arrival arrival) {
    if (!knows(arrival.expectation().policy())) {
      return new Opening.Unknown("a policy of another kind");
    }
    if (arrival.expectation().renewal()) {
      return new Opening.Unknown("a renewal, which may be endorsed");
    }
    Workspace work = works.take();
    try {
      return MessageOpening.open(surroundings, certificates, arrival, work);
    } catch (UnsupportedShape e) {
      return new Opening.Unknown(line(e));
    } catch (Rejected e) {
      return new Opening.Refused(e.reason(), line(e));
    } catch (XmlRefused e) {
      return new Opening.Refused(reason(e), e.reason());
    } finally {
      work.clear();
      works.give(work);
    }
  }

  static Refusal reason(XmlRefused refused) {
    return switch (refused.kind()) {
      case TOO_LARGE, OVER_LIMIT -> Refusal.LIMIT;
      case FORBIDDEN, MALFORMED -> Refusal.MALFORMED;
    };
  }

  private static String line(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
