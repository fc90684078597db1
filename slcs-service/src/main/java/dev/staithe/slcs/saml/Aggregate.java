package dev.staithe.slcs.saml;

import dev.staithe.slcs.session.Digests;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The identity providers of a federation's metadata: of each what a list of them shows, and its own
 * metadata compressed, which become a {@link Provider} when somebody logs in there. Immutable.
 */
final class Aggregate {
  /** Deep trees and long tags are not met; inline logos are. */
  static final XmlLimits LIMITS = new XmlLimits(Download.LONGEST, 64, 256, 1_000, 4 << 20);

  private final Map<String, Entry> byEntityId;
  private final Map<String, Entry> byName;
  private final int skipped;

  /**
   * One provider.
   *
   * @param name short and unique: its first scope where that is only its own, else of its entity ID
   * @param metadata of this entity alone, compressed
   */
  record Entry(String name, String entityId, String displayName, boolean hidden, byte[] metadata) {
    /** The metadata as they were. */
    Element element() {
      try (var in = new GZIPInputStream(new ByteArrayInputStream(metadata))) {
        if (SafeXml.parse(in, LIMITS) instanceof XmlDocument.Parsed parsed) {
          return parsed.document().getDocumentElement();
        }
      } catch (IOException e) {
        throw new IllegalStateException("memory cannot be read", e);
      }
      throw new IllegalStateException("what was read once cannot be read again");
    }
  }

  private Aggregate(Map<String, Entry> byEntityId, Map<String, Entry> byName, int skipped) {
    this.byEntityId = byEntityId;
    this.byName = byName;
    this.skipped = skipped;
  }

  /**
   * Reads an aggregate.
   *
   * @param signer whose signature it must have; null where it needs none
   * @throws IOException with one line where it is of no use
   */
  static MetadataSource.Loaded<Aggregate> read(Path file, @Nullable X509Certificate signer)
      throws IOException {
    if (signer != null) {
      AggregateSignature.verify(file, LIMITS, signer);
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return new Reader(file, SafeXml.reader(in, LIMITS), signer != null).read();
    } catch (XMLStreamException e) {
      throw new IOException(file.getFileName() + " cannot be read: " + e.getMessage(), e);
    }
  }

  Optional<Entry> withEntityId(String entityId) {
    return Optional.ofNullable(byEntityId.get(entityId));
  }

  Optional<Entry> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** All of them. */
  java.util.Collection<Entry> entries() {
    return byEntityId.values();
  }

  /** How many entities were left out: service providers, and what is wrong. */
  int skipped() {
    return skipped;
  }

  /** Reads one file. */
  private static final class Reader {
    private final Path file;
    private final XMLStreamReader xml;
    private final boolean signed;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, String> declared = new HashMap<>();
    private String rootId = "";
    private @Nullable Instant validUntil;
    private @Nullable Duration cacheDuration;
    private boolean signatureSeen;
    private int depth;
    private int skipped;

    Reader(Path file, XMLStreamReader xml, boolean signed) {
      this.file = file;
      this.xml = xml;
      this.signed = signed;
    }

    MetadataSource.Loaded<Aggregate> read() throws XMLStreamException, IOException {
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          start();
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          depth--;
        }
      }
      if (signed && !signatureSeen) {
        throw new IOException(file.getFileName() + " has no signature of the whole");
      }
      Map<String, Entry> byName = new HashMap<>();
      entries.values().forEach(entry -> byName.put(entry.name(), entry));
      return new MetadataSource.Loaded<>(
          new Aggregate(entries, byName, skipped), validUntil, cacheDuration);
    }

    private void start() throws XMLStreamException, IOException {
      boolean metadata = ProviderMetadata.MD.equals(xml.getNamespaceURI());
      if (depth == 0) {
        if (!metadata || !xml.getLocalName().equals("EntitiesDescriptor")) {
          throw new IOException(file.getFileName() + " is no EntitiesDescriptor");
        }
        String id = xml.getAttributeValue(null, "ID");
        rootId = id == null ? "" : id;
      }
      if (metadata && xml.getLocalName().equals("EntitiesDescriptor")) {
        group();
      } else if (metadata && xml.getLocalName().equals("EntityDescriptor")) {
        entity(SafeXml.element(xml));
      } else if (depth == 1
          && ResponseShape.DS.equals(xml.getNamespaceURI())
          && xml.getLocalName().equals("Signature")) {
        String fault = ResponseShape.fault(SafeXml.element(xml), rootId);
        if (signed && (signatureSeen || fault != null)) {
          throw new IOException(
              file.getFileName()
                  + " is not signed as it must be: "
                  + (fault == null ? "there are two signatures" : fault));
        }
        signatureSeen = true;
      } else {
        // Extensions of the group, which say nothing of a provider.
        SafeXml.element(xml);
      }
    }

    private void group() throws IOException {
      depth++;
      for (int i = 0; i < xml.getNamespaceCount(); i++) {
        String prefix = xml.getNamespacePrefix(i);
        String uri = xml.getNamespaceURI(i);
        // Prefixes of QNames in values; elements know their own namespaces.
        if (prefix != null && !prefix.isEmpty() && uri != null) {
          declared.put(prefix, uri);
        }
      }
      Instant until = instant(xml.getAttributeValue(null, "validUntil"));
      if (until != null && (validUntil == null || until.isBefore(validUntil))) {
        validUntil = until;
      }
      Duration cache = duration(xml.getAttributeValue(null, "cacheDuration"));
      if (cache != null && (cacheDuration == null || cache.compareTo(cacheDuration) < 0)) {
        cacheDuration = cache;
      }
    }

    private @Nullable Instant instant(@Nullable String text) throws IOException {
      try {
        return text == null ? null : java.time.OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException e) {
        // What ends at an unknown time must not be used for ever.
        throw new IOException(file.getFileName() + " is valid until no time", e);
      }
    }

    private static @Nullable Duration duration(@Nullable String text) {
      try {
        return text == null ? null : Duration.parse(text);
      } catch (DateTimeException e) {
        // In months or years, as XML Schema allows: longer than we wait anyway.
        return null;
      }
    }

    private void entity(Element entity) throws IOException {
      ProviderMetadata metadata = ProviderMetadata.of(entity).orElse(null);
      Instant until =
          entity.hasAttribute("validUntil") ? instant(entity.getAttribute("validUntil")) : null;
      if (metadata == null
          || metadata.redirect() == null
          || entries.containsKey(metadata.entityId())
          || (until != null && validUntil != null && until.isBefore(validUntil))) {
        skipped++;
        return;
      }
      declared.forEach(
          (prefix, uri) -> {
            String name = "xmlns:" + prefix;
            if (!entity.hasAttribute(name)) {
              entity.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, name, uri);
            }
          });
      String name = name(metadata);
      entries.put(
          metadata.entityId(),
          new Entry(
              name, metadata.entityId(), metadata.displayName(), metadata.hidden(), pack(entity)));
    }

    private String name(ProviderMetadata metadata) {
      String scope =
          metadata.scopes().stream()
              .filter(rule -> rule.pattern() == null)
              .map(ScopeRule::text)
              .filter(text -> text.matches("[a-z0-9][a-z0-9.-]{0,100}"))
              .findFirst()
              .orElse("");
      if (!scope.isEmpty() && names.add(scope)) {
        return scope;
      }
      String digest = "e" + Digests.of(metadata.entityId()).substring(0, 16);
      names.add(digest);
      return digest;
    }

    private static byte[] pack(Element entity) throws IOException {
      var bytes = new ByteArrayOutputStream();
      try (var out = new GZIPOutputStream(bytes)) {
        out.write(MessageText.document(entity).getBytes(StandardCharsets.UTF_8));
      }
      return bytes.toByteArray();
    }
  }
}
