package dev.staithe.authn.login;

import java.util.Locale;

/** Why a login ended as it did: for the audit log and metrics, never for the one who logs in. */
public enum LoginReason {
  /** A password was enough. */
  PASSWORD,
  /** A password and a one-time code. */
  ONE_TIME_CODE,
  /** A password and a recovery code, which is used up. */
  RECOVERY_CODE,
  /** The password was right and no code was given. */
  CODE_MISSING,
  /** The password was right and there is no second factor, but one is asked for. */
  NOT_ENROLLED,
  /** Nobody has that name. */
  UNKNOWN_USER,
  /** The password is not the one. */
  WRONG_PASSWORD,
  /** The password was right, the user may not log in. */
  DISABLED,
  /** The password was right, the code was not. */
  WRONG_CODE,
  /** The password was right, the code was used before. */
  REPLAYED_CODE,
  /** A stored hash cannot be used: malformed, of an unknown kind, or beyond the bounds. */
  UNUSABLE_HASH,
  /** No password, or one that is longer than any that can be set. */
  NO_PASSWORD,
  /** Too many failures of this name. */
  USER_LOCKED,
  /** Too many failures from this address. */
  ADDRESS_LOCKED,
  /** Too many attempts from this address. */
  ADDRESS_LIMITED,
  /** Too many logins waited already. */
  QUEUE_FULL,
  /** It waited longer than its deadline. */
  TOO_LATE,
  /** The user store did not answer. */
  STORE_DOWN;

  /** As {@code wrong-password}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
