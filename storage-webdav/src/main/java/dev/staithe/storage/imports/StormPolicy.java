package dev.staithe.storage.imports;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of StoRM WebDAV's fine-grained policies. What of a permit cannot be said is left out, what of
 * a denial cannot be said is denied to more; both are noted.
 *
 * @param where file and key
 * @param area whose
 * @param paths Ant patterns, at least one
 */
record StormPolicy(
    String where,
    String area,
    boolean permit,
    Set<Deed> deeds,
    List<String> paths,
    List<Principal> principals) {

  /** For whom it is; the whom is null where we have no word for it. */
  record Principal(String where, String type, @Nullable Whom whom) {}

  /** All that the file has, in their order. */
  static List<StormPolicy> all(Keys keys) throws WrongSource {
    List<StormPolicy> all = new ArrayList<>();
    for (int i = 0; keys.has("storm.authz.policies[" + i + "]"); i++) {
      String at = "storm.authz.policies[" + i + "]";
      keys.text(at + ".description");
      String effect = keys.text(at + ".effect", "").toLowerCase(java.util.Locale.ROOT);
      if (!effect.equals("permit") && !effect.equals("deny")) {
        throw new WrongSource(keys.where(at + ".effect"), "neither permit nor deny");
      }
      // StoRM puts the area's path and a slash before each.
      List<String> paths =
          keys.list(at + ".paths").stream()
              .map(path -> "/" + path.replaceFirst("^/+", ""))
              .toList();
      all.add(
          new StormPolicy(
              keys.where(at),
              need(keys, at + ".sa"),
              effect.equals("permit"),
              deeds(keys, at + ".actions"),
              paths.isEmpty() ? List.of("/**") : paths,
              principals(keys, at)));
    }
    return all;
  }

  private static String need(Keys keys, String key) throws WrongSource {
    String value = keys.text(key, "");
    if (value.isEmpty()) {
      throw new WrongSource(keys.where(key), "it is missing");
    }
    return value;
  }

  private static Set<Deed> deeds(Keys keys, String key) throws WrongSource {
    Set<Deed> deeds = EnumSet.noneOf(Deed.class);
    for (String action : keys.list(key)) {
      switch (action.toLowerCase(java.util.Locale.ROOT)) {
        case "list" -> deeds.add(Deed.LIST);
        // There PROPFIND is one of its methods too.
        case "read" -> deeds.addAll(Set.of(Deed.READ, Deed.LIST));
        case "write" -> deeds.add(Deed.WRITE);
        case "delete" -> deeds.add(Deed.DELETE);
        case "all" -> deeds.addAll(EnumSet.allOf(Deed.class));
        default -> throw new WrongSource(keys.where(key), "no action is called " + action);
      }
    }
    if (deeds.containsAll(Set.of(Deed.WRITE, Deed.DELETE))) {
      deeds.add(Deed.RENAME);
    }
    if (deeds.isEmpty()) {
      throw new WrongSource(keys.where(key), "it is missing");
    }
    return deeds;
  }

  private static List<Principal> principals(Keys keys, String policy) throws WrongSource {
    List<Principal> all = new ArrayList<>();
    for (int i = 0; keys.has(policy + ".principals[" + i + "]"); i++) {
      String at = policy + ".principals[" + i + "]";
      String type = need(keys, at + ".type");
      String of = at + ".params.";
      Whom whom =
          switch (type) {
            case "anyone" -> Whom.ANYONE;
            case "any-authenticated-user" -> Whom.AUTHENTICATED;
            case "vo" -> Whom.voms("/" + need(keys, of + "vo"));
            case "fqan" -> Whom.voms(need(keys, of + "fqan"));
            case "jwt-group" -> Whom.group(need(keys, of + "iss"), need(keys, of + "group"));
            case "jwt-issuer" -> Whom.issuer(need(keys, of + "iss"));
            case "jwt-subject" -> Whom.subject(need(keys, of + "iss"), need(keys, of + "sub"));
            case "x509-subject" -> Whom.certificate(need(keys, of + "subject"));
            default -> null;
          };
      keys.pass(at);
      all.add(new Principal(keys.where(at), type, whom));
    }
    if (all.isEmpty()) {
      throw new WrongSource(keys.where(policy + ".principals"), "it is missing");
    }
    return all;
  }

  /** The same as rules, and notes about what is not the same. */
  List<DraftRule> rules(ImportedSite site, boolean widens) {
    List<DraftRule> rules = new ArrayList<>();
    for (String pattern : paths) {
      String path = path(site, pattern);
      if (path == null) {
        continue;
      }
      for (Principal principal : principals) {
        Whom whom = whom(site, principal);
        if (whom != null) {
          rules.addAll(DraftRule.of(permit, deeds, path, List.of(), whom, widens));
        }
      }
    }
    return rules;
  }

  /** What the pattern and nothing else means; null where a permit would mean more. */
  private @Nullable String path(ImportedSite site, String pattern) {
    String tree = pattern.endsWith("/**") ? pattern.substring(0, pattern.length() - 3) : pattern;
    boolean plain = !tree.contains("*") && !tree.contains("?") && !tree.contains("{");
    if (plain && pattern.endsWith("/**")) {
      return tree.isEmpty() ? "/" : tree;
    }
    if (permit) {
      site.note(
          where,
          "left out for the path "
              + pattern
              + ": a rule is for a path with all below it, which"
              + " would permit more");
      return null;
    }
    String wider = tree.replaceFirst("[^/]*[*?{].*$", "");
    wider =
        wider.length() > 1 && wider.endsWith("/") ? wider.substring(0, wider.length() - 1) : wider;
    wider = wider.isEmpty() ? "/" : wider;
    site.note(where, "the path " + pattern + " is denied as " + wider + " with all below it");
    return wider;
  }

  private @Nullable Whom whom(ImportedSite site, Principal principal) {
    Whom whom = principal.whom();
    if (whom != null) {
      Object issuer = whom.words().get("issuer");
      if (issuer == null || site.believes(String.valueOf(issuer))) {
        return whom;
      }
      site.note(principal.where(), "left out: " + issuer + " is not in oauth.issuers");
      return null;
    }
    if (permit) {
      site.note(
          principal.where(),
          "left out: nobody is called " + principal.type() + " here, who thereby has no right");
      return null;
    }
    site.note(
        principal.where(),
        "nobody is called " + principal.type() + " here, so that it is denied to anyone");
    return Whom.ANYONE;
  }
}
