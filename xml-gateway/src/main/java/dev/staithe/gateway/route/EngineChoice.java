package dev.staithe.gateway.route;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Streams what can be streamed, and leaves shapes that the stream does not know to the tree, which
 * knows all. Messages that no key protects go to neither. Thread-safe.
 */
public final class EngineChoice implements Engine {
  private final Engine passing;
  private final @Nullable Engine stream;
  private final Engine tree;

  /**
   * @param passing for messages that nothing protects, or TLS alone
   * @param stream the fast one; null for none
   * @param tree the one that knows every accepted shape
   */
  public EngineChoice(Engine passing, @Nullable Engine stream, Engine tree) {
    this.passing = passing;
    this.stream = stream;
    this.tree = tree;
  }

  @Override
  public Opening open(Arrival arrival) {
    if (passes(arrival.expectation())) {
      Opening opening = passing.open(arrival);
      return opening instanceof Opening.Unknown ? tree.open(arrival) : opening;
    }
    if (stream != null && isStreamed(arrival.expectation())) {
      Opening opening = stream.open(arrival);
      if (!(opening instanceof Opening.Unknown)) {
        return opening;
      }
    }
    return tree.open(arrival);
  }

  @Override
  public Sealing protect(Departure departure) {
    if (passes(departure.expectation())) {
      return passing.protect(departure);
    }
    return stream != null && isStreamed(departure.expectation())
        ? stream.protect(departure)
        : tree.protect(departure);
  }

  /** Whether nothing is demanded of messages themselves. */
  static boolean passes(Expectation expectation) {
    EndpointPolicy policy = expectation.policy();
    boolean undemanding =
        policy.supporting().isEmpty() && !policy.timestamp() && !policy.addressing();
    return switch (policy.binding()) {
      case Binding.None none -> undemanding;
      case Binding.Transport transport -> undemanding;
      case Binding.Asymmetric asymmetric -> false;
      case Binding.Conversation conversation -> false;
      case Binding.EncryptedKey encryptedKey -> false;
      case Binding.UsernameKeys usernameKeys -> false;
    };
  }

  private static boolean isStreamed(Expectation expectation) {
    return switch (expectation.policy().binding()) {
      case Binding.Asymmetric asymmetric -> true;
      case Binding.Conversation conversation -> true;
      case Binding.None none -> false;
      case Binding.Transport transport -> false;
      case Binding.EncryptedKey encryptedKey -> false;
      case Binding.UsernameKeys usernameKeys -> false;
    };
  }
}
