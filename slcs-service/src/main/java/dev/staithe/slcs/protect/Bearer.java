package dev.staithe.slcs.protect;

import dev.staithe.slcs.session.CampusSession;

/** What a bearer token is worth. */
sealed interface Bearer {
  /** A session that goes on. */
  record Valid(CampusSession session) implements Bearer {}

  /** None, or one that has ended. */
  record Invalid() implements Bearer {}

  /** That cannot be told at present. */
  record Unknown() implements Bearer {}
}
