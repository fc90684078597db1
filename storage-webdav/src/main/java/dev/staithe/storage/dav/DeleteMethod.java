package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.LockTable.Lock;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    if (!exchange.admitted(path, Right.DELETE)) {
      return;
    }
    if (!Locking.wellFormed(exchange)) {
      return;
    }
    String depth = exchange.header("Depth");
    Optional<FileEntry> found = exchange.area().store().find(path);
    if (depth != null
        && !depth.equalsIgnoreCase("infinity")
        && found.map(FileEntry::collection).orElse(false)) {
      exchange.refuse(400, "a collection is deleted with Depth: infinity only");
      return;
    }
    List<Lock> gone = new ArrayList<>();
    switch (exchange.area().store().delete(path, () -> judge(exchange, gone))) {
      case Outcome.Refused<Boolean> refused -> exchange.refuse(refused);
      case Outcome.Done<Boolean> done -> {
        locking.table(exchange).release(gone);
        exchange.reply(204);
      }
    }
  }

  /** Whether it may go; then {@code gone} has the locks that go with it. */
  private Outcome<FileStore.Replace> judge(Exchange exchange, List<Lock> gone) throws IOException {
    StoragePath path = exchange.path();
    Optional<FileEntry> found = exchange.area().store().find(path);
    if (found.isEmpty() || path.collectionForm() && !found.get().collection()) {
      return new Outcome.Refused<>(Refusal.NOT_FOUND, Refusal.NOT_FOUND.text());
    }
    if (Conditions.judge(exchange.request().getHeaders(), found, false) != Conditions.Verdict.MET) {
      return new Outcome.Refused<>(Refusal.CONDITION_FAILED, Refusal.CONDITION_FAILED.text());
    }
    Optional<Outcome.Refused<FileStore.Replace>> obstacle =
        locking.obstacle(Locking.Asker.of(exchange), path, Locking.Change.REMOVAL);
    if (obstacle.isPresent()) {
      return obstacle.get();
    }
    if (found.get().collection()
        && exchange.options().safeDelete()
        && !exchange.area().store().isEmpty(path)) {
      return new Outcome.Refused<>(
          Refusal.NOT_EMPTY, "the collection is not empty, and this area deletes only empty ones");
    }
    gone.clear();
    gone.addAll(locking.going(exchange, path));
    return FileStore.Replace.ALLOWED.ask();
  }
}
