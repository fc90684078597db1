package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.Destination;
import dev.staithe.storage.locks.LockTable.Lock;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.OwnAuthorities;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/** COPY and MOVE within an area (RFC 4918 sections 9.8 and 9.9). */
public final class CopyMoveMethod implements DavMethod {
  private final Locking locking;
  private final Areas areas;
  private final OwnAuthorities own;

  /** Respects these locks; serves destinations on {@code own} addresses. */
  public CopyMoveMethod(Locking locking, Areas areas, OwnAuthorities own) {
    this.locking = locking;
    this.areas = areas;
    this.own = own;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    boolean move = exchange.request().getMethod().equals("MOVE");
    StoragePath from = exchange.path();
    StoragePath to;
    Optional<Areas.Place> place;
    switch (Destination.parse(exchange.header("Destination"), own.of(exchange.request()))) {
      case Destination.Refused refused -> {
        exchange.refuse(refused.status(), refused.line());
        return;
      }
      case Destination.Local local -> {
        place = areas.locate(local.path());
        to = place.map(Areas.Place::path).orElse(local.path());
      }
    }
    String overwrite = exchange.header("Overwrite");
    if (overwrite != null && !overwrite.equalsIgnoreCase("T") && !overwrite.equalsIgnoreCase("F")) {
      exchange.refuse(400, "Overwrite is T or F");
      return;
    }
    String depth = exchange.header("Depth");
    boolean shallow = "0".equals(depth);
    if (depth != null && !depth.equalsIgnoreCase("infinity") && (move || !shallow)) {
      exchange.refuse(400, move ? "MOVE has Depth: infinity" : "COPY has Depth: 0 or infinity");
      return;
    }
    if (place.isEmpty() || !place.get().area().area().name().equals(exchange.area().name())) {
      // Nothing crosses areas: neither the destination's own rules nor those below are asked.
      if (exchange.admitted(exchange.judgedAs("HEAD").admission(from, Right.STAT))) {
        exchange.refuse(502, "the Destination is not in the same storage area");
      }
      return;
    }
    if (!admits(exchange, from, to, move)) {
      return;
    }
    act(exchange, from, to, move, shallow, !"F".equalsIgnoreCase(overwrite));
  }

  private static boolean admits(Exchange exchange, StoragePath from, StoragePath to, boolean move)
      throws IOException {
    // The destination first: all rules below the source are asked, which may be a million.
    return exchange.admitted(exchange.admissionToWrite(to))
        && exchange.admitted(from, move ? Right.RENAME : Right.READ);
  }

  private void act(
      Exchange exchange,
      StoragePath from,
      StoragePath to,
      boolean move,
      boolean shallow,
      boolean overwrite)
      throws IOException {
    if (!Locking.wellFormed(exchange)) {
      return;
    }
    FileStore store = exchange.area().store();
    // Locks stay with the URL, not with what was there (RFC 4918 section 7.6): these end.
    List<Lock> gone = new ArrayList<>();
    Consent consent =
        () -> {
          Outcome<Replace> judged = judge(exchange, from, to, move, overwrite);
          gone.clear();
          gone.addAll(move ? locking.going(exchange, from) : List.of());
          gone.addAll(locking.goingBelow(exchange, to));
          return judged;
        };
    Outcome<Boolean> outcome =
        move
            ? store.move(from, to, consent)
            : store.copy(exchange.caller().label(), from, to, !shallow, consent);
    switch (outcome) {
      case Outcome.Refused<Boolean> refused -> exchange.refuse(refused);
      case Outcome.Done<Boolean> done -> {
        locking.table(exchange).release(gone);
        if (!done.value()) {
          exchange.response().getHeaders().put(HttpHeader.LOCATION, exchange.href(to));
        }
        exchange.reply(done.value() ? 204 : 201);
      }
    }
  }

  private Outcome<Replace> judge(
      Exchange exchange, StoragePath from, StoragePath to, boolean move, boolean overwrite)
      throws IOException {
    FileStore store = exchange.area().store();
    Optional<FileEntry> source = store.find(from);
    if (source.isEmpty() || from.collectionForm() && !source.get().collection()) {
      return new Outcome.Refused<>(Refusal.NOT_FOUND, Refusal.NOT_FOUND.text());
    }
    if (Conditions.judge(exchange.request().getHeaders(), source, false)
        != Conditions.Verdict.MET) {
      return new Outcome.Refused<>(Refusal.CONDITION_FAILED, Refusal.CONDITION_FAILED.text());
    }
    if (move && opens(exchange, source.get(), to)) {
      return new Outcome.Refused<>(
          Refusal.ACCESS_DENIED, "to move it there takes the right to read it where it is");
    }
    Optional<FileEntry> target = store.find(to);
    if (target.isPresent() && !overwrite) {
      return new Outcome.Refused<>(
          Refusal.EXISTS, "something is at the destination, and Overwrite is F");
    }
    if (target.isEmpty() && to.collectionForm() && !source.get().collection()) {
      return new Outcome.Refused<>(
          Refusal.CONFLICT, "the destination ends in a slash: a file cannot be put there");
    }
    if (exchange.options().safeDelete()
        && target.map(FileEntry::collection).orElse(false)
        // By another case of its name, where the file system tells none apart.
        && !(move && target.get().isSameFile(source.get()))
        && !store.isEmpty(to)) {
      return new Outcome.Refused<>(
          Refusal.NOT_EMPTY,
          "the collection at the destination is not empty, and this area replaces only empty ones");
    }
    Locking.Asker asker = Locking.Asker.of(exchange);
    Optional<Outcome.Refused<Replace>> obstacle =
        move ? locking.obstacle(asker, from, Locking.Change.REMOVAL) : Optional.empty();
    if (obstacle.isEmpty()) {
      obstacle =
          locking.obstacle(
              asker, to, target.isPresent() ? Locking.Change.TREE : Locking.Change.NAME);
    }
    if (obstacle.isPresent()) {
      return obstacle.get();
    }
    // A slash makes no collection of the file that is there: who may replace that is asked.
    boolean file = target.isPresent() && !target.get().collection();
    StoragePath replaced = file ? to.asCollection(false) : to;
    return new Outcome.Done<>(
        overwrite && exchange.admission(replaced, Right.MODIFY) instanceof Admission.Allowed
            ? Replace.ALLOWED
            : Replace.NEVER);
  }

  /**
   * Whether a MOVE would give something to be read to one who may not read it where it is. Of a
   * collection nobody knows what of it could be read below its new name. Whoever may only write
   * renames files all the same (WLCG JWT profile 1.3: {@code storage.create}).
   */
  private static boolean opens(Exchange exchange, FileEntry source, StoragePath to) {
    Exchange get = exchange.judgedAs("GET");
    return source.collection()
        ? !reads(exchange.judgedAs("COPY"), source.path())
        : reads(get, to) && !reads(get, source.path());
  }

  private static boolean reads(Exchange exchange, StoragePath path) {
    return exchange.admission(path, Right.READ) instanceof Admission.Allowed;
  }
}
