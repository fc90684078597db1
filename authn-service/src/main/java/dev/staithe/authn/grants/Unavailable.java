package dev.staithe.authn.grants;

/** A store does not answer: the request is answered 503. The message is one line for the log. */
public final class Unavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With that line. */
  public Unavailable(String line) {
    super(line);
  }
}
