package dev.staithe.gateway.route;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.wss.stream.StreamEngine;
import org.jspecify.annotations.Nullable;

/**
 * Streams what can be streamed, and leaves shapes that the stream does not know to the tree, which
 * knows all. Messages that no key protects go to neither. Thread-safe.
 */
public final class EngineChoice implements Engine {
  private final PassingEngine passing;
  private final @Nullable StreamEngine stream;
  private final Engine tree;
  private final Apart apart;

  /**
   * @param passing for messages that nothing protects, or TLS alone
   * @param stream the fast one; null for none
   * @param tree the one that knows every accepted shape
   * @param apart where long messages are computed
   */
  public EngineChoice(
      PassingEngine passing, @Nullable StreamEngine stream, Engine tree, Apart apart) {
    this.passing = passing;
    this.stream = stream;
    this.tree = tree;
    this.apart = apart;
  }

  @Override
  public Opening open(Arrival arrival) {
    return apart.compute(arrival.envelope().length, () -> openHere(arrival));
  }

  private Opening openHere(Arrival arrival) {
    EndpointPolicy policy = arrival.expectation().policy();
    if (PassingEngine.knows(policy)) {
      Opening opening = passing.open(arrival);
      if (!(opening instanceof Opening.Unknown)) {
        return opening;
      }
    } else if (stream != null && StreamEngine.knows(policy)) {
      Opening opening = stream.open(arrival);
      if (!(opening instanceof Opening.Unknown)) {
        return opening;
      }
    }
    return tree.open(arrival);
  }

  @Override
  public Sealing protect(Departure departure) {
    return apart.compute(departure.envelope().length, () -> protectHere(departure));
  }

  private Sealing protectHere(Departure departure) {
    EndpointPolicy policy = departure.expectation().policy();
    if (PassingEngine.knows(policy)) {
      return passing.protect(departure);
    }
    if (stream != null && StreamEngine.knows(policy)) {
      Sealing sealing = stream.protect(departure);
      if (sealing instanceof Sealing.Sealed) {
        return sealing;
      }
    }
    return tree.protect(departure);
  }
}
