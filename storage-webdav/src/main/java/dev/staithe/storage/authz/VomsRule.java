package dev.staithe.storage.authz;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What those may do whom an organization says to be of a group, or in a role, told in scopes.
 *
 * @param fqan the whole name, such as {@code /atlas/Role=production}, compared segment by segment:
 *     a group above or below it is another group, and a group without a role is not one with any
 * @param scopes what it grants, paths relative to the area's root
 */
public record VomsRule(String fqan, Scopes scopes) {
  private static final Pattern NAME =
      Pattern.compile("(/[A-Za-z0-9._-]+)+(/Role=[A-Za-z0-9._-]+)?(/Capability=NULL)?");

  /** Refuses what is no such name, and a rule that grants nothing. */
  public VomsRule {
    if (!isName(fqan)) {
      throw new IllegalArgumentException("no name of a group or role: " + fqan);
    }
    if (scopes.storage().isEmpty()) {
      throw new IllegalArgumentException("the rule for " + fqan + " grants nothing");
    }
    fqan = plain(fqan);
  }

  /** Whether that is the name of a group or role. */
  public static boolean isName(String fqan) {
    return NAME.matcher(fqan).matches();
  }

  /** Without the segments that say that there is nothing, which not every server writes. */
  public static String plain(String fqan) {
    List<String> segments = new ArrayList<>(List.of(fqan.split("/", -1)));
    if (segments.getLast().equals("Capability=NULL")) {
      segments.removeLast();
    }
    if (segments.getLast().equals("Role=NULL")) {
      segments.removeLast();
    }
    return String.join("/", segments);
  }
}
