package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.util.Optional;

/** MKCOL (RFC 4918 section 9.3). */
public final class MkcolMethod implements DavMethod {
  private final Locking locking;

  /** Respects these locks. */
  public MkcolMethod(Locking locking) {
    this.locking = locking;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    StoragePath path = exchange.path().asCollection(true);
    if (!exchange.admitted(path, Right.MAKE_COLLECTION)) {
      return;
    }
    if (exchange.hasContent()) {
      exchange.refuse(415, "MKCOL takes no content");
      return;
    }
    if (!Locking.wellFormed(exchange)) {
      return;
    }
    Consent consent =
        () -> {
          // RFC 9110 section 13.2.1: of no meaning where MKCOL would be refused without them.
          FileStore store = exchange.area().store();
          if (Conditions.judge(exchange.request().getHeaders(), Optional.empty(), false)
                  != Conditions.Verdict.MET
              && store.find(path).isEmpty()
              && store.find(path.parent()).filter(FileEntry::collection).isPresent()) {
            return Outcome.Refused.of(Refusal.CONDITION_FAILED);
          }
          Optional<Outcome.Refused<FileStore.Replace>> obstacle =
              locking.obstacle(Locking.Asker.of(exchange), path, Locking.Change.NAME);
          return obstacle.isPresent() ? obstacle.get() : FileStore.Replace.NEVER.ask();
        };
    switch (exchange.area().store().makeCollection(path, consent)) {
      case Outcome.Refused<FileEntry> refused when refused.why() == Refusal.EXISTS ->
          exchange.refuse(405, refused.text());
      case Outcome.Refused<FileEntry> refused -> exchange.refuse(refused);
      case Outcome.Done<FileEntry> done -> exchange.reply(201);
    }
  }
}
