package dev.staithe.authn.persistence;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * Names a session: 128 random bits. Whoever only knows the id has no token: that takes the MAC.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record SessionId(long high, long low) {
  private static final int BYTES = 16;
  private static final int TEXT = 22;

  /** One that nobody has seen before. */
  public static SessionId random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new SessionId(buffer.getLong(), buffer.getLong());
  }

  /** Reads what {@link #toString} wrote; empty for anything else. */
  public static Optional<SessionId> parse(String text) {
    if (text.length() != TEXT) {
      return Optional.empty();
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      var id = new SessionId(buffer.getLong(), buffer.getLong());
      // The last character has bits that decoders ignore: only one spelling is taken.
      return id.toString().equals(text) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** 22 characters of base64url (RFC 4648 section 5) without padding. */
  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
