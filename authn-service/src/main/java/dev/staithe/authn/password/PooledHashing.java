package dev.staithe.authn.password;

import dev.staithe.authn.users.PasswordHashing;
import java.time.Duration;
import java.util.Optional;

/** Hashes new passwords in the same pool as logins, so that neither starves the other. */
public final class PooledHashing implements PasswordHashing {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final HashPool pool;
  private final PasswordHash passwords;

  /** In that pool, by that profile. */
  public PooledHashing(HashPool pool, PasswordHash passwords) {
    this.pool = pool;
    this.passwords = passwords;
  }

  @Override
  public Optional<String> hash(byte[] password) {
    return pool.run(() -> passwords.make(password), LONGEST)
            instanceof HashAnswer.Done<String>(String made)
        ? Optional.of(made)
        : Optional.empty();
  }

  @Override
  public boolean recognises(String stored) {
    return passwords.recognises(stored);
  }
}
