package dev.staithe.authn.login;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A bounded map that forgets what was not asked for the longest time: no flood of names or
 * addresses fills the heap. Thread-safe; values are touched under its lock only.
 */
final class RecentMap<V> {
  private final Map<String, V> map;

  RecentMap(int most) {
    this.map =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > most;
          }
        };
  }

  /** Does something with the value of a key, which is made if there is none. */
  synchronized <R> R with(String key, Supplier<V> absent, Function<V, R> use) {
    return use.apply(map.computeIfAbsent(key, unused -> absent.get()));
  }

  /** How many there are. */
  synchronized int size() {
    return map.size();
  }
}
