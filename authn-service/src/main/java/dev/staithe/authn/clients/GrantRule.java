package dev.staithe.authn.clients;

import dev.staithe.authn.users.Account;

/**
 * Who may be given a scope, and everything below its path.
 *
 * @param holder {@code user:NAME}, {@code group:/PATH}, or {@code *} for every user
 * @param scope as {@code storage.read:/data}; {@code {user}} in it stands for the user's name
 */
public record GrantRule(String holder, String scope) {
  private static final String USER = "user:";
  private static final String GROUP = "group:/";

  /** Checks both. */
  public GrantRule {
    boolean known =
        holder.equals("*")
            || holder.startsWith(USER) && holder.length() > USER.length()
            || holder.startsWith(GROUP) && holder.length() > GROUP.length();
    if (!known || holder.length() > 300) {
      throw new IllegalArgumentException(
          "\"" + holder + "\" is neither user:NAME nor group:/PATH nor *");
    }
    Scope.of(scope);
  }

  /** Reads {@code HOLDER SCOPE}, as {@code group:/physics storage.read:/physics}. */
  public static GrantRule of(String written) {
    String[] parts = written.strip().split(" +");
    if (parts.length != 2) {
      throw new IllegalArgumentException("\"" + written + "\" is not HOLDER SCOPE");
    }
    return new GrantRule(parts[0], parts[1]);
  }

  /** Whether it gives that to that user. */
  boolean gives(Account account, Scope asked) {
    boolean held =
        holder.equals("*")
            || holder.startsWith(USER) && holder.substring(USER.length()).equals(account.name())
            || holder.startsWith(GROUP)
                && account.groups().contains(holder.substring(GROUP.length() - 1));
    // Names of users have no slash and do not begin with a dot: none leaves its folder.
    return held && asked.within(Scope.of(scope.replace("{user}", account.name())));
  }
}
