package dev.staithe.storage.imports;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whom a rule is for, in the words of a policy.
 *
 * @param words keys and values, such as {@code issuer} and {@code group}
 */
record Whom(Map<String, Object> words) {
  static final Whom ANYONE = new Whom(Map.of("anyone", true));
  static final Whom AUTHENTICATED = new Whom(Map.of("authenticated", true));

  Whom {
    words = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(words));
  }

  static Whom voms(String fqan) {
    return new Whom(Map.of("voms", fqan));
  }

  static Whom certificate(String name) {
    return new Whom(Map.of("certificate", name));
  }

  static Whom issuer(String issuer) {
    return new Whom(Map.of("issuer", issuer));
  }

  static Whom group(String issuer, String group) {
    Map<String, Object> words = new LinkedHashMap<>();
    words.put("issuer", issuer);
    words.put("group", group);
    return new Whom(words);
  }

  static Whom subject(String issuer, String subject) {
    Map<String, Object> words = new LinkedHashMap<>();
    words.put("issuer", issuer);
    words.put("subject", subject);
    return new Whom(words);
  }

  /** Those of them of whom this holds too. */
  Whom with(String word, String value) {
    Map<String, Object> all = new LinkedHashMap<>(words);
    all.put(word, value);
    return new Whom(all);
  }

  /** Whether tokens that have scopes may be meant, for which a permit must say so. */
  boolean maybeToken() {
    return words.containsKey("issuer") || words.containsKey("authenticated");
  }
}
