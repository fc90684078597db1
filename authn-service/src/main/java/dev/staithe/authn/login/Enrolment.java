package dev.staithe.authn.login;

/**
 * What a user needs to set up an authenticator program; shown once, over TLS.
 *
 * @param secret in base32, to be typed
 * @param uri {@code otpauth://totp/...}, to be shown as a picture
 */
public record Enrolment(String secret, String uri) {
  /** Without the secret. */
  @Override
  public String toString() {
    return "Enrolment[***]";
  }
}
