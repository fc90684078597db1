package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.dav.LockTable.Lock;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds requests to the locks of their area and to their {@code If} header. */
public final class Locking {
  /** A tagged list speaks of this server by the name that the request calls it. */
  private static final OwnAuthorities SENT_TO = new OwnAuthorities(List.of());

  private final Map<String, LockTable> tables;

  /** Uses these tables, by the name of the area. */
  public Locking(Map<String, LockTable> tables) {
    this.tables = Map.copyOf(tables);
  }

  LockTable table(Exchange exchange) {
    LockTable table = tables.get(exchange.area().name());
    if (table == null) {
      throw new IllegalStateException("no locks for area " + exchange.area().name());
    }
    return table;
  }

  /**
   * Whether the content or properties at {@code path} may be changed; where not, the refusal is on
   * its way when this returns.
   *
   * @param membership whether the path appears or goes, which changes the enclosing collection too
   */
  public boolean permits(Exchange exchange, StoragePath path, boolean membership)
      throws IOException {
    return judge(exchange, path, membership, false);
  }

  /** The same for a path that goes with everything below it. */
  boolean permitsTree(Exchange exchange, StoragePath path) throws IOException {
    return judge(exchange, path, true, true);
  }

  /**
   * The lock by which a caller who may only create has made the empty file at {@code path}, which
   * is there untouched: locking a free name is the first step of storing a file at it (RFC 4918
   * section 7.3), so the PUT that follows creates. The request submits the lock's token.
   */
  Optional<Lock> filling(Exchange exchange, StoragePath path) throws IOException {
    if (!(exchange.admission(path, Right.CREATE) instanceof Admission.Allowed)) {
      return Optional.empty();
    }
    Set<String> submitted =
        Optional.ofNullable(exchange.header("If"))
            .flatMap(IfHeader::parse)
            .map(IfHeader::tokens)
            .orElse(Set.of());
    Optional<FileEntry> file = exchange.area().store().find(path);
    return table(exchange).covering(path).stream()
        .filter(lock -> lock.root().equals(path) && submitted.contains(lock.token()))
        .filter(lock -> lock.holder().equals(exchange.caller().label()))
        .filter(lock -> file.isPresent() && lock.made().equals(file.get().etag()))
        .findFirst();
  }

  private boolean judge(Exchange exchange, StoragePath path, boolean membership, boolean tree)
      throws IOException {
    Set<String> submitted = Set.of();
    String header = exchange.header("If");
    if (header != null) {
      Optional<IfHeader> parsed = IfHeader.parse(header);
      if (parsed.isEmpty()) {
        exchange.refuse(400, "the If header is malformed");
        return false;
      }
      if (!parsed.get().holds((resource, c) -> holds(exchange, resource, c))) {
        exchange.refuse(412, "the If header does not hold");
        return false;
      }
      submitted = parsed.get().tokens();
    }
    LockTable table = table(exchange);
    String holder = exchange.caller().label();
    Set<String> held = new HashSet<>(submitted);
    if (!opened(table.covering(path), held, holder)
        || membership && !opened(table.covering(path.parent()), held, holder)) {
      exchange.refuse(423, "the path is locked and its lock token was not submitted");
      return false;
    }
    if (tree) {
      for (Lock below : table.below(path)) {
        if (!opened(table.covering(below.root()), held, holder)) {
          exchange.refuse(423, "something below the path is locked");
          return false;
        }
      }
    }
    return true;
  }

  /** Of shared locks on one place, holding one is enough. */
  private static boolean opened(List<Lock> locks, Set<String> submitted, String holder) {
    return locks.isEmpty()
        || locks.stream().anyMatch(l -> submitted.contains(l.token()) && l.holder().equals(holder));
  }

  private boolean holds(Exchange exchange, @Nullable String resource, IfHeader.Condition condition)
      throws IOException {
    StoragePath path = resource == null ? exchange.path() : pathOf(exchange, resource);
    if (path == null) {
      return false;
    }
    if (condition.token() != null) {
      return table(exchange).covering(path).stream()
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
