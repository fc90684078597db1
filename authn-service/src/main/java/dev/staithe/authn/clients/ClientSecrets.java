package dev.staithe.authn.clients;

import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Secrets of clients. We make them ourselves, of 256 random bits: nobody can guess one from its
 * digest however fast the digest is, so the slow hashes that protect what people choose would only
 * cost 30 ms for each token and each introspection. Hence SHA-256, compared in constant time.
 */
public final class ClientSecrets implements PasswordEncoder {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A new secret of 43 characters. */
  public static String create() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public String encode(@Nullable CharSequence secret) {
    return Digests.of(String.valueOf(secret));
  }

  @Override
  public boolean matches(@Nullable CharSequence secret, @Nullable String digest) {
    return secret != null
        && digest != null
        && !digest.isEmpty()
        && Digests.same(Digests.of(secret.toString()), digest);
  }
}
