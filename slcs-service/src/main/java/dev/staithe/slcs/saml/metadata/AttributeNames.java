package dev.staithe.slcs.saml.metadata;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The friendly names of attributes: of eduPerson, SCHAC, inetOrgPerson and the SAML subject
 * identifier attributes.
 */
public final class AttributeNames {
  static final String PRINCIPAL_NAME = "eduPersonPrincipalName";

  /** Their values end in {@code @scope}. */
  public static final Set<String> SCOPED =
      Set.of(
          PRINCIPAL_NAME,
          "eduPersonScopedAffiliation",
          "eduPersonUniqueId",
          "subject-id",
          "pairwise-id");

  private static final Map<String, String> BY_NAME = new LinkedHashMap<>();

  /** The same whatever the case of the letters. */
  private static final Map<String, String> IN_ANY_CASE =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  static {
    put("eduPersonPrincipalName", "urn:oid:1.3.6.1.4.1.5923.1.1.1.6");
    put("eduPersonAffiliation", "urn:oid:1.3.6.1.4.1.5923.1.1.1.1");
    put("eduPersonEntitlement", "urn:oid:1.3.6.1.4.1.5923.1.1.1.7");
    put("eduPersonScopedAffiliation", "urn:oid:1.3.6.1.4.1.5923.1.1.1.9");
    put("eduPersonTargetedID", "urn:oid:1.3.6.1.4.1.5923.1.1.1.10");
    put("eduPersonAssurance", "urn:oid:1.3.6.1.4.1.5923.1.1.1.11");
    put("eduPersonUniqueId", "urn:oid:1.3.6.1.4.1.5923.1.1.1.13");
    put("mail", "urn:oid:0.9.2342.19200300.100.1.3");
    put("uid", "urn:oid:0.9.2342.19200300.100.1.1");
    put("displayName", "urn:oid:2.16.840.1.113730.3.1.241");
    put("givenName", "urn:oid:2.5.4.42");
    put("sn", "urn:oid:2.5.4.4");
    put("cn", "urn:oid:2.5.4.3");
    put("schacHomeOrganization", "urn:oid:1.3.6.1.4.1.25178.1.2.9");
    put("subject-id", "urn:oasis:names:tc:SAML:attribute:subject-id");
    put("pairwise-id", "urn:oasis:names:tc:SAML:attribute:pairwise-id");
    // Providers that do not name by OID (NameFormat basic).
    for (String friendly : new LinkedHashSet<>(BY_NAME.values())) {
      BY_NAME.put(friendly, friendly);
    }
    IN_ANY_CASE.putAll(BY_NAME);
  }

  private AttributeNames() {}

  private static void put(String friendly, String name) {
    BY_NAME.put(name, friendly);
  }

  /** What is asked for: friendly names and names. */
  static Map<String, String> wanted() {
    Map<String, String> wanted = new LinkedHashMap<>();
    BY_NAME.forEach(
        (name, friendly) -> {
          if (!name.equals(friendly)) {
            wanted.put(friendly, name);
          }
        });
    return wanted;
  }

  /**
   * The name that an attribute has here. Its name decides; the friendly name, which says nothing
   * for certain (SAML core section 2.7.3.1), only where the name is unknown. One that differs from
   * a known name in the case of its letters is that: services behind this one are told attributes
   * by headers, which have no case, and what is told by its like must have been held to its rules.
   */
  public static String canonical(String name, @Nullable String friendlyName) {
    String known = IN_ANY_CASE.get(name);
    if (known != null) {
      return known;
    }
    String byFriendly = friendlyName == null ? null : BY_NAME.get(friendlyName);
    return byFriendly == null ? name : byFriendly;
  }
}
