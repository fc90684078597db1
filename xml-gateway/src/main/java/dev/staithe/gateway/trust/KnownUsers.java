package dev.staithe.gateway.trust;

import dev.staithe.wss.Surroundings;
import org.jspecify.annotations.Nullable;

/**
 * Users of a file and of authn-service; who is in the file is judged by it alone. Digests and keys
 * are made of passwords in the file only. Thread-safe.
 *
 * @param file null for none
 * @param authn where passwords that come in the clear are tried for everybody else; null for none
 */
public record KnownUsers(@Nullable UserFile file, @Nullable AuthnService authn)
    implements Surroundings.Passwords, AutoCloseable {
  @Override
  public boolean check(String username, char[] password) {
    return file != null && (authn == null || file.has(username))
        ? file.check(username, password)
        : authn != null && authn.password(username, password);
  }

  @Override
  public byte @Nullable [] of(String username) {
    return file == null ? null : file.of(username);
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
