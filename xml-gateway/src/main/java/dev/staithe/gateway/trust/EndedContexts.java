package dev.staithe.gateway.trust;

import dev.staithe.wss.SecurityContext;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is left of contexts that have ended of themselves, for those who renew them afterwards:
 * whose they were, and no secrets. Few of each owner, the latest, so that nobody drives out
 * others'. Not thread-safe.
 */
public final class EndedContexts {
  /** Of an owner. A program has one or two for each endpoint. */
  public static final int MOST_OF_ONE = 100;

  /** A few hundred bytes each, and the certificate of its owner. */
  public static final int MOST = 10_000;

  private final Map<String, SecurityContext> byIdentifier = new LinkedHashMap<>();
  private final Map<String, Set<String>> bySubject = new HashMap<>();

  EndedContexts() {}

  void add(SecurityContext context) {
    String subject = context.owner().subject();
    Set<String> theirs = bySubject.getOrDefault(subject, Set.of());
    if (theirs.size() >= MOST_OF_ONE) {
      remove(theirs.iterator().next());
    }
    if (byIdentifier.size() >= MOST) {
      remove(byIdentifier.keySet().iterator().next());
    }
    byIdentifier.put(context.identifier(), context.withoutSecret());
    bySubject.computeIfAbsent(subject, each -> new LinkedHashSet<>()).add(context.identifier());
  }

  /** Null where it is not known, or was cancelled. */
  @Nullable SecurityContext find(String identifier) {
    return byIdentifier.get(identifier);
  }

  void remove(String identifier) {
    SecurityContext context = byIdentifier.remove(identifier);
    if (context != null) {
      bySubject.computeIfPresent(
          context.owner().subject(),
          (subject, identifiers) -> {
            identifiers.remove(identifier);
            return identifiers.isEmpty() ? null : identifiers;
          });
    }
  }

  int size() {
    return byIdentifier.size();
  }

  void clear() {
    byIdentifier.clear();
    bySubject.clear();
  }
}
