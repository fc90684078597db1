package dev.staithe.storage.authz;

/**
 * What the members of a group may do, told in scopes.
 *
 * @param group the name exactly as in the token, such as {@code /cms/uscms}; a group above or below
 *     it is another group (WLCG JWT profile 1.3: no inheritance), and so is a URN with another role
 *     or authority
 * @param scopes what it grants, paths relative to the issuer's prefixes
 */
public record GroupRule(String group, Scopes scopes) {
  /** Refuses the empty name, what is no URN but begins like one, and a rule that grants nothing. */
  public GroupRule {
    group = GroupName.ofRule(group);
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group's name is empty");
    }
    if (scopes.storage().isEmpty()) {
      throw new IllegalArgumentException("the rule for group " + group + " grants nothing");
    }
  }
}
