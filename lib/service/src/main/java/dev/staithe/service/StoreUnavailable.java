package dev.staithe.service;

import java.io.IOException;

/** The session store does not answer, or not in time; the message is one line for the log. */
public final class StoreUnavailable extends IOException {
  private static final long serialVersionUID = 1;

  /** With its cause. */
  public StoreUnavailable(String line, Throwable cause) {
    super(line, cause);
  }

  /** Without a cause. */
  public StoreUnavailable(String line) {
    super(line);
  }
}
