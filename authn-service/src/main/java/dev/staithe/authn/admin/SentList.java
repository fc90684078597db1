package dev.staithe.authn.admin;

import org.jspecify.annotations.Nullable;

/** What a list of JSON may have in it and none that is taken here has. */
final class SentList {
  private SentList() {}

  /**
   * Refuses one with null in it, as it is read: the body is then not what is expected.
   *
   * @throws IllegalArgumentException where it has
   */
  static void check(@Nullable Iterable<String> list) {
    if (list != null) {
      for (String each : list) {
        if (each == null) {
          throw new IllegalArgumentException("a list has null in it");
        }
      }
    }
  }
}
