package dev.staithe.wss.trust;

import org.jspecify.annotations.Nullable;

/**
 * A {@code RequestSecurityToken} for a context. It may hold what a key is made from: never written
 * to a log.
 */
public sealed interface TokenRequest {
  /** The dialect it is in. */
  TrustVersion version();

  /** {@code Context}, which the answer repeats; null without. */
  @Nullable String context();

  /** What it asks for. */
  TrustAction.Kind kind();

  /** Its XML, as the content of a {@code Body}. */
  default String payload() {
    return TokenText.request(this);
  }

  /**
   * Reads one.
   *
   * @param body a {@code Body} element in UTF-8, as {@link dev.staithe.wss.PlainMessage#body} has
   *     it
   */
  static TrustReading<TokenRequest> read(byte[] body) {
    return TokenRequestReader.read(body);
  }

  /**
   * A new context is asked for.
   *
   * @param tokenVersion the dialect of WS-SecureConversation that the token is to be in
   * @param appliesTo the address of the service; null where it is not said
   * @param keyBits the size of its key; 0 where it is not said
   * @param entropy the requester's part of the key; null without
   * @param lifetime null where it is not said
   */
  record Issue(
      TrustVersion version,
      @Nullable String context,
      TrustVersion tokenVersion,
      @Nullable String appliesTo,
      int keyBits,
      byte @Nullable [] entropy,
      @Nullable Lifetime lifetime)
      implements TokenRequest {
    @Override
    public TrustAction.Kind kind() {
      return TrustAction.Kind.ISSUE;
    }

    @Override
    public String toString() {
      return "Issue[" + version + ", " + keyBits + "]";
    }
  }

  /**
   * A context is to live longer.
   *
   * @param target which
   * @param appliesTo as for a new one
   * @param keyBits of a new key, if there is to be one; 0 where it is not said
   * @param entropy the requester's part of a new key; null without
   * @param lifetime null where it is not said
   */
  record Renew(
      TrustVersion version,
      @Nullable String context,
      ContextName target,
      @Nullable String appliesTo,
      int keyBits,
      byte @Nullable [] entropy,
      @Nullable Lifetime lifetime)
      implements TokenRequest {
    @Override
    public TrustAction.Kind kind() {
      return TrustAction.Kind.RENEW;
    }

    @Override
    public String toString() {
      return "Renew[" + version + ", " + target + "]";
    }
  }

  /** A context is to end. */
  record Cancel(TrustVersion version, @Nullable String context, ContextName target)
      implements TokenRequest {
    @Override
    public TrustAction.Kind kind() {
      return TrustAction.Kind.CANCEL;
    }
  }
}
