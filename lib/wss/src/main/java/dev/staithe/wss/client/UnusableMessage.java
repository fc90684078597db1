package dev.staithe.wss.client;

import java.io.IOException;

/** What was given cannot be sent, or sent as the policy demands; the message is one line. */
public final class UnusableMessage extends IOException {
  private static final long serialVersionUID = 1;

  UnusableMessage(String line) {
    super(line);
  }
}
