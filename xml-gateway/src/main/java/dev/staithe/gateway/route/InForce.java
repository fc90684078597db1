package dev.staithe.gateway.route;

import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.stream.PassingEngine;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint demands of requests that begin now. Immutable: a request keeps the one that it
 * began with until it has been answered.
 *
 * @param policy its name, for people and metrics
 * @param document the policy as it is published; not to be changed
 * @param expectation what is demanded of messages to the service
 * @param bootstrap what is demanded of requests for a context; null where there are no contexts
 * @param engine judges
 */
public record InForce(
    String policy,
    byte[] document,
    Expectation expectation,
    @Nullable Expectation bootstrap,
    Engine engine) {
  /** Whether nothing is put on answers, and nobody says who they are. */
  boolean isPlain() {
    return PassingEngine.knows(expectation.policy());
  }

  /** Whether nothing or TLS protects messages, and no keys of their own. */
  boolean isOfTransport() {
    return isOfTransport(expectation);
  }

  static boolean isOfTransport(Expectation expectation) {
    Binding binding = expectation.policy().binding();
    return binding instanceof Binding.None || binding instanceof Binding.Transport;
  }
}
