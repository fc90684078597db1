package dev.staithe.delegation.door;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** What clients of FTS3 ask an address for before anything else: which interface it has. */
public final class FtsDescription {
  private FtsDescription() {}

  /** A version of the interface from which on these clients make proxies as RFC 3820 says. */
  public static String json() {
    var json = JsonMapper.shared().createObjectNode();
    for (String part : List.of("api", "delegation", "schema")) {
      json.putObject(part).put("major", 3).put("minor", 12).put("patch", 0);
    }
    return json.toString();
  }
}
