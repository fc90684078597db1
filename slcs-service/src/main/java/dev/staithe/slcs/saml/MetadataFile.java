package dev.staithe.slcs.saml;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.saml2.Saml2Exception;
import org.w3c.dom.Element;

/** Reads the metadata of one provider. */
final class MetadataFile {
  /** Of one entity, logos inside included. */
  private static final long LONGEST = 4L << 20;

  private MetadataFile() {}

  /**
   * Makes the provider of that name of a file.
   *
   * @throws IOException with one line where the file cannot be read or says nothing of use
   */
  static MetadataSource.Loaded<Provider> read(
      SamlSettings.NamedProvider named, Path file, ServiceProvider self) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return switch (SafeXml.parse(in, XmlLimits.ofBytes(LONGEST))) {
        case XmlDocument.Parsed parsed ->
            loaded(named, file, parsed.document().getDocumentElement(), self);
        case XmlDocument.Refused refused ->
            throw new IOException(file + " cannot be read: " + refused.reason());
        case XmlDocument.Empty empty -> throw new IOException(file + " is empty");
      };
    }
  }

  private static MetadataSource.Loaded<Provider> loaded(
      SamlSettings.NamedProvider named, Path file, Element root, ServiceProvider self)
      throws IOException {
    try {
      String until = root.getAttribute("validUntil");
      return new MetadataSource.Loaded<>(
          provider(named, file, root, self),
          until.isEmpty() ? null : OffsetDateTime.parse(until).toInstant(),
          null);
    } catch (DateTimeException e) {
      throw new IOException(file + " is valid until no time", e);
    }
  }

  private static Provider provider(
      SamlSettings.NamedProvider named, Path file, Element root, ServiceProvider self)
      throws IOException {
    Element entity = entity(root, named.entityId());
    ProviderMetadata metadata = entity == null ? null : ProviderMetadata.of(entity).orElse(null);
    if (entity == null || metadata == null) {
      throw new IOException(
          file
              + " has no identity provider of SAML 2.0"
              + (named.entityId() == null ? "" : " named " + named.entityId()));
    }
    try {
      return new Provider(
          named.name(),
          metadata.entityId(),
          metadata.displayName(),
          named.scopes().isEmpty()
              ? metadata.scopes()
              : named.scopes().stream().map(ScopeRule::literal).toList(),
          metadata.ecp(),
          self.with(named.name(), metadata, entity));
    } catch (Saml2Exception | IllegalArgumentException e) {
      throw new IOException(file + " is of no use: " + e.getMessage(), e);
    }
  }

  private static @Nullable Element entity(Element root, @Nullable String entityId) {
    if (!ProviderMetadata.MD.equals(root.getNamespaceURI())) {
      return null;
    }
    List<Element> entities =
        switch (root.getLocalName()) {
          case "EntityDescriptor" -> List.of(root);
          case "EntitiesDescriptor" ->
              ProviderMetadata.children(root, ProviderMetadata.MD, "EntityDescriptor");
          default -> List.of();
        };
    return entities.stream()
        .filter(entity -> entityId == null || entity.getAttribute("entityID").equals(entityId))
        .findFirst()
        .orElse(null);
  }
}
