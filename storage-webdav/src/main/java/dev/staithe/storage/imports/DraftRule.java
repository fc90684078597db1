package dev.staithe.storage.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A rule of a policy, before it is written.
 *
 * @param path of the area, with all below it
 * @param except paths below that one which it does not concern
 * @param widens whether it permits to tokens with scopes more than these say
 */
record DraftRule(
    boolean permit, Deed.Said what, String path, List<String> except, Whom whom, boolean widens) {
  /** All that is needed for these deeds. */
  static List<DraftRule> of(
      boolean permit,
      Set<Deed> deeds,
      String path,
      List<String> except,
      Whom whom,
      boolean widens) {
    List<DraftRule> rules = new ArrayList<>();
    for (Deed.Said what : permit ? Deed.permitting(deeds) : Deed.denying(deeds)) {
      rules.add(
          new DraftRule(permit, what, path, except, whom, permit && widens && whom.maybeToken()));
    }
    return rules;
  }

  Map<String, Object> yaml() {
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put(permit ? "permit" : "deny", what.rights());
    rule.put("path", path);
    if (!except.isEmpty()) {
      rule.put("except", except);
    }
    rule.putAll(whom.words());
    if (!what.methods().isEmpty()) {
      rule.put("method", what.methods());
    }
    if (widens) {
      rule.put("widens", true);
    }
    return rule;
  }
}
