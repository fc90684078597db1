package dev.staithe.slcs.saml.metadata;

import dev.staithe.slcs.protect.AuthnSettings;
import dev.staithe.slcs.session.Digests;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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
import org.w3c.dom.NodeList;

/**
 * The identity providers of a federation's metadata: of each what a list of them shows, and its own
 * metadata compressed, which become a {@link Provider} when somebody logs in there. Immutable.
 */
final class Aggregate {
  /** Deep trees and long tags are not met; inline logos are. */
  static final XmlLimits LIMITS = new XmlLimits(Download.LONGEST, 64, 256, 1_000, 4 << 20);

  private final Map<String, Entry> byEntityId;
  private final Map<String, Entry> byName;

  /**
   * One provider.
   *
   * @param name short and unique, also beside the providers that are named one by one: its first
   *     scope where that is only its own, else of its entity ID
   * @param validUntil of the entity and the groups that it is in, below the root; null: for ever
   * @param metadata of this entity alone, compressed
   */
  record Entry(
      String name,
      String entityId,
      String displayName,
      boolean hidden,
      @Nullable Instant validUntil,
      byte[] metadata) {
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

  private Aggregate(Map<String, Entry> byEntityId, Map<String, Entry> byName) {
    this.byEntityId = byEntityId;
    this.byName = byName;
  }

  /**
   * Reads an aggregate.
   *
   * @param signer whose signature it must have; null where it needs none
   * @param taken short names that none of it gets
   * @param now entities and groups that are over by then are faults
   * @throws IOException where it is of no use; the message goes on after the file's name
   */
  static MetadataSource.Loaded<Aggregate> read(
      Path file, @Nullable X509Certificate signer, Set<String> taken, Instant now)
      throws IOException {
    if (signer != null) {
      AggregateSignature.verify(file, LIMITS, signer);
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return new Reader(SafeXml.reader(in, LIMITS), signer != null, taken, now).read();
    } catch (XMLStreamException e) {
      throw new IOException("is no XML that can be read: " + e.getMessage(), e);
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

  /**
   * A group that is being read.
   *
   * @param validUntil of it and those around it, without the root, whose time is that of the whole
   * @param fault why nothing in it is used; null: nothing is wrong
   */
  private record Group(@Nullable Instant validUntil, @Nullable String fault) {}

  /** Reads one file. */
  private static final class Reader {
    private final XMLStreamReader xml;
    private final boolean signed;
    private final Instant now;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> names;
    private final Map<String, String> declared = new HashMap<>();
    private final Deque<Group> groups = new ArrayDeque<>();
    private final List<String> faults = new ArrayList<>();
    private String rootId = "";
    private @Nullable Instant validUntil;
    private @Nullable Duration cacheDuration;
    private boolean signatureSeen;
    private int skipped;
    private int scopeless;
    private int weak;
    private int ending;
    private @Nullable Instant firstEnd;

    Reader(XMLStreamReader xml, boolean signed, Set<String> taken, Instant now) {
      this.xml = xml;
      this.signed = signed;
      this.names = new HashSet<>(taken);
      names.add(AuthnSettings.NAME);
      this.now = now;
    }

    MetadataSource.Loaded<Aggregate> read() throws XMLStreamException, IOException {
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          start();
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          groups.pop();
        }
      }
      if (signed && !signatureSeen) {
        throw new IOException("has no signature of the whole");
      }
      Map<String, Entry> byName = new HashMap<>();
      entries.values().forEach(entry -> byName.put(entry.name(), entry));
      return new MetadataSource.Loaded<>(
          new Aggregate(entries, byName), validUntil, cacheDuration, faults, List.of(told()));
    }

    private String told() {
      return entries.size()
          + " identity providers, "
          + (scopeless == 0 ? "" : scopeless + " of them without a scope and so of no use, ")
          + (weak == 0
              ? ""
              : weak
                  + " of them sign by RSA of less than "
                  + MetadataFile.LEAST_BITS
                  + " bits, which can be forged, ")
          + (ending == 0
              ? ""
              : ending + " of them end before the whole, the first at " + firstEnd + ", ")
          + skipped
          + " other entities, "
          + faults.size()
          + " that are not used; valid "
          + (validUntil == null ? "for ever" : "until " + validUntil);
    }

    private void start() throws XMLStreamException, IOException {
      boolean metadata = SamlNamespaces.METADATA.equals(xml.getNamespaceURI());
      boolean root = groups.isEmpty();
      if (root && (!metadata || !xml.getLocalName().equals("EntitiesDescriptor"))) {
        throw new IOException("is no EntitiesDescriptor");
      }
      if (root) {
        String id = xml.getAttributeValue(null, "ID");
        rootId = id == null ? "" : id;
        root();
      } else if (metadata && xml.getLocalName().equals("EntitiesDescriptor")) {
        group(groups.element());
      } else if (metadata && xml.getLocalName().equals("EntityDescriptor")) {
        entity(SafeXml.element(xml), groups.element());
      } else if (groups.size() == 1
          && SamlNamespaces.DS.equals(xml.getNamespaceURI())
          && xml.getLocalName().equals("Signature")) {
        String fault = SignatureForm.fault(SafeXml.element(xml), rootId);
        if (signed && (signatureSeen || fault != null)) {
          throw new IOException(
              "is not signed as it must be: "
                  + (fault == null ? "there are two signatures" : fault));
        }
        signatureSeen = true;
      } else {
        // Extensions of the group, which say nothing of a provider.
        SafeXml.element(xml);
      }
    }

    private void root() throws IOException {
      declare();
      try {
        validUntil = Validity.time(xml.getAttributeValue(null, "validUntil"));
      } catch (DateTimeException e) {
        throw new IOException("is valid until no time", e);
      }
      groups.push(new Group(null, null));
    }

    private void group(Group around) {
      declare();
      Instant until = around.validUntil();
      String fault = around.fault();
      if (fault == null) {
        try {
          until = Validity.earlier(until, Validity.time(xml.getAttributeValue(null, "validUntil")));
          if (Validity.over(until, now)) {
            fault = "its group was valid until " + until;
          }
        } catch (DateTimeException e) {
          fault = "its group is valid until no time";
        }
      }
      groups.push(new Group(until, fault));
    }

    private void declare() {
      for (int i = 0; i < xml.getNamespaceCount(); i++) {
        String prefix = xml.getNamespacePrefix(i);
        String uri = xml.getNamespaceURI(i);
        // Prefixes of QNames in values; elements know their own namespaces.
        if (prefix != null && !prefix.isEmpty() && uri != null) {
          declared.put(prefix, uri);
        }
      }
      Duration cache = duration(xml.getAttributeValue(null, "cacheDuration"));
      if (cache != null && (cacheDuration == null || cache.compareTo(cacheDuration) < 0)) {
        cacheDuration = cache;
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

    private void entity(Element entity, Group group) throws IOException {
      try {
        ProviderMetadata metadata = ProviderMetadata.of(entity).orElse(null);
        if (metadata == null) {
          skipped++;
          return;
        }
        Instant until = Validity.earlier(group.validUntil(), metadata.validUntil());
        String fault = group.fault() != null ? group.fault() : fault(metadata, until);
        if (fault == null) {
          take(entity, metadata, until);
        } else {
          faulty(entity, fault);
        }
      } catch (DateTimeException e) {
        faulty(entity, "it is valid until no time");
      }
    }

    private void faulty(Element entity, String fault) {
      String id = entity.getAttribute("entityID").replaceAll("\\p{Cntrl}", "?");
      faults.add((id.length() > 200 ? id.substring(0, 200) : id) + " (" + fault + ")");
    }

    private @Nullable String fault(ProviderMetadata metadata, @Nullable Instant until) {
      if (Validity.over(until, now)) {
        return "it was valid until " + until;
      }
      if (metadata.redirect() == null && metadata.post() == null) {
        return "it takes requests neither by redirect nor by POST";
      }
      return entries.containsKey(metadata.entityId()) ? "it is there twice" : null;
    }

    private void take(Element entity, ProviderMetadata metadata, @Nullable Instant until)
        throws IOException {
      declared.forEach(
          (prefix, uri) -> {
            String name = "xmlns:" + prefix;
            if (!entity.hasAttribute(name)) {
              entity.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, name, uri);
            }
          });
      scopeless += metadata.scopes().isEmpty() ? 1 : 0;
      weak += signsWeakly(entity) ? 1 : 0;
      if (until != null && (validUntil == null || until.isBefore(validUntil))) {
        ending++;
        firstEnd = Validity.earlier(firstEnd, until);
      }
      entries.put(
          metadata.entityId(),
          new Entry(
              name(metadata),
              metadata.entityId(),
              metadata.displayName(),
              metadata.hidden(),
              until,
              pack(entity)));
    }

    /** Whether one of the keys that its answers may be signed with is too short. */
    private static boolean signsWeakly(Element entity) {
      for (Element role : Elements.children(entity, SamlNamespaces.METADATA, "IDPSSODescriptor")) {
        for (Element key : Elements.children(role, SamlNamespaces.METADATA, "KeyDescriptor")) {
          if (!key.getAttribute("use").equals("encryption") && isWeak(key)) {
            return true;
          }
        }
      }
      return false;
    }

    private static boolean isWeak(Element key) {
      NodeList texts = key.getElementsByTagNameNS(SamlNamespaces.DS, "X509Certificate");
      for (int i = 0; i < texts.getLength(); i++) {
        try {
          byte[] der = Base64.getMimeDecoder().decode(texts.item(i).getTextContent());
          if (CertificateFactory.getInstance("X.509")
                      .generateCertificate(new ByteArrayInputStream(der))
                      .getPublicKey()
                  instanceof RSAPublicKey rsa
              && rsa.getModulus().bitLength() < MetadataFile.LEAST_BITS) {
            return true;
          }
        } catch (CertificateException | IllegalArgumentException e) {
          // Of no use at a login either, which says so.
        }
      }
      return false;
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
        out.write(XmlText.document(entity).getBytes(StandardCharsets.UTF_8));
      }
      return bytes.toByteArray();
    }
  }
}
