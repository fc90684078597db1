package dev.staithe.authn.login;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who wants to log in.
 *
 * @param user the name as typed
 * @param password closed by the caller, when the answer is there
 * @param oneTimeCode of the second factor, or a recovery code; null where none was given
 * @param address the client's, behind trusted proxies the one they tell
 * @param secondFactor whether a password alone is not enough for what is asked for
 */
public record Attempt(
    String user,
    Secret password,
    @Nullable String oneTimeCode,
    InetAddress address,
    boolean secondFactor) {
  /** Without the secrets, and without the name, which may be a password in the wrong field. */
  @Override
  public String toString() {
    return "Attempt[" + address.getHostAddress() + "]";
  }
}
