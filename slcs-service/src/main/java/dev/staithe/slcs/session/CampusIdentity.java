package dev.staithe.slcs.session;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Who somebody is by the word of an identity provider, as far as it was checked: the values of
 * scoped attributes are within the scopes of that provider.
 *
 * @param provider the entity ID of the provider (SAML metadata section 2.2.1)
 * @param providerName its short name here
 * @param principalName what people and services read: eduPersonPrincipalName, where that is not
 *     told subject-id, else eduPersonUniqueId, else pairwise-id; of the form {@code local@domain}
 * @param attributes all attributes with their values, at least one each, by friendly names as
 *     {@code mail}; those that have none here by their names
 * @param authenticated when the provider saw the person log in
 * @param authenticationContext how, a URI (SAML core section 2.7.2.2); empty where it is not said
 */
public record CampusIdentity(
    String provider,
    String providerName,
    String principalName,
    Map<String, List<String>> attributes,
    Instant authenticated,
    String authenticationContext) {
  /** Copies the attributes. */
  public CampusIdentity {
    var copy = new java.util.TreeMap<String, List<String>>();
    attributes.forEach((name, values) -> copy.put(name, List.copyOf(values)));
    attributes = java.util.Collections.unmodifiableMap(copy);
  }

  /**
   * What stays the same for this person at this provider: subject-id, else eduPersonUniqueId, else
   * eduPersonPrincipalName, else pairwise-id.
   */
  public String person() {
    return first("subject-id").or(() -> first("eduPersonUniqueId")).orElse(principalName);
  }

  /** All that the provider names the person by, in the order of {@link Identifier.Kind}. */
  public List<Identifier> identifiers() {
    return Arrays.stream(Identifier.Kind.values())
        .flatMap(
            kind ->
                first(kind.attribute()).stream()
                    .map(value -> new Identifier(kind, value.toLowerCase(Locale.ROOT))))
        .toList();
  }

  /** The first value of an attribute. */
  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }

  /** All values of an attribute; none where it is not there. */
  public List<String> all(String name) {
    return attributes.getOrDefault(name, List.of());
  }

  /** The domain of {@link #principalName}. */
  public String scope() {
    return principalName.substring(principalName.indexOf('@') + 1);
  }
}
