package dev.staithe.slcs.issue;

import dev.staithe.slcs.session.CampusIdentity;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who gets certificates and for how long. Without rules everybody whom an identity provider vouches
 * for; with rules whom the first that matches allows, and nobody whom none matches. Immutable and
 * thread-safe.
 */
final class AccessRules {
  /** Shorter ones have ended before they arrive. */
  static final Duration SHORTEST = Duration.ofMinutes(5);

  /** What was decided. */
  sealed interface Access {
    /** For at most so long. */
    record Allowed(Duration lifetime) implements Access {}

    /** Not this person. */
    record Denied(String line) implements Access {}

    /** Not so long or so short. */
    record OutOfRange(String line) implements Access {}
  }

  private final List<AccessRule> rules;
  private final Duration usual;
  private final Duration longest;

  /**
   * @param usual lifetime where none is asked for
   * @param longest for everybody
   */
  AccessRules(List<AccessRule> rules, Duration usual, Duration longest) {
    this.rules = List.copyOf(rules);
    this.usual = usual;
    this.longest = longest;
  }

  /**
   * Decides.
   *
   * @param wanted lifetime, null for the usual one
   */
  Access judge(CampusIdentity who, @Nullable Duration wanted) {
    Duration most = longest;
    if (!rules.isEmpty()) {
      AccessRule rule = rules.stream().filter(each -> each.matches(who)).findFirst().orElse(null);
      if (rule == null || !rule.allow()) {
        return new Access.Denied("your account may not have certificates of this service");
      }
      if (rule.longest() != null && rule.longest().compareTo(most) < 0) {
        most = rule.longest();
      }
    }
    if (wanted == null) {
      return new Access.Allowed(usual.compareTo(most) < 0 ? usual : most);
    }
    // Not cut in silence: who asks for a weekend plans with a weekend.
    if (wanted.compareTo(most) > 0) {
      return new Access.OutOfRange(
          "a certificate of yours lives for at most " + text(most) + ": ask for less");
    }
    if (wanted.compareTo(SHORTEST) < 0) {
      return new Access.OutOfRange(
          "a certificate lives for at least "
              + text(SHORTEST)
              + ": a number alone stands for seconds, 12h for hours");
    }
    return new Access.Allowed(wanted);
  }

  private static String text(Duration duration) {
    return duration.toSeconds() % 3600 == 0
        ? duration.toHours() + "h"
        : duration.toSeconds() % 60 == 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
  }
}
