package dev.staithe.storage.authz;

import dev.staithe.storage.files.StoragePath;

/**
 * A capability at a path and everything below it.
 *
 * @param capability what may be done
 * @param path relative to the prefixes that the area gives to the token's issuer; with a trailing
 *     slash it means a collection and not a file of that name
 */
public record StorageScope(Capability capability, StoragePath path) {
  /** As it would be written in a token. */
  @Override
  public String toString() {
    return capability.scopeName() + ":" + path.href();
  }
}
