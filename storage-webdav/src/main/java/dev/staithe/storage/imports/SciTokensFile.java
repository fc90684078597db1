package dev.staithe.storage.imports;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The issuers whose tokens XRootD's plug-in for SciTokens believes. For one thread. */
final class SciTokensFile {
  /** A value, and where it stands. */
  private record Value(String text, String where) {}

  private static final Set<String> READ =
      Set.of("issuer", "base_path", "restricted_path", "authorization_strategy", "onmissing");

  private final ImportedSite site;
  private final Map<String, Map<String, Value>> sections = new LinkedHashMap<>();

  private SciTokensFile(ImportedSite site) {
    this.site = site;
  }

  /**
   * What an issuer's capabilities count for.
   *
   * @param where the section begins
   * @param bases paths that those of scopes are relative to; empty: none counts
   */
  record Issuer(String where, String issuer, List<String> bases) {}

  /**
   * All issuers, which are added to the site, and whether a request that no token allows is judged
   * by whatever comes next.
   */
  record Read(List<Issuer> issuers, boolean fallsThrough) {}

  static Read read(ImportedSite site, Path file) throws IOException {
    SciTokensFile all = new SciTokensFile(site);
    all.parse(file);
    return all.issuers(String.valueOf(file.getFileName()));
  }

  private void parse(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    Map<String, Value> section = Map.of();
    try (BufferedReader text = new BufferedReader(Keys.open(file))) {
      int number = 0;
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        String where = name + ":" + ++number;
        String stripped = line.replaceFirst("\\s;.*$", "").strip();
        if (stripped.isEmpty() || stripped.startsWith("#") || stripped.startsWith(";")) {
          continue;
        }
        if (stripped.startsWith("[") && stripped.endsWith("]")) {
          String title = stripped.substring(1, stripped.length() - 1).strip();
          section = sections.computeIfAbsent(title, none -> new LinkedHashMap<>());
          section.putIfAbsent("", new Value(title, where));
          continue;
        }
        int equals = stripped.indexOf('=');
        if (equals < 1 || !section.containsKey("")) {
          throw new WrongSource(where, "neither a section nor a key with a value");
        }
        section.put(
            stripped.substring(0, equals).strip().toLowerCase(java.util.Locale.ROOT),
            new Value(stripped.substring(equals + 1).strip(), where));
      }
    }
  }

  private Read issuers(String file) throws WrongSource {
    Map<String, Value> global = sections.getOrDefault("Global", Map.of());
    List<String> audiences = commas(text(global, "audience", ""));
    if (global.containsKey("audience_json")) {
      throw new WrongSource(
          where(global, "audience_json"), "write it as \"audience = A, B\" first");
    }
    String missing = text(global, "onmissing", "passthrough");
    if (missing.equals("allow")) {
      site.note(
          where(global, "onmissing"),
          "not taken over: what no token allows was left to the file system, and is now refused");
    }
    for (Map.Entry<String, Value> each : global.entrySet()) {
      if (!Set.of("", "audience", "onmissing").contains(each.getKey())) {
        site.note(each.getValue().where(), each.getKey() + " is not taken over");
      }
    }
    List<Issuer> issuers = new ArrayList<>();
    for (Map.Entry<String, Map<String, Value>> section : sections.entrySet()) {
      Map<String, Value> values = section.getValue();
      if (section.getKey().startsWith("Issuer ")) {
        issuers.add(issuer(values, audiences));
      } else if (!section.getKey().equals("Global")) {
        site.note(where(values, ""), "the section " + section.getKey() + " is not taken over");
      }
    }
    if (issuers.isEmpty()) {
      throw new WrongSource(file, "no section begins with [Issuer");
    }
    return new Read(List.copyOf(issuers), missing.equals("passthrough"));
  }

  private Issuer issuer(Map<String, Value> values, List<String> audiences) throws WrongSource {
    String where = where(values, "");
    String issuer = text(values, "issuer", "");
    if (!issuer.matches("https://\\S+")) {
      throw new WrongSource(where, "issuer = https://... is missing");
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    List<String> named = new ArrayList<>(audiences);
    boolean any = named.remove("https://wlcg.cern.ch/jwt/v1/any");
    if (named.isEmpty()) {
      named.add(site.audience());
    }
    settings.put("audiences", named);
    settings.put("accept-wlcg-any", any || audiences.isEmpty());
    if (audiences.isEmpty()) {
      site.note(
          where,
          "no audience is demanded there: tokens must now name one of "
              + named
              + " or WLCG's \"any\"");
    }
    site.issuer(issuer, settings);
    for (Map.Entry<String, Value> each : values.entrySet()) {
      if (!each.getKey().isEmpty() && !READ.contains(each.getKey())) {
        site.note(
            each.getValue().where(),
            each.getKey() + " is not taken over: tokens are not mapped to names here");
      }
    }
    return new Issuer(where, issuer, bases(values, where));
  }

  private List<String> bases(Map<String, Value> values, String where) throws WrongSource {
    List<String> bases = commas(text(values, "base_path", ""));
    if (bases.isEmpty() || !bases.stream().allMatch(base -> base.startsWith("/"))) {
      throw new WrongSource(where, "base_path = /... is missing");
    }
    String strategy = text(values, "authorization_strategy", "capability");
    if (!List.of(strategy.split("[,\\s]+", -1)).contains("capability")) {
      site.note(where(values, "authorization_strategy"), "its scopes count for nothing, as before");
      return List.of();
    }
    for (String narrowing : List.of("required_authorization", "acceptable_authorization")) {
      if (values.containsKey(narrowing)) {
        site.note(
            where(values, narrowing), "left out with all rights by scopes: it cannot be said");
        return List.of();
      }
    }
    if (!text(values, "restricted_path", "/").equals("/")) {
      site.note(
          where(values, "restricted_path"),
          "left out with all rights by scopes: what issuers may allow is said by prefixes alone;"
              + " add areas[].grants with prefixes, or rules that deny");
      return List.of();
    }
    return bases;
  }

  private static List<String> commas(String value) {
    List<String> all = new ArrayList<>();
    for (String each : value.split("[,\\s]+", -1)) {
      if (!each.isEmpty()) {
        all.add(each);
      }
    }
    return all;
  }

  private static String text(Map<String, Value> values, String key, String absent) {
    Value value = values.get(key);
    return value == null ? absent : value.text();
  }

  private static String where(Map<String, Value> values, String key) {
    Value value = values.get(key);
    return value == null ? "scitokens.cfg" : value.where();
  }
}
