package dev.staithe.storage.authz;

/** Whether a caller may. */
public sealed interface Admission {
  /** Yes. */
  record Allowed() implements Admission {}

  /**
   * No. An anonymous caller is asked for a credential (401), another is refused (403 with {@code
   * insufficient_scope}).
   *
   * @param authenticate whether a credential could help
   * @param reason one line, safe to show
   */
  record Refused(boolean authenticate, String reason) implements Admission {}
}
