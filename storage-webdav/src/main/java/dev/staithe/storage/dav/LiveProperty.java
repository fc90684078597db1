package dev.staithe.storage.dav;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.Dates;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.MediaTypes;
import dev.staithe.storage.exchange.PropertyName;
import dev.staithe.storage.exchange.XmlOut;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Locality;
import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.locks.LockTable;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The properties that the server computes (RFC 4918 section 15, RFC 4331, and the field's own). */
enum LiveProperty {
  CREATION_DATE(PropertyName.dav("creationdate"), true),
  CONTENT_LENGTH(PropertyName.dav("getcontentlength"), true),
  CONTENT_TYPE(PropertyName.dav("getcontenttype"), true),
  ETAG(PropertyName.dav("getetag"), true),
  LAST_MODIFIED(PropertyName.dav("getlastmodified"), true),
  RESOURCE_TYPE(PropertyName.dav("resourcetype"), true),
  SUPPORTED_LOCK(PropertyName.dav("supportedlock"), true),
  LOCK_DISCOVERY(PropertyName.dav("lockdiscovery"), true),
  QUOTA_AVAILABLE(PropertyName.dav("quota-available-bytes"), false),
  QUOTA_USED(PropertyName.dav("quota-used-bytes"), false),
  STORM_CHECKSUM(new PropertyName("http://storm.italiangrid.org/2014/webdav", "Checksum"), false),
  DCACHE_CHECKSUMS(new PropertyName("http://www.dcache.org/2013/webdav", "Checksums"), false),
  OC_CHECKSUMS(new PropertyName("http://owncloud.org/ns", "checksums"), false),
  /** As dCache has it. */
  FILE_LOCALITY(
      new PropertyName("http://srm.lbl.gov/StorageResourceManager", "FileLocality"), false);

  private static final Map<PropertyName, LiveProperty> BY_NAME = new HashMap<>();

  static {
    for (LiveProperty property : values()) {
      BY_NAME.put(property.property, property);
    }
  }

  private static final String SUPPORTED_LOCKS =
      "<D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>"
          + "</D:lockentry><D:lockentry><D:lockscope><D:shared/></D:lockscope><D:locktype>"
          + "<D:write/></D:locktype></D:lockentry>";

  private final PropertyName property;
  private final boolean inAllProp;

  LiveProperty(PropertyName property, boolean inAllProp) {
    this.property = property;
    this.inAllProp = inAllProp;
  }

  PropertyName property() {
    return property;
  }

  /** Whether {@code allprop} gives it; what costs a look beyond the file's entry is not given. */
  boolean inAllProp() {
    return inAllProp;
  }

  static @Nullable LiveProperty of(PropertyName name) {
    return BY_NAME.get(name);
  }

  /** Whether such a file or collection can have it at all. */
  boolean appliesTo(FileEntry file) {
    return switch (this) {
      case CONTENT_LENGTH,
          CONTENT_TYPE,
          STORM_CHECKSUM,
          DCACHE_CHECKSUMS,
          OC_CHECKSUMS,
          FILE_LOCALITY ->
          !file.collection();
      default -> true;
    };
  }

  /** Writes the property where the file has it; tells whether it has. */
  boolean write(XmlOut out, Exchange exchange, FileEntry file, Locking locking) throws IOException {
    if (!appliesTo(file)) {
      return false;
    }
    FileStore store = exchange.area().store();
    switch (this) {
      case CREATION_DATE -> value(out, "creationdate", Dates.iso(file.created()));
      case CONTENT_LENGTH -> value(out, "getcontentlength", Long.toString(file.size()));
      case CONTENT_TYPE -> value(out, "getcontenttype", MediaTypes.of(file.path().name()));
      case ETAG -> value(out, "getetag", file.etag());
      case LAST_MODIFIED -> value(out, "getlastmodified", Dates.http(file.modified()));
      case RESOURCE_TYPE ->
          out.markup(
              file.collection()
                  ? "<D:resourcetype><D:collection/></D:resourcetype>"
                  : "<D:resourcetype/>");
      case SUPPORTED_LOCK ->
          out.markup("<D:supportedlock>").markup(SUPPORTED_LOCKS).markup("</D:supportedlock>");
      case LOCK_DISCOVERY -> {
        out.markup("<D:lockdiscovery>");
        for (LockTable.Lock lock : locking.covering(exchange, file)) {
          LockXml.activeLock(out, exchange, lock, locking.table(exchange).left(lock));
        }
        out.markup("</D:lockdiscovery>");
      }
      case QUOTA_AVAILABLE, QUOTA_USED -> {
        // Of collections only (RFC 4331 section 3): davix takes a file's for the file's size.
        if (!file.collection()) {
          return false;
        }
        value(
            out,
            property.local(),
            Long.toString(this == QUOTA_USED ? store.room().used() : store.room().available()));
      }
      case STORM_CHECKSUM -> {
        Optional<Checksum> adler = adler(store, file);
        if (adler.isEmpty()) {
          return false;
        }
        out.markup("<S:Checksum xmlns:S=\"http://storm.italiangrid.org/2014/webdav\">")
            .text(adler.get().hex())
            .markup("</S:Checksum>");
      }
      case DCACHE_CHECKSUMS -> {
        Optional<Checksum> adler = adler(store, file);
        if (adler.isEmpty()) {
          return false;
        }
        out.markup("<C:Checksums xmlns:C=\"http://www.dcache.org/2013/webdav\">")
            .text(adler.get().rfc3230())
            .markup("</C:Checksums>");
      }
      case OC_CHECKSUMS -> {
        // As rclone reads them; of the two that it knows from ownCloud, MD5 is kept here.
        String kept =
            Stream.of(ChecksumAlgorithm.MD5, ChecksumAlgorithm.ADLER32)
                .flatMap(algorithm -> store.kept(file, algorithm).stream())
                .map(checksum -> checksum.algorithm().name() + ":" + checksum.hex())
                .collect(Collectors.joining(" "));
        if (kept.isEmpty()) {
          return false;
        }
        out.markup("<O:checksums xmlns:O=\"http://owncloud.org/ns\"><O:checksum>")
            .text(kept)
            .markup("</O:checksum></O:checksums>");
      }
      case FILE_LOCALITY -> {
        Optional<Locality> locality = locality(store, file);
        if (locality.isEmpty()) {
          return false;
        }
        out.markup("<L:FileLocality xmlns:L=\"http://srm.lbl.gov/StorageResourceManager\">")
            .text(locality.get().srm())
            .markup("</L:FileLocality>");
      }
    }
    return true;
  }

  /** Empty where the file cannot be opened: one must not end the answer about a whole folder. */
  private static Optional<Locality> locality(FileStore store, FileEntry file) throws IOException {
    try {
      return Optional.of(store.locality(file));
    } catch (IOException unreadable) {
      if (NoSpaceException.tell(unreadable) instanceof NoDescriptorException
          || unreadable instanceof StoreAwayException) {
        throw unreadable; // Nothing that is peculiar to this file.
      }
      return Optional.empty();
    }
  }

  private static Optional<Checksum> adler(FileStore store, FileEntry file) throws IOException {
    return store.kept(file, ChecksumAlgorithm.ADLER32);
  }

  private static void value(XmlOut out, String name, String text) throws IOException {
    out.markup("<D:").markup(name).markup(">").text(text).markup("</D:").markup(name).markup(">");
  }
}
