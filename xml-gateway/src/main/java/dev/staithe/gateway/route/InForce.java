package dev.staithe.gateway.route;

import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint demands of requests that begin now. Immutable: a request keeps the one that it
 * began with until it has been answered.
 *
 * @param policy its name, for people and metrics
 * @param expectation what is demanded of messages to the service
 * @param bootstrap what is demanded of requests for a context; null where there are no contexts
 * @param engine judges and protects
 */
public record InForce(
    String policy, Expectation expectation, @Nullable Expectation bootstrap, Engine engine) {
  /** Whether messages pass as they are: no binding of ours looks into them. */
  boolean isPlain() {
    return EngineChoice.passes(expectation);
  }
}
