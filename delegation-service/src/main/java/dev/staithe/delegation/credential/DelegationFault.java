package dev.staithe.delegation.credential;

/**
 * Why something was not done; the store is as it was.
 *
 * @param line one printable line for the caller, without anything that others may not know
 */
public record DelegationFault(Kind kind, String line) {
  /** What a door makes its own kind of fault, or its status, of. */
  public enum Kind {
    /** There is none of this id, or it is somebody else's, or the acquirer is not named: 404. */
    UNKNOWN,
    /** This caller may not do this, as it says itself: 403. */
    NOT_ALLOWED,
    /** The proxy is not what was asked for, or not believed: 400. */
    BAD_PROXY,
    /** A proxy came without a request for one, or a second time: 400, or 409. */
    NO_REQUEST,
    /** It stands against what is there, as other VOMS attributes do: 409. */
    CONFLICT,
    /** As many as there may be: 429. */
    TOO_MANY,
    /** 413. */
    TOO_LARGE,
    /** The delegation has ended, or gives no proxy any more: 410, or 404. */
    EXPIRED,
    /** Something else in the question cannot be read: 400. */
    BAD_REQUEST,
    /** Not now; the same may work in {@link #RETRY_AFTER_SECONDS}: 503. */
    UNAVAILABLE
  }

  /** The one line of {@link Kind#UNKNOWN}. */
  public static final String UNKNOWN_LINE = "there is no such delegation, or it is not for you";

  /** What a door writes in Retry-After for {@link Kind#UNAVAILABLE}. */
  public static final int RETRY_AFTER_SECONDS = 2;
}
