package dev.staithe.slcs.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A login that is still good.
 *
 * @param id not the cookie but its SHA-256, in base64url: it may be logged
 * @param identity whose
 * @param began when
 * @param until when it ends at the latest
 * @param boundKey SHA-256, in base64url, of the public key (SubjectPublicKeyInfo) that the TLS
 *     client must have shown; null where the session is not bound
 */
public record CampusSession(
    String id, CampusIdentity identity, Instant began, Instant until, @Nullable String boundKey) {
  /** The attribute of a request that holds its session. */
  public static final String ATTRIBUTE = "dev.staithe.slcs.session";
}
