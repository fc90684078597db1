package dev.staithe.slcs.saml.response;

import org.jspecify.annotations.Nullable;

/**
 * Why nobody is logged in.
 *
 * @param reason for metrics, audit and the line that the caller sees
 * @param detail for the log only: may quote the message
 */
public record Refusal(Reason reason, String detail) {
  private static final int LONGEST_LOGGED = 500;

  /** The kinds; each has one line for the caller that tells an attacker nothing new. */
  public enum Reason {
    MALFORMED("the message is no SAML response that this service reads"),
    TOO_LARGE("the message is too large"),
    SIGNATURE("the signature of the message is missing or wrong"),
    UNKNOWN_PROVIDER("the identity provider is not known here"),
    UNKNOWN_REQUEST("this login was not begun here, has been used already, or took too long"),
    OTHER_BROWSER("this login was begun in another browser"),
    REPLAY("this login was used already"),
    NOT_FOR_US("the message is meant for another service"),
    TIME("the message is too old, or the clocks differ"),
    TOO_OLD("you logged in at the identity provider too long ago: log out there and log in again"),
    TOO_WEAK("the identity provider did not let you log in in a way that is strong enough here"),
    DENIED("the identity provider did not log you in"),
    ASSERTION("the identity provider's statement is not acceptable"),
    SCOPE("the identity provider may not speak for that domain"),
    PRINCIPAL_NAME("the identity provider did not say who you are in the form that is needed here");

    private final String line;

    Reason(String line) {
      this.line = line;
    }

    /** What the caller is told. */
    public String line() {
      return line;
    }
  }

  /** What may be quoted of a message in the log: anybody may have sent it, and of any length. */
  public static String logged(@Nullable String text) {
    String whole = text == null ? "unknown" : text;
    String start = whole.substring(0, Math.min(LONGEST_LOGGED, whole.length()));
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
