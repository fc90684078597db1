package dev.staithe.slcs.saml;

import org.jspecify.annotations.Nullable;

/** Where somebody goes on after a login: a path of this service, and nowhere else. */
final class ReturnPath {
  private static final int LONGEST = 1500;
  private static final String NOWHERE = "/";

  private ReturnPath() {}

  /** The path, or the start page where it is none of ours. */
  static String of(@Nullable String given) {
    // "//host" and "/\host" are other hosts to a browser.
    return given != null
            && given.length() <= LONGEST
            && given.matches("/(?![/\\\\])[\\x21-\\x7e&&[^\\\\\"<>]]*")
        ? given
        : NOWHERE;
  }
}
