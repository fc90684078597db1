package dev.staithe.storage.locks;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.LockTable.Lock;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** Holds requests to the locks of their area and to their {@code If} header. */
public final class Locking implements AutoCloseable {
  /** A tagged list speaks of this server by the name that the request calls it. */
  private static final OwnAuthorities SENT_TO = new OwnAuthorities(List.of());

  private final Map<String, LockTable> tables;

  /** Uses these tables, by the name of the area. */
  public Locking(Map<String, LockTable> tables) {
    this.tables = Map.copyOf(tables);
  }

  @Override
  public void close() throws IOException {
    for (LockTable table : tables.values()) {
      table.close();
    }
  }

  /** How many locks that area has. */
  public int count(String area) {
    LockTable table = tables.get(area);
    return table == null ? 0 : table.count();
  }

  /** Of the area that the request is in. */
  public LockTable table(Exchange exchange) {
    LockTable table = tables.get(exchange.area().name());
    if (table == null) {
      throw new IllegalStateException("no locks for area " + exchange.area().name());
    }
    return table;
  }

  /**
   * Who asks for a change, and by what header.
   *
   * @param exchange the request
   * @param headers those whose {@code If} counts
   * @param subject what a list without a tag is about
   */
  public record Asker(Exchange exchange, HttpFields headers, StoragePath subject) {
    /** The request itself, about its own path. */
    public static Asker of(Exchange exchange) {
      return new Asker(exchange, exchange.request().getHeaders(), exchange.path());
    }

    private @Nullable String condition() {
      return headers.get("If");
    }

    /** The state tokens that it submits. */
    private Set<String> submitted() {
      String header = condition();
      return header == null
          ? Set.of()
          : IfHeader.parse(header).map(IfHeader::tokens).orElse(Set.of());
    }
  }

  /**
   * Whether the content or properties at {@code path} may be changed; where not, the refusal is on
   * its way when this returns.
   *
   * @param membership whether the path appears or goes, which changes the enclosing collection too
   */
  public boolean permits(Exchange exchange, StoragePath path, boolean membership)
      throws IOException {
    if (!wellFormed(exchange)) {
      return false;
    }
    Optional<Outcome.Refused<FileStore.Replace>> obstacle =
        obstacle(Asker.of(exchange), path, membership ? Change.NAME : Change.CONTENT);
    if (obstacle.isPresent()) {
      exchange.refuse(obstacle.get());
    }
    return obstacle.isEmpty();
  }

  /** Whether the {@code If} header is one; where not, the refusal is on its way. */
  public static boolean wellFormed(Exchange exchange) throws IOException {
    String header = exchange.header("If");
    if (header != null && IfHeader.parse(header).isEmpty()) {
      exchange.refuse(400, "the If header is malformed");
      return false;
    }
    return true;
  }

  /**
   * The lock by which a caller who may only create has made the empty file at {@code path}, which
   * is there untouched: locking a free name is the first step of storing a file at it (RFC 4918
   * section 7.3), so the PUT that follows creates. The request submits the lock's token.
   */
  public Optional<Lock> filling(Exchange exchange, StoragePath path) throws IOException {
    if (!(exchange.admission(path, Right.CREATE) instanceof Admission.Allowed)) {
      return Optional.empty();
    }
    Set<String> submitted = Asker.of(exchange).submitted();
    table(exchange).look();
    Optional<FileEntry> file = exchange.area().store().find(path);
    StoragePath place = exchange.area().store().place(path, true);
    return table(exchange).covering(place).stream()
        .filter(lock -> lock.root().equals(place) && submitted.contains(lock.token()))
        .filter(lock -> lock.holder().equals(exchange.caller().label()))
        .filter(lock -> file.isPresent() && lock.made().equals(file.get().etag()))
        .findFirst();
  }

  /** What happens to a path. */
  public enum Change {
    /** Its content or properties change. */
    CONTENT,
    /** It appears or gets another file, which changes the enclosing collection too. */
    NAME,
    /** It is replaced with everything below it. */
    TREE,
    /** It goes with everything below it; a link goes itself. */
    REMOVAL
  }

  /**
   * The locks that count at a path: those of the place that it leads to, by whatever links, and
   * those of other names of the same file.
   */
  public List<Lock> covering(Exchange exchange, StoragePath path) throws IOException {
    LockTable table = table(exchange);
    return table.isEmpty()
        ? List.of()
        : covering(exchange, table, exchange.area().store().place(path, true));
  }

  /** The same for what is known to be there: a listing need not ask for its members once more. */
  public List<Lock> covering(Exchange exchange, FileEntry file) throws IOException {
    LockTable table = table(exchange);
    return table.isEmpty()
        ? List.of()
        : covering(exchange, table, exchange.area().store().place(file.path(), true), file);
  }

  private static List<Lock> covering(Exchange exchange, LockTable table, StoragePath place)
      throws IOException {
    Optional<FileEntry> file = exchange.area().store().find(place);
    return file.isPresent() ? covering(exchange, table, place, file.get()) : table.covering(place);
  }

  private static List<Lock> covering(
      Exchange exchange, LockTable table, StoragePath place, FileEntry file) throws IOException {
    List<Lock> covering = table.covering(place);
    if (!file.hasOtherNames()) {
      return covering;
    }
    FileStore store = exchange.area().store();
    List<Lock> all = new ArrayList<>(covering);
    for (Lock lock : table.below(StoragePath.root())) {
      if (!lock.root().equals(place)
          && store.find(lock.root()).filter(file::isSameFile).isPresent()) {
        all.add(lock);
      }
    }
    return all;
  }

  /**
   * The locks that go with what is at a path, its own and those below. Asked while nobody else
   * changes the path, and after {@link #obstacle}: once the path is free others may lock it anew.
   */
  public List<Lock> going(Exchange exchange, StoragePath path) throws IOException {
    LockTable table = table(exchange);
    return table.isEmpty() ? List.of() : table.below(exchange.area().store().place(path, false));
  }

  /**
   * The locks that go with what is below a path when what is there is replaced (RFC 4918 section
   * 9.8.4); the path itself keeps its own. Asked as {@link #going} is.
   */
  public List<Lock> goingBelow(Exchange exchange, StoragePath path) throws IOException {
    LockTable table = table(exchange);
    FileStore store = exchange.area().store();
    if (table.isEmpty() || store.find(path).isEmpty()) {
      return List.of();
    }
    StoragePath place = store.place(path, true);
    return table.below(place).stream().filter(lock -> !lock.root().equals(place)).toList();
  }

  /** What the {@code If} header says against a request, at this moment. */
  public Optional<Outcome.Refused<FileStore.Replace>> unmet(Asker asker) throws IOException {
    table(asker.exchange()).look();
    String header = asker.condition();
    if (header == null) {
      return Optional.empty();
    }
    Optional<IfHeader> parsed = IfHeader.parse(header);
    return parsed.isPresent() && parsed.get().holds((resource, c) -> holds(asker, resource, c))
        ? Optional.empty()
        : refused(Refusal.CONDITION_FAILED, "the If header does not hold");
  }

  /** What locks and the {@code If} header say against a change at {@code path}, at this moment. */
  public Optional<Outcome.Refused<FileStore.Replace>> obstacle(
      Asker asker, StoragePath path, Change change) throws IOException {
    Optional<Outcome.Refused<FileStore.Replace>> unmet = unmet(asker);
    LockTable table = table(asker.exchange());
    if (unmet.isPresent() || table.isEmpty()) {
      return unmet;
    }
    Set<String> submitted = asker.submitted();
    Exchange exchange = asker.exchange();
    String holder = exchange.caller().label();
    StoragePath place = exchange.area().store().place(path, change != Change.REMOVAL);
    List<Lock> here =
        change == Change.REMOVAL ? table.covering(place) : covering(exchange, table, place);
    if (!opened(here, submitted, holder)
        || change != Change.CONTENT
            && !opened(table.covering(enclosing(exchange, place)), submitted, holder)) {
      return refused(Refusal.LOCKED, Refusal.LOCKED.text());
    }
    if (change == Change.TREE || change == Change.REMOVAL) {
      for (Lock below : table.below(place)) {
        if (!opened(table.covering(below.root()), submitted, holder)) {
          return refused(Refusal.LOCKED, "something below the path is locked");
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The collection that gets or loses a member: the first above a place that is there, as those
   * between may be made on the way.
   */
  private static StoragePath enclosing(Exchange exchange, StoragePath place) throws IOException {
    FileStore store = exchange.area().store();
    StoragePath above = place.parent();
    while (!above.isRoot() && store.find(above).isEmpty()) {
      above = above.parent();
    }
    return store.place(above, true);
  }

  private static Optional<Outcome.Refused<FileStore.Replace>> refused(Refusal why, String text) {
    return Optional.of(new Outcome.Refused<>(why, text));
  }

  /** Of shared locks on one place, holding one is enough. */
  private static boolean opened(List<Lock> locks, Set<String> submitted, String holder) {
    return locks.isEmpty()
        || locks.stream().anyMatch(l -> submitted.contains(l.token()) && l.holder().equals(holder));
  }

  private boolean holds(Asker asker, @Nullable String resource, IfHeader.Condition condition)
      throws IOException {
    Exchange exchange = asker.exchange();
    StoragePath path = resource == null ? asker.subject() : pathOf(exchange, resource);
    if (path == null) {
      return false;
    }
    if (condition.token() != null) {
      return covering(exchange, path).stream()
          .anyMatch(lock -> lock.token().equals(condition.token()));
    }
    Optional<FileEntry> file = exchange.area().store().find(path);
    return file.isPresent() && file.get().etag().equals(condition.etag());
  }

  /** The path in this area that a tagged list names, or null. */
  private static @Nullable StoragePath pathOf(Exchange exchange, String resource) {
    try {
      URI uri = URI.create(resource);
      if (uri.isAbsolute() && !Destination.isOwn(uri, SENT_TO.of(exchange.request()))) {
        return null;
      }
      String raw = uri.getRawPath();
      if (raw != null && StoragePath.parse(raw) instanceof StoragePath.Parsed.Valid valid) {
        String own = exchange.href(StoragePath.root());
        if (StoragePath.parse(own) instanceof StoragePath.Parsed.Valid accessPoint
            && valid.path().startsWith(accessPoint.path())) {
          return valid.path().without(accessPoint.path().segments().size());
        }
      }
      return null;
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }
}
