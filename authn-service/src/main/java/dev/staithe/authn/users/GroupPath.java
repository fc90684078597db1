package dev.staithe.authn.users;

import java.util.regex.Pattern;

/**
 * What a group may be called: a path as {@code /physics/analysis}, as in the claim {@code
 * wlcg.groups} (WLCG Common JWT Profiles, "Group Based Authorization"). At most 256 characters.
 */
public final class GroupPath {
  private static final int LONGEST = 256;
  private static final Pattern ALLOWED =
      Pattern.compile("(/[A-Za-z0-9_][A-Za-z0-9._-]{0,63}){1,16}");

  private GroupPath() {}

  /** Whether it is one. */
  public static boolean isValid(String path) {
    return path.length() <= LONGEST && ALLOWED.matcher(path).matches();
  }
}
