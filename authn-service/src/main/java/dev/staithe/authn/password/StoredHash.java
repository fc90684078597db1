package dev.staithe.authn.password;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** A stored hash that was read and found to be within the bounds. */
sealed interface StoredHash {
  /** Whether the password is the one; constant time over the hashes. */
  boolean matches(byte[] password, Argon2 argon2);

  /** Whether it takes noticeably less time than Argon2id at that cost, by rough figures. */
  boolean isCheaperThan(Argon2Cost profile);

  /** Argon2id, version 1.3. */
  record Argon2Hash(Argon2Cost cost, byte[] salt, byte[] tag) implements StoredHash {
    @Override
    public boolean matches(byte[] password, Argon2 argon2) {
      return MessageDigest.isEqual(tag, argon2.derive(password, salt, cost, tag.length));
    }

    @Override
    public boolean isCheaperThan(Argon2Cost profile) {
      return 2 * cost.work() < profile.work();
    }
  }

  /**
   * bcrypt, which looks at the first 72 bytes of a password only. Whoever logs in with a longer one
   * has it hashed whole from then on.
   */
  record BcryptHash(String text) implements StoredHash {
    @Override
    public boolean matches(byte[] password, Argon2 argon2) {
      return BCrypt.checkpw(password, text);
    }

    @Override
    public boolean isCheaperThan(Argon2Cost profile) {
      // Cost 10 is twice to three times the default profile.
      return Integer.parseInt(text.substring(4, 6)) < 9;
    }

    @Override
    public String toString() {
      return "BcryptHash";
    }
  }

  /** PBKDF2. */
  record Pbkdf2Hash(String mac, int iterations, byte[] salt, byte[] key) implements StoredHash {
    @Override
    public boolean matches(byte[] password, Argon2 argon2) {
      return MessageDigest.isEqual(key, Pbkdf2.derive(mac, password, salt, iterations, key.length));
    }

    @Override
    public boolean isCheaperThan(Argon2Cost profile) {
      // 600,000 with SHA-256 are about six times the default profile.
      return iterations < 50_000;
    }
  }

  /** One digest over password and salt, as directories have them; the salt may be empty. */
  record DigestHash(String algorithm, byte[] digest, byte[] salt) implements StoredHash {
    @Override
    public boolean matches(byte[] password, Argon2 argon2) {
      return MessageDigest.isEqual(digest, digest(algorithm, password, salt));
    }

    @Override
    public boolean isCheaperThan(Argon2Cost profile) {
      return true;
    }

    static byte[] digest(String algorithm, byte[] password, byte[] salt) {
      try {
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        digest.update(password);
        return digest.digest(salt);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has " + algorithm, e);
      }
    }
  }
}
