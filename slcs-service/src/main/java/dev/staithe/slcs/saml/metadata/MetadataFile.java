package dev.staithe.slcs.saml.metadata;

import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.saml2.Saml2Exception;
import org.springframework.security.saml2.core.Saml2X509Credential;
import org.w3c.dom.Element;

/** Reads the metadata of one provider. */
final class MetadataFile {
  /** Of one entity, logos inside included. */
  private static final long LONGEST = 4L << 20;

  /** Signatures by shorter RSA keys can be forged (NIST SP 800-131A revision 2, section 3). */
  static final int LEAST_BITS = 2048;

  private MetadataFile() {}

  /**
   * Makes the provider of that name of a file.
   *
   * @throws IOException where the file cannot be read or says nothing of use; the message goes on
   *     after its name
   */
  static MetadataSource.Loaded<Provider> read(
      SamlSettings.NamedProvider named, Path file, ServiceProvider self) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return switch (SafeXml.parse(in, XmlLimits.ofBytes(LONGEST))) {
        case XmlDocument.Parsed parsed ->
            loaded(named, parsed.document().getDocumentElement(), self);
        case XmlDocument.Refused refused ->
            throw new IOException("is no XML that can be read: " + refused.reason());
        case XmlDocument.Empty empty -> throw new IOException("is empty");
      };
    }
  }

  private static MetadataSource.Loaded<Provider> loaded(
      SamlSettings.NamedProvider named, Element root, ServiceProvider self) throws IOException {
    Element entity = entity(root, named.entityId());
    try {
      ProviderMetadata metadata = entity == null ? null : ProviderMetadata.of(entity).orElse(null);
      if (entity == null || metadata == null) {
        throw new IOException(
            "has no EntityDescriptor with an identity provider of SAML 2.0"
                + (named.entityId() == null ? "" : " named " + named.entityId()));
      }
      Provider provider = provider(named, metadata, entity, self);
      Instant until = Validity.earlier(Validity.of(root), metadata.validUntil());
      return new MetadataSource.Loaded<>(
          provider,
          until,
          null,
          weaknesses(provider),
          List.of(
              provider.displayName()
                  + ", "
                  + provider.entityId()
                  + ", for "
                  + provider.scopes().stream().map(ScopeRule::text).toList()
                  + "; valid "
                  + (until == null ? "for ever" : "until " + until)));
    } catch (DateTimeException e) {
      throw new IOException("is valid until no time", e);
    }
  }

  /** What is read and should not be relied on. */
  private static List<String> weaknesses(Provider provider) {
    List<String> found = new ArrayList<>();
    if (provider.scopes().isEmpty()) {
      found.add("it has no scope, so that nobody of it can log in: say which by scopes");
    }
    for (Saml2X509Credential each :
        provider.registration().getAssertingPartyMetadata().getVerificationX509Credentials()) {
      if (each.getCertificate().getPublicKey() instanceof RSAPublicKey rsa
          && rsa.getModulus().bitLength() < LEAST_BITS) {
        found.add(
            "it signs by RSA of " + rsa.getModulus().bitLength() + " bits, which can be forged");
      }
    }
    return found;
  }

  private static Provider provider(
      SamlSettings.NamedProvider named,
      ProviderMetadata metadata,
      Element entity,
      ServiceProvider self)
      throws IOException {
    try {
      return new Provider(
          named.name(),
          metadata.entityId(),
          named.displayName() == null ? metadata.displayName() : named.displayName(),
          named.scopes().isEmpty()
              ? metadata.scopes()
              : named.scopes().stream().map(ScopeRule::literal).toList(),
          metadata.ecp(),
          named.encryption(),
          self.with(named.name(), metadata, entity));
    } catch (Saml2Exception | IllegalArgumentException e) {
      throw new IOException("is of no use: " + e.getMessage(), e);
    }
  }

  private static @Nullable Element entity(Element root, @Nullable String entityId) {
    if (!SamlNamespaces.METADATA.equals(root.getNamespaceURI())) {
      return null;
    }
    List<Element> entities =
        switch (root.getLocalName()) {
          case "EntityDescriptor" -> List.of(root);
          case "EntitiesDescriptor" ->
              Elements.children(root, SamlNamespaces.METADATA, "EntityDescriptor");
          default -> List.of();
        };
    return entities.stream()
        .filter(entity -> entityId == null || entity.getAttribute("entityID").equals(entityId))
        .findFirst()
        .orElse(null);
  }
}
