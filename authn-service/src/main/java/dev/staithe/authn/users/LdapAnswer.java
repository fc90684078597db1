package dev.staithe.authn.users;

/** What a directory says of a name and password. */
public sealed interface LdapAnswer {
  /** They belong together. */
  record Matched(Account account) implements LdapAnswer {}

  /** They do not, or the directory does not let this user in; which of both is not told. */
  record Refused() implements LdapAnswer {}

  /** Nobody has that name. */
  record Unknown() implements LdapAnswer {}

  /** All connections are in use and enough others wait. */
  record Busy() implements LdapAnswer {}
}
