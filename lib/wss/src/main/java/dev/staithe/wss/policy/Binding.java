package dev.staithe.wss.policy;

/** How a message is protected: the binding assertion of WS-SecurityPolicy 1.2 section 7. */
public sealed interface Binding {
  /** Nothing is demanded. */
  record None() implements Binding {}

  /**
   * TLS protects (section 7.3).
   *
   * @param clientCertificate whether the client must show a certificate there
   */
  record Transport(boolean clientCertificate) implements Binding {}

  /**
   * Both sides sign with their X.509 keys and encrypt for the other's (section 7.5).
   *
   * @param answersBringCertificate whether answers carry our certificate ({@code IncludeToken} of
   *     the recipient's token); else they refer to it by its SHA-1
   */
  record Asymmetric(boolean answersBringCertificate) implements Binding {
    /** Where answers refer to our certificate. */
    public Asymmetric() {
      this(false);
    }
  }

  /**
   * Keys come from a context that both sides share (sections 5.4.7 and 7.4).
   *
   * @param derivedKeys whether each message derives keys of its own from the context's secret
   * @param bootstrap what protects the request for a context
   * @param cancel whether a context may be cancelled
   * @param renew whether it may be renewed
   */
  record Conversation(boolean derivedKeys, EndpointPolicy bootstrap, boolean cancel, boolean renew)
      implements Binding {}

  /**
   * The client makes a key and encrypts it for the service's certificate; answers refer to it by
   * its SHA-1 digest (section 7.4, WSS 1.1 X.509 token profile).
   */
  record EncryptedKey(boolean derivedKeys) implements Binding {}

  /** Keys come from a password, salt and iterations (WSS 1.1 UsernameToken profile section 4). */
  record UsernameKeys(boolean derivedKeys) implements Binding {}
}
