package dev.staithe.peers;

import java.nio.file.Path;

/**
 * What a server shows of itself, PEM.
 *
 * @param authority whom it trusts, or whose its certificate is
 * @param certificate its own, and what is between it and an authority
 * @param key private, with the rights that a copy of it gets as well
 */
public record HostFiles(Path authority, Path certificate, Path key) {
  /** The same of one that trusts others. */
  public HostFiles trusting(Path others) {
    return new HostFiles(others, certificate, key);
  }
}
