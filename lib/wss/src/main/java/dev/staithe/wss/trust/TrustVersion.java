package dev.staithe.wss.trust;

import dev.staithe.wss.Namespaces;
import java.util.Optional;

/** The two dialects of WS-Trust and WS-SecureConversation; who asks in one is answered in it. */
public enum TrustVersion {
  /** Both of February 2005. */
  FEBRUARY_2005(Namespaces.TRUST_2005, Namespaces.SC_2005),
  /** WS-Trust and WS-SecureConversation 1.3 and 1.4, which share their namespaces. */
  OASIS(Namespaces.TRUST_13, Namespaces.SC_13);

  private final String trust;
  private final String conversation;

  TrustVersion(String trust, String conversation) {
    this.trust = trust;
    this.conversation = conversation;
  }

  /** The namespace of WS-Trust. */
  public String trust() {
    return trust;
  }

  /** The namespace of WS-SecureConversation. */
  public String conversation() {
    return conversation;
  }

  /** The type of a context's token, for {@code TokenType} and {@code ValueType}. */
  public String tokenType() {
    return conversation + "/sct";
  }

  /** The name of keys that both sides compute by P_SHA-1 (WS-Trust 1.4 section 4.4.4). */
  public String computedKey() {
    return trust + "/CK/PSHA1";
  }

  /** The dialect of that namespace of WS-Trust. */
  public static Optional<TrustVersion> ofTrust(String namespace) {
    return FEBRUARY_2005.trust.equals(namespace)
        ? Optional.of(FEBRUARY_2005)
        : OASIS.trust.equals(namespace) ? Optional.of(OASIS) : Optional.empty();
  }

  /** The dialect of that namespace of WS-SecureConversation. */
  public static Optional<TrustVersion> ofConversation(String namespace) {
    return FEBRUARY_2005.conversation.equals(namespace)
        ? Optional.of(FEBRUARY_2005)
        : OASIS.conversation.equals(namespace) ? Optional.of(OASIS) : Optional.empty();
  }
}
