package dev.staithe.slcs.issue;

import dev.staithe.slcs.session.CampusIdentity;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom a rule is about, and what it says. Of an ordered list the first that matches counts.
 *
 * @param allow whether those it matches get certificates
 * @param provider the short name of an identity provider, null for all
 * @param attribute by its friendly name, null for everybody
 * @param values of which somebody must have one, compared letter by letter; empty: any value
 * @param contexts ways of logging in of which one must have been used; empty: any
 * @param longest lifetime for those it allows, null for that of all
 */
public record AccessRule(
    boolean allow,
    @Nullable String provider,
    @Nullable String attribute,
    List<String> values,
    List<String> contexts,
    @Nullable Duration longest) {
  /** Copies the values. */
  public AccessRule {
    values = List.copyOf(values);
    contexts = List.copyOf(contexts);
  }

  boolean matches(CampusIdentity who) {
    if (provider != null && !provider.equals(who.providerName())) {
      return false;
    }
    if (!contexts.isEmpty() && !contexts.contains(who.authenticationContext())) {
      return false;
    }
    if (attribute == null) {
      return true;
    }
    List<String> told = who.all(attribute);
    return values.isEmpty() ? !told.isEmpty() : values.stream().anyMatch(told::contains);
  }
}
