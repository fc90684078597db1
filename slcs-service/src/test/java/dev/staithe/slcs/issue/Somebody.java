package dev.staithe.slcs.issue;

import dev.staithe.slcs.session.CampusIdentity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** People for tests. */
public final class Somebody {
  static final String PROVIDER = "https://idp.example.org/idp";

  private Somebody() {}

  /** With a principal name and a calling name. */
  public static CampusIdentity named(String eppn, String displayName) {
    return with(eppn, Map.of("displayName", List.of(displayName)));
  }

  /** With further attributes. */
  public static CampusIdentity with(String eppn, Map<String, List<String>> attributes) {
    return of(PROVIDER, eppn, attributes);
  }

  /** From a provider. */
  public static CampusIdentity of(
      String provider, String eppn, Map<String, List<String>> attributes) {
    var all = new HashMap<>(attributes);
    all.put("eduPersonPrincipalName", List.of(eppn));
    return new CampusIdentity(
        provider,
        "example",
        eppn,
        all,
        Instant.parse("2026-01-02T03:04:05Z"),
        "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport");
  }
}
