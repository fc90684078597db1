package dev.staithe.authn.password;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Makes and checks stored passwords. Thread-safe; every call but {@link #needsUpgrade} and {@link
 * #recognises} takes the time and memory that the hash is meant to take, so that all go through the
 * {@link HashPool}.
 */
public final class PasswordHash {
  /** The longest password that is looked at, in bytes of UTF-8. */
  public static final int LONGEST_BYTES = 512;

  private static final int SALT_BYTES = 16;
  private static final int TAG_BYTES = 32;
  private static final Argon2Cost TRIAL = new Argon2Cost(4096, 1, 1);
  private static final Base64.Encoder PHC = Base64.getEncoder().withoutPadding();

  private final HashProfile profile;
  private final Argon2 argon2;
  private final SecureRandom random;
  private final byte[] nobodysSalt;
  private final LongAdder derivations = new LongAdder();

  /** What a check found. */
  public enum Verdict {
    /** It is the password. */
    MATCH,
    /** It is not. */
    MISMATCH,
    /** The stored hash cannot be used; as much work was done as for a mismatch. */
    UNUSABLE
  }

  /** With the native library where it can be loaded. */
  public PasswordHash(HashProfile profile, SecureRandom random) {
    this(profile, random, Argon2.best());
  }

  PasswordHash(HashProfile profile, SecureRandom random, Argon2 argon2) {
    this.profile = profile;
    this.random = random;
    this.argon2 = argon2;
    this.nobodysSalt = salt();
  }

  /** How new hashes are made. */
  public HashProfile profile() {
    return profile;
  }

  /** Whether Argon2id is computed by the native library. */
  public boolean isNative() {
    return argon2 == Argon2.NATIVE;
  }

  /** How many hashes were computed so far. */
  public long derivations() {
    return derivations.sum();
  }

  /** The hash to store, by the profile. */
  public String make(byte[] password) {
    byte[] salt = salt();
    byte[] tag = derive(password, salt);
    Argon2Cost cost = profile.cost();
    if (cost == null) {
      byte[] both = new byte[tag.length + salt.length];
      System.arraycopy(tag, 0, both, 0, tag.length);
      System.arraycopy(salt, 0, both, tag.length, salt.length);
      return "{SSHA}" + Base64.getEncoder().encodeToString(both);
    }
    return "$argon2id$v=19$m="
        + cost.memoryKiB()
        + ",t="
        + cost.iterations()
        + ",p="
        + cost.parallelism()
        + "$"
        + PHC.encodeToString(salt)
        + "$"
        + PHC.encodeToString(tag);
  }

  /**
   * Whether the password is the one of a stored hash. A mismatch with a hash that is cheaper than
   * the profile's costs one of the profile as well: else its quick answer told that the user
   * exists.
   */
  public Verdict verify(String stored, byte[] password) {
    Optional<StoredHash> hash = HashFormats.read(stored);
    if (hash.isEmpty()) {
      burn(password);
      return Verdict.UNUSABLE;
    }
    derivations.increment();
    if (hash.get().matches(password, argon2)) {
      return Verdict.MATCH;
    }
    Argon2Cost cost = profile.cost();
    if (cost != null && hash.get().isCheaperThan(cost)) {
      burn(password);
    }
    return Verdict.MISMATCH;
  }

  /** The work of a check, for a user who does not exist. */
  public void burn(byte[] password) {
    derive(password, nobodysSalt);
  }

  /** Whether a stored hash is not what the profile would make; never for studies. */
  public boolean needsUpgrade(String stored) {
    Argon2Cost cost = profile.cost();
    if (cost == null) {
      return false;
    }
    return !(stored.startsWith("$argon2id$")
        && HashFormats.read(stored).orElse(null) instanceof StoredHash.Argon2Hash hash
        && hash.cost().equals(cost)
        && hash.salt().length >= SALT_BYTES
        && hash.tag().length >= TAG_BYTES);
  }

  /** Whether {@link #verify} can use a stored hash. */
  public boolean recognises(String stored) {
    return HashFormats.read(stored).isPresent();
  }

  /** Work of some milliseconds, and of the kind that hashes are. */
  public void trial() {
    argon2.derive(nobodysSalt, nobodysSalt, TRIAL, TAG_BYTES);
  }

  private byte[] derive(byte[] password, byte[] salt) {
    derivations.increment();
    Argon2Cost cost = profile.cost();
    return cost == null
        ? StoredHash.DigestHash.digest("SHA-1", password, salt)
        : argon2.derive(password, salt, cost, TAG_BYTES);
  }

  private byte[] salt() {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return salt;
  }
}
