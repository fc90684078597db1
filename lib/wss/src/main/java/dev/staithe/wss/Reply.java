package dev.staithe.wss;

import dev.staithe.xml.SoapVersion;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the answer to one request is protected. It holds keys: never written anywhere.
 *
 * @param version of SOAP
 * @param keys by which
 * @param confirmed signature values of the request, which the answer confirms where the policy says
 *     so (WSS 1.1 section 8.5)
 * @param messageId of WS-Addressing, which the answer relates to; null without
 */
public record Reply(
    SoapVersion version, Keys keys, List<byte[]> confirmed, @Nullable String messageId) {
  /** Keeps its own list. */
  public Reply {
    confirmed = List.copyOf(confirmed);
  }

  /** By which keys. */
  public sealed interface Keys {
    /** By none: TLS does it, or nothing. */
    record None() implements Keys {}

    /** Encrypted for the signer of the request, signed with our own key. */
    record ToCertificate(X509Certificate certificate) implements Keys {}

    /** Under keys that are derived from the same context. */
    record InContext(SecurityContext context) implements Keys {}

    /**
     * Under the key that the request brought.
     *
     * @param sha1 of its encrypted form's content, by which the answer names it
     * @param key the key itself
     */
    record ByEncryptedKey(byte[] sha1, byte[] key) implements Keys {}

    /**
     * Under keys from the same password.
     *
     * @param username the user
     * @param salt of the derivation
     * @param iterations of the derivation
     * @param key what came of it
     */
    record ByUsername(String username, byte[] salt, int iterations, byte[] key) implements Keys {}
  }

  @Override
  public String toString() {
    return "Reply[" + keys.getClass().getSimpleName() + "]";
  }
}
