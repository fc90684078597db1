package dev.staithe.wss.trust;

import dev.staithe.wss.KeyDerivation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A {@code RequestSecurityTokenResponse}, with or without a collection around it. It may hold a
 * key, or what one is made from: never written to a log.
 */
public sealed interface TokenAnswer {
  /** The dialect it is in. */
  TrustVersion version();

  /** {@code Context} of the request; null without. */
  @Nullable String context();

  /**
   * Its XML, as the content of a {@code Body}. New and renewed tokens of the OASIS dialect stand in
   * a collection (WS-Trust 1.3 section 4.1).
   */
  default String payload() {
    return TokenText.answer(this);
  }

  /**
   * Reads one, for a client.
   *
   * @param body a {@code Body} element in UTF-8
   */
  static TrustReading<TokenAnswer> read(byte[] body) {
    return TokenAnswerReader.read(body);
  }

  /** Where the key of a context comes from. */
  sealed interface Key {
    /** The service chose it. */
    record Chosen(byte[] secret) implements Key {
      @Override
      public String toString() {
        return "Chosen";
      }
    }

    /** Both sides compute it by P_SHA-1 from what each added. */
    record Computed(byte[] serverEntropy) implements Key {
      @Override
      public String toString() {
        return "Computed";
      }
    }

    /**
     * The answer says nothing of it: a renewed context keeps its key, that of a new one is what the
     * requester added (WS-Trust 1.4 section 4.4.3).
     */
    record Unspecified() implements Key {}
  }

  /**
   * A context, new or renewed.
   *
   * @param tokenVersion the dialect of WS-SecureConversation that the token is in
   * @param name its identifier and, where a renewal brought a new key, the instance
   * @param tokenId {@code wsu:Id} of the token, by which messages that carry it refer to it
   * @param appliesTo the address of the service; null where it is not said
   * @param key where its key comes from
   * @param keyBits the size of its key; 0 where it is not said
   * @param created null where it is not said
   * @param expires null where it is not said
   */
  record Issued(
      TrustVersion version,
      @Nullable String context,
      TrustVersion tokenVersion,
      ContextName name,
      String tokenId,
      @Nullable String appliesTo,
      Key key,
      int keyBits,
      @Nullable Instant created,
      @Nullable Instant expires)
      implements TokenAnswer {
    /** The token itself, for security headers: well-formed by itself. */
    public String token() {
      return TokenText.token(this);
    }

    /**
     * The secret of the context, for the requester.
     *
     * @param entropy what the requester added; null where nothing
     * @param before the secret that there was; null for a new context
     * @param usualBits the size of a key where neither side has said it
     * @return null where the answer does not go with what was asked
     */
    public byte @Nullable [] secret(
        byte @Nullable [] entropy, byte @Nullable [] before, int usualBits) {
      return switch (key) {
        case Key.Chosen chosen -> chosen.secret().clone();
        case Key.Computed computed ->
            entropy == null
                ? null
                : KeyDerivation.P_SHA1.computedKey(
                    entropy,
                    computed.serverEntropy(),
                    (keyBits == 0 ? usualBits : keyBits) / Byte.SIZE);
        case Key.Unspecified unsaid ->
            before != null ? before.clone() : entropy == null ? null : entropy.clone();
      };
    }

    @Override
    public String toString() {
      return "Issued[" + version + ", " + name + "]";
    }
  }

  /** The context has ended. */
  record Cancelled(TrustVersion version, @Nullable String context) implements TokenAnswer {}
}
