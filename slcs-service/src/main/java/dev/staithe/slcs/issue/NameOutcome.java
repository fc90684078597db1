package dev.staithe.slcs.issue;

import dev.staithe.pki.DistinguishedName;

/** What the rule for names made of somebody. */
sealed interface NameOutcome {
  /** A name that nobody else gets by the same rule. */
  record Named(DistinguishedName name) implements NameOutcome {}

  /** None; the line says why. */
  record Nameless(String line) implements NameOutcome {}
}
