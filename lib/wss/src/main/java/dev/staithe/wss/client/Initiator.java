package dev.staithe.wss.client;

import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.EndpointPolicy;
import java.security.GeneralSecurityException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Protects requests as a policy demands, each as a message of its own: with its own time, message
 * id, keys, nonces and vectors, so that no two are the same, whatever they say. Thread-safe.
 */
public final class Initiator {
  private final EndpointPolicy policy;
  private final Holder holder;
  private final KeyMaker keys;
  private final Clock clock;

  /**
   * Judges whether the policy can be met.
   *
   * @param holder who calls; what the policy asks for must be there
   * @param context where the policy's keys come from one; null otherwise
   * @throws UnusableMessage where something is missing
   */
  public Initiator(
      EndpointPolicy policy, Holder holder, @Nullable SecurityContext context, Clock clock)
      throws UnusableMessage {
    this.policy = policy;
    this.holder = holder;
    this.keys = new KeyMaker(policy, holder, context);
    this.clock = clock;
  }

  /** What the messages meet. */
  public EndpointPolicy policy() {
    return policy;
  }

  Holder holder() {
    return holder;
  }

  KeyMaker keys() {
    return keys;
  }

  Clock clock() {
    return clock;
  }

  /**
   * Makes a message of a request.
   *
   * @throws UnusableMessage where something in it cannot be protected as the policy demands
   */
  public SecuredRequest secure(PlainRequest request) throws UnusableMessage {
    try {
      return new Composition(policy, holder, request, keys, clock.instant()).compose();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // Names of algorithms and key sizes, nothing of keys themselves.
      throw new UnusableMessage("the policy's algorithms do not fit: " + e.getMessage());
    }
  }
}
