package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.PageHeaders;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.pages.ListingPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.util.BufferUtil;

/** The page of a collection for browsers, written while the folder is read. */
public final class CollectionPage implements DavMethod {
  /** Makes the page. */
  public CollectionPage() {}

  @Override
  public void handle(Exchange exchange) throws IOException {
    FileStore store = exchange.area().store();
    StoragePath path = exchange.path();
    switch (store.list(path)) {
      case Outcome.Refused<Listing> refused -> exchange.refuse(refused);
      case Outcome.Done<Listing> done -> {
        try (Listing listing = done.value()) {
          exchange.response().setStatus(200);
          PageHeaders.set(exchange.response());
          write(exchange, store, listing);
        }
      }
    }
  }

  private static void write(Exchange exchange, FileStore store, Listing listing)
      throws IOException {
    StoragePath collection = exchange.path().asCollection(true);
    boolean modify = may(exchange, Right.MODIFY);
    FileStore.Room room = store.room();
    ListingPage page =
        ListingPage.begin(
            bytes -> exchange.write(bytes, false),
            crumbs(exchange.href(collection)),
            new ListingPage.Options(
                modify || may(exchange, Right.CREATE), modify, room.available(), room.used()));
    try {
      FileEntry member;
      while ((member = listing.next()) != null) {
        page.entry(entry(exchange, store, member));
      }
      page.end();
    } catch (java.nio.file.FileSystemException unreadable) {
      page.broken("the folder could not be read to its end");
    }
    exchange.write(BufferUtil.EMPTY_BUFFER, true);
  }

  private static ListingPage.Entry entry(Exchange exchange, FileStore store, FileEntry member) {
    String name = member.path().name();
    String href = exchange.href(member.path());
    if (!(exchange.admission(member.path(), Right.STAT) instanceof Admission.Allowed)) {
      return new ListingPage.Entry(name, href, member.collection(), -1, null, null);
    }
    return new ListingPage.Entry(
        name,
        href,
        member.collection(),
        member.size(),
        member.modified(),
        member.collection()
            ? null
            : store.kept(member, ChecksumAlgorithm.ADLER32).map(Checksum::toString).orElse(null));
  }

  private static boolean may(Exchange exchange, Right right) {
    // A name that is as good as any: what holds for it holds for members of this collection.
    StoragePath member = exchange.path().child("x");
    return exchange.admission(member, right) instanceof Admission.Allowed;
  }

  /** The way from the root to a path, one step a name. */
  static List<ListingPage.Crumb> crumbs(String href) {
    List<ListingPage.Crumb> crumbs = new ArrayList<>();
    crumbs.add(new ListingPage.Crumb("Storage", "/"));
    if (StoragePath.parse(href) instanceof StoragePath.Parsed.Valid valid) {
      StoragePath at = StoragePath.root();
      for (String name : valid.path().segments()) {
        at = at.child(name);
        crumbs.add(new ListingPage.Crumb(name, at.asCollection(true).href()));
      }
    }
    return crumbs;
  }

  /** The page of a collection that exists only because areas lie below it. */
  static byte[] ofNames(StoragePath path, List<String> names) throws IOException {
    var out = new java.io.ByteArrayOutputStream();
    ListingPage page =
        ListingPage.begin(
            bytes -> out.writeBytes(bytesOf(bytes)),
            crumbs(path.asCollection(true).href()),
            ListingPage.Options.READ_ONLY);
    for (String name : names) {
      page.entry(
          new ListingPage.Entry(
              name, path.child(name).asCollection(true).href(), true, 0, null, null));
    }
    page.end();
    return out.toByteArray();
  }

  private static byte[] bytesOf(ByteBuffer buffer) {
    return BufferUtil.toArray(buffer);
  }
}
