package dev.staithe.authn.clients;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Scopes for which a password is not enough. What needs a second factor is not a name but what can
 * be done with it: a scope needs one where it allows any of what a protected scope allows, so one
 * for a folder above as well as one for a file below, and {@code storage.create} where {@code
 * storage.modify} is protected. Immutable.
 */
public final class SecondFactorScopes {
  private static final String GROUPS = "wlcg.groups";

  /** What includes another by its definition; staging did include reading until profile 1.2. */
  private static final Map<String, String> INCLUDES =
      Map.of("storage.modify", "storage.create", "storage.stage", "storage.read");

  private final List<Scope> scopes;

  /**
   * @param scopes as an administrator wrote them
   * @throws IllegalArgumentException where one is none
   */
  public SecondFactorScopes(List<String> scopes) {
    this.scopes = scopes.stream().map(Scope::of).toList();
  }

  /** Whether one of these is not given without a second factor. What is no scope is not given. */
  public boolean protect(Collection<String> asked) {
    return asked.stream()
        .flatMap(each -> Scope.parse(each).stream())
        .anyMatch(each -> scopes.stream().anyMatch(one -> share(one, each)));
  }

  private static boolean share(Scope one, Scope other) {
    // Whoever asks for some group is told all.
    return related(one.name(), other.name()) && (one.name().equals(GROUPS) || one.overlaps(other));
  }

  private static boolean related(String one, String other) {
    return one.equals(other) || other.equals(INCLUDES.get(one)) || one.equals(INCLUDES.get(other));
  }
}
