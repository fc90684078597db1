package dev.staithe.storage.authz;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a verified token.
 *
 * @param issuer the token's issuer
 * @param subject the token's subject, printable ASCII
 * @param scopes what the token says it may do
 * @param groups the groups that the token names, of which only exact names count
 * @param audience whom the token is for
 * @param clientId the client that asked for it, where the issuer tells
 * @param expiresAt from then on the token is refused; what it has begun goes on
 */
public record TokenCaller(
    String issuer,
    String subject,
    Scopes scopes,
    List<String> groups,
    List<String> audience,
    @Nullable String clientId,
    Instant expiresAt)
    implements Caller {
  /** Takes copies. */
  public TokenCaller {
    groups = List.copyOf(groups);
    audience = List.copyOf(audience);
  }

  @Override
  public String label() {
    return subject + "@" + issuer;
  }

  @Override
  public String group() {
    return issuer;
  }
}
