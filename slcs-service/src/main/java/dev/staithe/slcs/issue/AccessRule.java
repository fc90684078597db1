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
 * @param longest lifetime for those it allows, null for that of all
 */
public record AccessRule(
    boolean allow,
    @Nullable String provider,
    @Nullable String attribute,
    List<String> values,
    @Nullable Duration longest) {
  /** Copies the values. */
  public AccessRule {
    values = List.copyOf(values);
  }

  boolean matches(CampusIdentity who) {
    if (provider != null && !provider.equals(who.providerName())) {
      return false;
    }
    if (attribute == null) {
      return true;
    }
    List<String> told = who.all(attribute);
    return values.isEmpty() ? !told.isEmpty() : values.stream().anyMatch(told::contains);
  }
}
