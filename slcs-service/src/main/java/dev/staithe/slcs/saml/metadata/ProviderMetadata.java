package dev.staithe.slcs.saml.metadata;

import dev.staithe.xml.Elements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * What the metadata of an entity say of it as an identity provider (SAML metadata section 2.4.3, UI
 * extensions 1.0, entity categories RFC 8409).
 *
 * @param displayName in English where there is one, else any; the entity ID where there is none
 * @param scopes the domains that it may speak for
 * @param hidden whether it asks not to be shown on discovery pages
 * @param validUntil by the words of entity and role; null: they do not say
 * @param redirect where browsers are sent; null where it has no such place
 * @param post where forms are sent; null where it has no such place
 * @param ecp where enhanced clients send requests; null where it has no such place
 */
record ProviderMetadata(
    String entityId,
    String displayName,
    List<ScopeRule> scopes,
    boolean hidden,
    @Nullable Instant validUntil,
    @Nullable String redirect,
    @Nullable String post,
    @Nullable String ecp) {
  private static final String MDUI = "urn:oasis:names:tc:SAML:metadata:ui";
  private static final String MDATTR = "urn:oasis:names:tc:SAML:metadata:attribute";
  private static final String SHIBMD = "urn:mace:shibboleth:metadata:1.0";
  private static final String REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
  private static final String POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
  private static final String SOAP = "urn:oasis:names:tc:SAML:2.0:bindings:SOAP";
  private static final String CATEGORY = "http://macedir.org/entity-category";
  private static final String HIDE = "http://refeds.org/category/hide-from-discovery";
  private static final int LONGEST_NAME = 200;

  /**
   * Empty where the entity is no identity provider of SAML 2.0.
   *
   * @throws java.time.DateTimeException where it is valid until no time
   */
  static Optional<ProviderMetadata> of(Element entity) {
    Element role =
        Elements.children(entity, SamlNamespaces.METADATA, "IDPSSODescriptor").stream()
            .filter(
                each ->
                    List.of(each.getAttribute("protocolSupportEnumeration").split("\\s+"))
                        .contains(SamlNamespaces.PROTOCOL))
            .findFirst()
            .orElse(null);
    String entityId = entity.getAttribute("entityID");
    if (role == null || entityId.isEmpty() || entityId.length() > 1024) {
      return Optional.empty();
    }
    List<ScopeRule> scopes = new ArrayList<>();
    // Of the role, as deployed software reads it, and of the entity.
    for (Element holder : List.of(role, entity)) {
      for (Element extensions : Elements.children(holder, SamlNamespaces.METADATA, "Extensions")) {
        for (Element scope : Elements.children(extensions, SHIBMD, "Scope")) {
          String text = scope.getTextContent().strip();
          if (List.of("true", "1").contains(scope.getAttribute("regexp").strip())) {
            ScopeRule.expression(text).ifPresent(scopes::add);
          } else if (!text.isEmpty()) {
            scopes.add(ScopeRule.literal(text));
          }
        }
      }
    }
    return Optional.of(
        new ProviderMetadata(
            entityId,
            displayName(entity, role).orElse(entityId),
            scopes,
            hidden(entity),
            Validity.earlier(Validity.of(entity), Validity.of(role)),
            place(role, REDIRECT),
            place(role, POST),
            place(role, SOAP)));
  }

  private static Optional<String> displayName(Element entity, Element role) {
    List<Element> names = new ArrayList<>();
    for (Element extensions : Elements.children(role, SamlNamespaces.METADATA, "Extensions")) {
      for (Element info : Elements.children(extensions, MDUI, "UIInfo")) {
        names.addAll(Elements.children(info, MDUI, "DisplayName"));
      }
    }
    for (Element organization :
        Elements.children(entity, SamlNamespaces.METADATA, "Organization")) {
      names.addAll(
          Elements.children(organization, SamlNamespaces.METADATA, "OrganizationDisplayName"));
    }
    return names.stream()
        .filter(
            name ->
                name.getAttributeNS("http://www.w3.org/XML/1998/namespace", "lang")
                    .startsWith("en"))
        .findFirst()
        .or(() -> names.stream().findFirst())
        // Marks that turn text around would dress one name up as another's.
        .map(name -> name.getTextContent().replaceAll("[\\p{Cc}\\p{Cf}\\s]+", " ").strip())
        .filter(name -> !name.isEmpty())
        .map(name -> name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name);
  }

  private static boolean hidden(Element entity) {
    for (Element extensions : Elements.children(entity, SamlNamespaces.METADATA, "Extensions")) {
      for (Element attributes : Elements.children(extensions, MDATTR, "EntityAttributes")) {
        for (Element attribute :
            Elements.children(attributes, SamlNamespaces.ASSERTION, "Attribute")) {
          if (attribute.getAttribute("Name").equals(CATEGORY)
              && Elements.children(attribute, SamlNamespaces.ASSERTION, "AttributeValue").stream()
                  .anyMatch(value -> value.getTextContent().strip().equals(HIDE))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static @Nullable String place(Element role, String binding) {
    return Elements.children(role, SamlNamespaces.METADATA, "SingleSignOnService").stream()
        .filter(service -> service.getAttribute("Binding").equals(binding))
        .map(service -> service.getAttribute("Location"))
        .filter(location -> location.startsWith("https://") || location.startsWith("http://"))
        .findFirst()
        .orElse(null);
  }
}
