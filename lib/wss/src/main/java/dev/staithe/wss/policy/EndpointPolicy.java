package dev.staithe.wss.policy;

import dev.staithe.wss.Namespaces;
import java.util.List;

/**
 * All that one published document demands of the messages of an endpoint. Immutable.
 *
 * @param version the first 16 hexadecimal digits of the document's SHA-256
 * @param securityPolicy the namespace of its assertions, one of the three of WS-SecurityPolicy
 * @param binding what protects a message
 * @param suite by which algorithms; for no protection, or that of TLS alone, those of faults too
 * @param timestamp whether a {@code Timestamp} is demanded, and sent
 * @param encryptBeforeSigning the order; signing first is the usual one
 * @param encryptSignature whether the signature travels encrypted
 * @param entireHeadersAndBody whether only whole header blocks and the whole body may be signed
 * @param layout the order within the security header
 * @param signed which parts must be
 * @param encrypted which parts must be
 * @param supporting further tokens
 * @param signatureConfirmation whether answers confirm the request's signatures (WSS 1.1)
 * @param clientEntropy whether a requester of a context must add to its key
 * @param serverEntropy whether we do
 * @param addressing whether WS-Addressing is demanded ({@code wsam:Addressing} without Optional)
 */
public record EndpointPolicy(
    String version,
    String securityPolicy,
    Binding binding,
    AlgorithmSuite suite,
    boolean timestamp,
    boolean encryptBeforeSigning,
    boolean encryptSignature,
    boolean entireHeadersAndBody,
    Layout layout,
    Parts signed,
    Parts encrypted,
    List<SupportingToken> supporting,
    boolean signatureConfirmation,
    boolean clientEntropy,
    boolean serverEntropy,
    boolean addressing) {

  /** The order of what is in the security header (section 6.7). */
  public enum Layout {
    /** What is used stands before what uses it. */
    STRICT,
    /** Any. */
    LAX,
    /** Any, the timestamp first. */
    LAX_TIMESTAMP_FIRST,
    /** Any, the timestamp last. */
    LAX_TIMESTAMP_LAST
  }

  /** Keeps its own list. */
  public EndpointPolicy {
    supporting = List.copyOf(supporting);
  }

  /** The namespace of WS-SecureConversation that is of the same time as the assertions. */
  public String conversationNamespace() {
    return securityPolicy.equals(Namespaces.SP_2005) ? Namespaces.SC_2005 : Namespaces.SC_13;
  }

  /** Whether a message, or an answer to one, has an encrypted part beside its tokens. */
  public boolean encrypts() {
    return encrypted.body() || !encrypted.headers().isEmpty() || encryptSignature;
  }

  /** The same by other algorithms. */
  public EndpointPolicy by(AlgorithmSuite other) {
    return new EndpointPolicy(
        version,
        securityPolicy,
        binding,
        other,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        entireHeadersAndBody,
        layout,
        signed,
        encrypted,
        supporting,
        signatureConfirmation,
        clientEntropy,
        serverEntropy,
        addressing);
  }
}
