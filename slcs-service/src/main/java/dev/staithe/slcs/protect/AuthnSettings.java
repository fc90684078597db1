package dev.staithe.slcs.protect;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The authn-service whose sessions are taken.
 *
 * @param url without a slash at its end
 * @param scope behind the names of its users, as {@code example.org}; null: its users are admitted
 *     to services and get no certificates
 * @param cache how long an answer about a token is remembered, at most 1 s: so long a session may
 *     go on here after its logout
 * @param timeout of one question
 */
public record AuthnSettings(URI url, @Nullable String scope, Duration cache, Duration timeout) {
  /** What it is called where identity providers have short names. */
  public static final String NAME = "authn";
}
