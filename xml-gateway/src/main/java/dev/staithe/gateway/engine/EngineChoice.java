package dev.staithe.gateway.engine;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Opening;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.PassingEngine;
import org.jspecify.annotations.Nullable;

/**
 * Asks the engine that an endpoint prefers, and leaves shapes that it does not know to the tree,
 * which knows all. Messages that no key protects go to neither. Thread-safe.
 */
public final class EngineChoice implements Engine {
  private final PassingEngine passing;
  private final @Nullable Engine preferred;
  private final Engine tree;
  private final MessageThreads apart;

  /**
   * @param passing for messages that nothing protects, or TLS alone
   * @param preferred the fast one, or both; null for the tree alone
   * @param tree the one that knows every accepted shape
   * @param apart where long messages are computed
   */
  public EngineChoice(
      PassingEngine passing, @Nullable Engine preferred, Engine tree, MessageThreads apart) {
    this.passing = passing;
    this.preferred = preferred;
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
    } else if (preferred != null) {
      Opening opening = preferred.open(arrival);
      if (!(opening instanceof Opening.Unknown)) {
        return opening;
      }
    }
    return tree.open(arrival);
  }
}
