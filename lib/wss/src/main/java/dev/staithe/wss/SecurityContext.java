package dev.staithe.wss;

import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A context that a client and the gateway share (WS-SecureConversation 1.4 section 2). Thread-safe;
 * its secret is overwritten when it is cancelled, after which nothing can be derived from it.
 */
public final class SecurityContext {
  private final String identifier;
  private final @Nullable String instance;
  private final String namespace;
  private final String endpoint;
  private final String policyVersion;
  private final Caller owner;
  private final Instant created;
  private final Instant expires;
  private final byte[] secret;

  // Guarded by secret.
  private boolean ended;

  /**
   * Takes over the secret.
   *
   * @param identifier an absolute URI, unique over all gateways
   * @param instance of the key after a renewal; null for the first
   * @param namespace of WS-SecureConversation that it was asked for in
   * @param endpoint where it may be used
   * @param policyVersion of the policy that it was asked for under
   * @param owner who asked
   * @param secret 16 to 64 bytes
   */
  public SecurityContext(
      String identifier,
      @Nullable String instance,
      String namespace,
      String endpoint,
      String policyVersion,
      Caller owner,
      Instant created,
      Instant expires,
      byte[] secret) {
    this.identifier = identifier;
    this.instance = instance;
    this.namespace = namespace;
    this.endpoint = endpoint;
    this.policyVersion = policyVersion;
    this.owner = owner;
    this.created = created;
    this.expires = expires;
    this.secret = secret;
  }

  /** An absolute URI. */
  public String identifier() {
    return identifier;
  }

  /** Of the key after a renewal; null for the first. */
  public @Nullable String instance() {
    return instance;
  }

  /** Of WS-SecureConversation. */
  public String namespace() {
    return namespace;
  }

  /** Where it may be used. */
  public String endpoint() {
    return endpoint;
  }

  /** Of the policy that it was asked for under. */
  public String policyVersion() {
    return policyVersion;
  }

  /** Who asked. */
  public Caller owner() {
    return owner;
  }

  /** When it was made. */
  public Instant created() {
    return created;
  }

  /** From when on it is refused. */
  public Instant expires() {
    return expires;
  }

  /**
   * A copy of the secret that keys are derived from, for the caller to overwrite after use. A copy,
   * since a cancellation may come from another gateway at any time, and nothing must ever be
   * protected by keys from a secret that is half overwritten.
   *
   * @return null where the context has been cancelled
   */
  public byte @Nullable [] secret() {
    synchronized (secret) {
      return ended ? null : secret.clone();
    }
  }

  /** The same without its secret: what is left of one that has ended of itself. */
  public SecurityContext withoutSecret() {
    var left =
        new SecurityContext(
            identifier,
            instance,
            namespace,
            endpoint,
            policyVersion,
            owner,
            created,
            expires,
            new byte[0]);
    left.end();
    return left;
  }

  /** Overwrites the secret. */
  public void end() {
    synchronized (secret) {
      ended = true;
      Arrays.fill(secret, (byte) 0);
    }
  }

  @Override
  public String toString() {
    return "SecurityContext[" + identifier + "]";
  }
}
