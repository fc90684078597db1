package dev.staithe.storage.authz;

/**
 * The holder of a verified token.
 *
 * @param issuer the token's issuer
 * @param subject the token's subject
 */
public record TokenCaller(String issuer, String subject) implements Caller {
  @Override
  public String label() {
    return subject + "@" + issuer;
  }

  @Override
  public String group() {
    return issuer;
  }
}
