package dev.staithe.authn.rest;

/** A request that cannot be understood; the message is one line for the client. */
final class BadRequest extends Exception {
  private static final long serialVersionUID = 1;

  BadRequest(String line) {
    super(line, null, false, false);
  }
}
