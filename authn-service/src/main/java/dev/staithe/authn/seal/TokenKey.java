package dev.staithe.authn.seal;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A secret of 256 bits that the cluster's nodes share, and its name. Keys for single purposes are
 * derived from it; it is never used itself. Immutable.
 */
public final class TokenKey {
  /** Length of the secret in bytes. */
  public static final int BYTES = 32;

  private static final Pattern KID = Pattern.compile("[A-Za-z0-9_-]{1,8}");

  private final String kid;
  private final byte[] secret;

  /**
   * With a name of 1 to 8 characters of base64url, and {@link #BYTES} bytes that are copied.
   *
   * @throws IllegalArgumentException for anything else
   */
  public TokenKey(String kid, byte[] secret) {
    if (!KID.matcher(kid).matches()) {
      throw new IllegalArgumentException("a key's name has 1 to 8 letters, digits, - or _");
    }
    if (secret.length != BYTES) {
      throw new IllegalArgumentException("the secret of key " + kid + " must have 32 bytes");
    }
    this.kid = kid;
    this.secret = secret.clone();
  }

  /** A new one with a name of its own. */
  public static TokenKey generate(SecureRandom random) {
    byte[] name = new byte[6];
    random.nextBytes(name);
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return new TokenKey(Base64.getUrlEncoder().withoutPadding().encodeToString(name), secret);
  }

  /** Its name, which is part of what is made with it. */
  public String kid() {
    return kid;
  }

  /** A copy of the secret: for the store that keeps it, and for nobody else. */
  public byte[] secret() {
    return secret.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenKey key
        && key.kid.equals(kid)
        && MessageDigest.isEqual(key.secret, secret);
  }

  @Override
  public int hashCode() {
    return kid.hashCode();
  }

  /** The name only. */
  @Override
  public String toString() {
    return "TokenKey[" + kid + "]";
  }
}
