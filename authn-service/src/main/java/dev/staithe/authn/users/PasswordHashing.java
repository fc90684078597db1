package dev.staithe.authn.users;

import java.util.Optional;

/** How the passwords of relational users become what is stored; given by the login. */
public interface PasswordHashing {
  /**
   * The hash to store; takes tens of milliseconds of processor time.
   *
   * @return empty where too many hashes wait already
   */
  Optional<String> hash(byte[] password);

  /** Whether a login could check passwords by this hash, made elsewhere. */
  boolean recognises(String stored);
}
