package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.util.Optional;

/** DELETE: a file, or a collection with everything in it (RFC 4918 section 9.6). */
public final class DeleteMethod implements DavMethod {
  private final Locking locking;

  /** Respects these locks. */
  public DeleteMethod(Locking locking) {
    this.locking = locking;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    StoragePath path = exchange.path();
    if (!exchange.admitted(path, Right.MODIFY)) {
      return;
    }
    Optional<FileEntry> found = exchange.area().store().find(path);
    if (found.isEmpty() || path.collectionForm() && !found.get().collection()) {
      exchange.refuse(404, "there is no such file or collection");
      return;
    }
    if (Conditions.judge(exchange.request().getHeaders(), found, false) != Conditions.Verdict.MET) {
      exchange.refuse(412, "a condition of the request does not hold");
      return;
    }
    String depth = exchange.header("Depth");
    if (found.get().collection() && depth != null && !depth.equalsIgnoreCase("infinity")) {
      exchange.refuse(400, "a collection is deleted with Depth: infinity only");
      return;
    }
    if (!locking.permitsTree(exchange, path)) {
      return;
    }
    if (found.get().collection() && exchange.options().safeDelete() && hasMembers(exchange)) {
      exchange.refuse(412, "the collection is not empty, and this area deletes only empty ones");
      return;
    }
    switch (exchange.area().store().delete(path)) {
      case Outcome.Refused<Boolean> refused -> exchange.refuse(refused);
      case Outcome.Done<Boolean> done -> {
        locking.table(exchange).forget(path);
        exchange.reply(204);
      }
    }
  }

  private static boolean hasMembers(Exchange exchange) throws IOException {
    if (exchange.area().store().list(exchange.path()) instanceof Outcome.Done<Listing> done) {
      try (Listing listing = done.value()) {
        return listing.next() != null;
      }
    }
    return false;
  }
}
