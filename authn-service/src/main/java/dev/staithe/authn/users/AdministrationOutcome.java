package dev.staithe.authn.users;

/** What came of a step of administration. */
public sealed interface AdministrationOutcome {
  /** Done; the account as it is now, or as it was where it was deleted. */
  record Done(Account account) implements AdministrationOutcome {}

  /** There is no relational user of that name. */
  record Unknown(String name) implements AdministrationOutcome {}

  /** There is a user of that name already. */
  record Exists(String name) implements AdministrationOutcome {}

  /** Not allowed as it was asked; the reason is one line, safe to show. */
  record Invalid(String reason) implements AdministrationOutcome {}

  /** Nobody would be left who may administer; the reason is one line, safe to show. */
  record LastOne(String reason) implements AdministrationOutcome {}

  /** Too many passwords wait to be hashed; try again in a few seconds. */
  record Busy() implements AdministrationOutcome {}

  /** The store does not answer; the reason is one line for the log. */
  record Unavailable(String reason) implements AdministrationOutcome {}
}
