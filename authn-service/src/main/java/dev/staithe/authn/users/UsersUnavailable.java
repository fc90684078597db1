package dev.staithe.authn.users;

import java.io.IOException;

/** The user store does not answer, or not in time; the message is one line for the log. */
public final class UsersUnavailable extends IOException {
  private static final long serialVersionUID = 1;

  /** With its cause. */
  public UsersUnavailable(String line, Throwable cause) {
    super(line, cause);
  }

  /** Without a cause. */
  public UsersUnavailable(String line) {
    super(line);
  }
}
