package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.XmlOut;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.locks.IfHeader;
import dev.staithe.storage.locks.LockTable;
import dev.staithe.storage.locks.LockTable.Lock;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/** LOCK (RFC 4918 section 9.10): takes a lock, or refreshes one where there is no body. */
public final class LockMethod implements DavMethod {
  private static final int LONGEST_BODY = 16 * 1024;

  private final Locking locking;

  /** Keeps its locks there. */
  public LockMethod(Locking locking) {
    this.locking = locking;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    StoragePath path = exchange.path();
    if (!exchange.admitted(exchange.admissionToOwnLock(path))) {
      return;
    }
    byte[] body = exchange.readAll(LONGEST_BODY);
    if (body == null) {
      exchange.refuse(413, "the request body is longer than " + LONGEST_BODY + " bytes");
      return;
    }
    Duration timeout = RequestXml.timeout(exchange.header("Timeout"));
    if (body.length == 0) {
      refresh(exchange, timeout);
      return;
    }
    if (!exchange.admitted(exchange.admissionToWrite(path))) {
      return;
    }
    String depth = exchange.header("Depth");
    boolean deep = depth == null || depth.equalsIgnoreCase("infinity");
    if (!deep && !"0".equals(depth)) {
      exchange.refuse(400, "LOCK has Depth: 0 or infinity");
      return;
    }
    switch (RequestXml.lockInfo(body)) {
      case RequestXml.Read.Malformed<RequestXml.LockInfo> malformed ->
          exchange.refuse(400, malformed.reason());
      case RequestXml.Read.Good<RequestXml.LockInfo> good
          when good.value().owner().getBytes(StandardCharsets.UTF_8).length
              > LockTable.LONGEST_OWNER ->
          exchange.refuse(
              413, "the owner element is longer than " + LockTable.LONGEST_OWNER + " bytes");
      case RequestXml.Read.Good<RequestXml.LockInfo> good ->
          take(exchange, good.value(), deep, timeout);
    }
  }

  private void take(Exchange exchange, RequestXml.LockInfo wish, boolean deep, Duration timeout)
      throws IOException {
    StoragePath path = exchange.path();
    if (!Locking.wellFormed(exchange)) {
      return;
    }
    FileStore store = exchange.area().store();
    // A request that publishes here judges the locks at the same moment as it does so.
    Outcome<Taken> outcome =
        store.holding(
            path,
            () -> {
              Optional<FileEntry> found = store.find(path);
              boolean tree = deep && found.map(FileEntry::collection).orElse(false);
              Optional<? extends Outcome.Refused<?>> obstacle = obstacle(exchange, found, tree);
              if (obstacle.isPresent()) {
                return obstacle.get().as();
              }
              return switch (locking
                  .table(exchange)
                  .take(
                      store.place(path, true),
                      wish.exclusive(),
                      tree,
                      wish.owner(),
                      exchange.caller().label(),
                      timeout)) {
                case Outcome.Refused<Lock> refused -> refused.as();
                case Outcome.Done<Lock> done ->
                    new Outcome.Done<>(new Taken(done.value(), found.isEmpty()));
              };
            });
    switch (outcome) {
      case Outcome.Refused<Taken> refused -> exchange.refuse(refused);
      case Outcome.Done<Taken> done -> give(exchange, done.value());
    }
  }

  /** What the request's conditions, others' locks and the store say against a lock there now. */
  private Optional<? extends Outcome.Refused<?>> obstacle(
      Exchange exchange, Optional<FileEntry> found, boolean tree) throws IOException {
    if (Conditions.judge(exchange.request().getHeaders(), found, false) != Conditions.Verdict.MET) {
      return Optional.of(
          new Outcome.Refused<Lock>(Refusal.CONDITION_FAILED, Refusal.CONDITION_FAILED.text()));
    }
    if (exchange.path().collectionForm() && !found.map(FileEntry::collection).orElse(false)) {
      return Optional.of(
          new Outcome.Refused<Lock>(
              Refusal.CONFLICT, "there is no collection at this path, and a lock makes none"));
    }
    Locking.Asker asker = Locking.Asker.of(exchange);
    if (found.isEmpty()) {
      return locking.obstacle(asker, exchange.path(), Locking.Change.NAME);
    }
    Optional<Outcome.Refused<FileStore.Replace>> unmet = locking.unmet(asker);
    return unmet.isPresent() ? unmet : exchange.area().store().forbids(found.get(), tree);
  }

  /** A lock, and whether its name was free. */
  private record Taken(Lock lock, boolean free) {}

  private void give(Exchange exchange, Taken taken) throws IOException {
    Lock lock = taken.lock();
    LockTable table = locking.table(exchange);
    if (taken.free()) {
      // A lock on a name that is free makes an empty file (RFC 4918 section 7.3).
      Outcome<FileEntry> made;
      try {
        made = makeEmpty(exchange.area().store(), exchange.path());
        if (made instanceof Outcome.Done<FileEntry>(FileEntry file)) {
          table.made(lock.token(), file.etag());
        }
      } catch (IOException | RuntimeException e) {
        table.release(lock.token()); // Nobody is told of it.
        throw e;
      }
      if (made instanceof Outcome.Refused<FileEntry> refused) {
        table.release(lock.token());
        exchange.refuse(refused);
        return;
      }
    }
    exchange.response().getHeaders().put("Lock-Token", "<" + lock.token() + ">");
    answer(exchange, lock, taken.free() ? 201 : 200);
  }

  private static Outcome<FileEntry> makeEmpty(FileStore store, StoragePath path)
      throws IOException {
    return switch (store.stage(null, path, 0, Set.of())) {
      case Outcome.Refused<Upload> refused -> refused.as();
      case Outcome.Done<Upload> staged -> {
        try (Upload upload = staged.value()) {
          yield upload.commit(FileStore.Replace.NEVER);
        }
      }
    };
  }

  private void refresh(Exchange exchange, Duration timeout) throws IOException {
    String header = exchange.header("If");
    Optional<IfHeader> submitted = header == null ? Optional.empty() : IfHeader.parse(header);
    if (submitted.isEmpty()) {
      exchange.refuse(400, "a lock is refreshed with its token in the If header");
      return;
    }
    LockTable table = locking.table(exchange);
    table.look();
    List<Lock> covering = locking.covering(exchange, exchange.path());
    for (String token : submitted.get().tokens()) {
      boolean own =
          covering.stream()
              .anyMatch(
                  l -> l.token().equals(token) && l.holder().equals(exchange.caller().label()));
      if (own) {
        Optional<Lock> fresh = table.refresh(token, timeout);
        if (fresh.isPresent()) {
          answer(exchange, fresh.get(), 200);
          return;
        }
      }
    }
    exchange.refuse(412, "the path has no lock with that token");
  }

  private void answer(Exchange exchange, Lock lock, int status) throws IOException {
    exchange.response().setStatus(status);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml;charset=utf-8");
    XmlOut out = new XmlOut(exchange);
    out.markup("<D:prop xmlns:D=\"DAV:\"><D:lockdiscovery>");
    LockXml.activeLock(out, exchange, lock, locking.table(exchange).left(lock));
    out.markup("</D:lockdiscovery></D:prop>\n").end();
  }
}
