package dev.staithe.storage.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A storage area as it was found. For one thread. */
final class ImportedArea {
  private final String name;
  private final String root;
  private final List<String> accessPoints;

  /** Prefixes of the scopes of each issuer that is believed about capabilities. */
  final Map<String, List<String>> capabilities = new LinkedHashMap<>();

  /** Groups of VOMS whose members may read and write all of it. */
  final Set<String> organizations = new TreeSet<>();

  final List<DraftRule> rules = new ArrayList<>();
  boolean anonymousRead;
  boolean authenticatedRead;

  /** An area of which nothing is allowed so far. */
  ImportedArea(String name, String root, List<String> accessPoints) {
    this.name = name;
    this.root = root;
    this.accessPoints = accessPoints;
  }

  String name() {
    return name;
  }

  List<String> accessPoints() {
    return accessPoints;
  }

  Map<String, Object> yaml(String policy) {
    Map<String, Object> area = new LinkedHashMap<>();
    area.put("name", name);
    area.put("root", root);
    area.put("access-points", accessPoints);
    if (!capabilities.isEmpty()) {
      List<Object> grants = new ArrayList<>();
      capabilities.forEach(
          (issuer, prefixes) -> {
            Map<String, Object> grant = new LinkedHashMap<>();
            grant.put("issuer", issuer);
            grant.put("prefixes", prefixes);
            grants.add(grant);
          });
      area.put("grants", grants);
    }
    if (!organizations.isEmpty()) {
      List<Object> voms = new ArrayList<>();
      for (String organization : organizations) {
        Map<String, Object> grant = new LinkedHashMap<>();
        grant.put("fqan", organization);
        grant.put("scopes", "storage.read:/ storage.modify:/");
        voms.add(grant);
      }
      area.put("voms", voms);
    }
    if (anonymousRead) {
      area.put("anonymous-read", true);
    }
    if (authenticatedRead) {
      area.put("authenticated-read", true);
    }
    if (!rules.isEmpty()) {
      area.put("policy", policy);
    }
    return area;
  }
}
