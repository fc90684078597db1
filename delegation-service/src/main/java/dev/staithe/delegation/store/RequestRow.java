package dev.staithe.delegation.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that waits for its proxy.
 *
 * @param keyDigest SHA-256 of the public key in hexadecimal
 * @param owner subject as RFC 4514 writes it
 * @param through the id of the delegation by which somebody acted for the owner; null: the owner
 *     did
 * @param sealed the private key
 * @param bound whether it is sealed for the rules too
 * @param rules null: none were given
 * @param notAfter until when it waits
 */
public record RequestRow(
    String keyDigest,
    String owner,
    String id,
    @Nullable String through,
    byte[] sealed,
    boolean bound,
    @Nullable RuleRow rules,
    Instant notAfter) {
  /** The same with its key. */
  public RequestRow sealed(byte[] key) {
    return new RequestRow(keyDigest, owner, id, through, key, true, rules, notAfter);
  }

  /** Names the key only. */
  @Override
  public String toString() {
    return "RequestRow[" + keyDigest + "]";
  }
}
