package dev.staithe.delegation.client;

/**
 * Why something is not delegated or acquired.
 *
 * @param line one line for people; no secret in it
 */
public record DelegationRefusal(Kind kind, String line) {
  /** For a choice of what to do next. The first ten are those of our own service. */
  public enum Kind {
    /** No such delegation, or one of somebody else: a service does not tell which. */
    UNKNOWN,
    /** Not with this certificate. */
    NOT_ALLOWED,
    /** The service does not take the proxy. */
    BAD_PROXY,
    /** A proxy for which the service did not ask, or no longer waits. */
    NO_REQUEST,
    /** It does not go with what is already there, for instance other VOMS attributes. */
    CONFLICT,
    /** The user, or the delegation, has used up what it may. */
    TOO_MANY,
    /** More bytes or certificates than the service takes. */
    TOO_LARGE,
    /** What was delegated has ended, or gives no proxy any more. */
    EXPIRED,
    /** The service does not understand or not want what it was asked. */
    BAD_REQUEST,
    /** The service is busy or broken; the same may succeed later. */
    UNAVAILABLE,
    /** No whole answer came within the time that there was. */
    LATE,
    /** There was no connection, or it broke. */
    UNREACHABLE,
    /** The service's answer is not one that can be used. */
    BAD_ANSWER,
    /** Our own certificate cannot sign what is asked for. */
    SIGNING;

    /** Whether the same may succeed in a moment: nothing is wrong but that the service is busy. */
    public boolean passes() {
      return switch (this) {
        case TOO_MANY, UNAVAILABLE, LATE, UNREACHABLE -> true;
        case UNKNOWN,
            NOT_ALLOWED,
            BAD_PROXY,
            NO_REQUEST,
            CONFLICT,
            TOO_LARGE,
            EXPIRED,
            BAD_REQUEST,
            BAD_ANSWER,
            SIGNING ->
            false;
      };
    }
  }

  /** Replaces what would break a line, as it may come from a stranger, and cuts it. */
  public DelegationRefusal {
    line = oneLine(line);
  }

  private static String oneLine(String text) {
    var line = new StringBuilder(Math.min(text.length(), 300));
    text.codePoints()
        .limit(300)
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
        .forEach(line::appendCodePoint);
    return line.toString().strip();
  }
}
