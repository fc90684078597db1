package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.Written;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.state.PathLocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removing, renaming and copying. What is renamed is whole at its new name before it leaves its old
 * one. A collection goes one object after another: one with more than {@link #MOST} of them is
 * neither renamed nor copied. Safe for use by many threads.
 */
final class ObjectChanges {
  /** Objects of a collection that is renamed or copied. */
  static final int MOST = S3Client.PAGE;

  private final S3Client client;
  private final ObjectKeys keys;
  private final PathLocks paths;
  private final ObjectNames names;
  private final ObjectLeases leases;
  private final ObjectCopies copies;
  private final ObjectRoom room;

  ObjectChanges(
      S3Client client,
      ObjectKeys keys,
      PathLocks paths,
      ObjectNames names,
      ObjectLeases leases,
      ObjectCopies copies,
      ObjectRoom room) {
    this.client = client;
    this.keys = keys;
    this.paths = paths;
    this.names = names;
    this.leases = leases;
    this.copies = copies;
    this.room = room;
  }

  /** See {@link dev.staithe.storage.files.FileStore#delete}. */
  Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException {
    if (path.isRoot()) {
      return new Outcome.Refused<>(Refusal.ACCESS_DENIED, "the storage area itself is not deleted");
    }
    try (PathLocks.Held _ = paths.hold(path)) {
      if (consent.ask() instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      Optional<FileEntry> found = names.find(path);
      if (found.isEmpty()) {
        return Outcome.Refused.of(Refusal.NOT_FOUND);
      }
      if (found.get().collection()) {
        removeTree(keys.collection(path));
      } else {
        client.delete(keys.file(path));
        room.usage().add(-found.get().size(), -1);
      }
      return new Outcome.Done<>(found.get().collection());
    }
  }

  /**
   * Files first, then the marks of collections, innermost first: none is left without its parent.
   */
  private void removeTree(String prefix) throws IOException {
    List<String> marks = new ArrayList<>();
    String next = "";
    do {
      ListPage page = client.list(prefix, true, next, S3Client.PAGE);
      List<String> files = new ArrayList<>();
      long bytes = 0;
      for (ListPage.Entry each : page.entries()) {
        if (each.key().endsWith("/")) {
          marks.add(each.key());
        } else {
          files.add(each.key());
          bytes += each.size();
        }
      }
      remove(files);
      room.usage().add(-bytes, -files.size());
      next = page.next();
    } while (!next.isEmpty());
    Collections.reverse(marks);
    for (int at = 0; at < marks.size(); at += S3Client.PAGE) {
      remove(marks.subList(at, Math.min(marks.size(), at + S3Client.PAGE)));
    }
  }

  private void remove(List<String> some) throws IOException {
    Map<String, String> left = client.delete(some);
    if (!left.isEmpty()) {
      throw new StoreAwayException(
          "the object store does not remove " + left.size() + " of the files",
          new IOException(
              "codes of the object store: " + left.values().stream().distinct().toList()));
    }
  }

  /** See {@link dev.staithe.storage.files.FileStore#move}. */
  Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent) throws IOException {
    return transfer(from, to, true, true, consent);
  }

  /** See {@link dev.staithe.storage.files.FileStore#copy}. */
  Outcome<Boolean> copy(StoragePath from, StoragePath to, boolean deep, Consent consent)
      throws IOException {
    return transfer(from, to, false, deep, consent);
  }

  private Outcome<Boolean> transfer(
      StoragePath from, StoragePath to, boolean away, boolean deep, Consent consent)
      throws IOException {
    if (from.startsWith(to) || to.startsWith(from)) {
      return new Outcome.Refused<>(
          Refusal.ACCESS_DENIED, "the source and the destination are one, or one is in the other");
    }
    if (keys.isTooLong(to)) {
      return Outcome.Refused.of(Refusal.NAME_TOO_LONG);
    }
    if (consent.ask() instanceof Outcome.Refused<Replace> refused) {
      return refused.as();
    }
    Optional<FileEntry> source = names.find(from);
    if (source.isEmpty()) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    if (source.get().collection()) {
      return tree(from, to, away, deep, consent);
    }
    try (ObjectCopies.Copy copy = copies.begin(ObjectPlace.head(source.get()), keys.file(to));
        PathLocks.Held _ = away ? paths.hold(from, to) : paths.hold(to)) {
      Outcome<Replace> asked = consent.ask();
      if (asked instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      boolean never = ((Outcome.Done<Replace>) asked).value() == Replace.NEVER;
      try (ObjectLeases.Lease lease = leases.take(keys.file(to), never)) {
        return file(source.get(), to, copy, away, never, lease);
      }
    }
  }

  private Outcome<Boolean> file(
      FileEntry source,
      StoragePath to,
      ObjectCopies.Copy copy,
      boolean away,
      boolean never,
      ObjectLeases.Lease lease)
      throws IOException {
    Optional<Refusal> obstacle = obstacle(to);
    if (obstacle.isPresent()) {
      return obstacle.get() == Refusal.IS_COLLECTION ? inTheWay(never) : of(obstacle.get());
    }
    String key = ObjectPlace.of(source).key();
    Optional<ObjectHead> now = client.head(key);
    if (!now.map(ObjectHead::etag).equals(Optional.of(source.etag()))) {
      return new Outcome.Refused<>(Refusal.CONFLICT, "the file changed meanwhile");
    }
    Optional<ObjectHead> before = client.head(keys.file(to));
    if (never && before.isPresent()) {
      return of(Refusal.EXISTS);
    }
    lease.check();
    return switch (copy.finish(never)) {
      case Written.ConditionFailed taken -> of(Refusal.EXISTS);
      case Written.SourceMissing gone ->
          new Outcome.Refused<>(Refusal.CONFLICT, "the file was replaced or removed meanwhile");
      case Written.Stored stored -> {
        names.count(before, source.size());
        if (away) {
          client.delete(key);
          room.usage().add(-source.size(), -1);
        }
        yield new Outcome.Done<>(before.isPresent());
      }
    };
  }

  /** Whatever the area says of uploads: RFC 4918 has 409 for missing parents here. */
  private Optional<Refusal> obstacle(StoragePath to) throws IOException {
    Optional<Refusal> obstacle = names.obstacle(to);
    return obstacle.isEmpty() && !names.isCollection(to.parent())
        ? Optional.of(Refusal.PARENT_MISSING)
        : obstacle;
  }

  private static Outcome<Boolean> of(Refusal why) {
    return Outcome.Refused.of(why);
  }

  private static Outcome<Boolean> inTheWay(boolean never) {
    return never
        ? of(Refusal.EXISTS)
        : new Outcome.Refused<>(
            Refusal.UNSUPPORTED,
            "the store of this area does not replace a collection at once: delete it first");
  }

  private Outcome<Boolean> tree(
      StoragePath from, StoragePath to, boolean away, boolean deep, Consent consent)
      throws IOException {
    try (PathLocks.Held _ = away ? paths.hold(from, to) : paths.hold(to)) {
      Outcome<Replace> asked = consent.ask();
      if (asked instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      if (names.find(to).isPresent()) {
        return inTheWay(((Outcome.Done<Replace>) asked).value() == Replace.NEVER);
      }
      Optional<Refusal> obstacle = obstacle(to);
      if (obstacle.isPresent()) {
        return of(obstacle.get());
      }
      if (!names.isCollection(from)) {
        return new Outcome.Refused<>(Refusal.CONFLICT, "the collection was removed meanwhile");
      }
      ListPage members =
          deep
              ? client.list(keys.collection(from), true, "", MOST)
              : new ListPage(List.of(), List.of(), "");
      if (!members.next().isEmpty()) {
        return new Outcome.Refused<>(
            Refusal.UNSUPPORTED,
            "the store of this area renames and copies no collection with more than "
                + MOST
                + " members: move its parts");
      }
      if (members.entries().stream().anyMatch(each -> keys.isTooLong(key(from, to, each)))) {
        return of(Refusal.NAME_TOO_LONG);
      }
      return tree(from, to, away, members.entries());
    }
  }

  /** That of a member at its new place. */
  private String key(StoragePath from, StoragePath to, ListPage.Entry member) {
    return keys.collection(to) + member.key().substring(keys.collection(from).length());
  }

  private Outcome<Boolean> tree(
      StoragePath from, StoragePath to, boolean away, List<ListPage.Entry> members)
      throws IOException {
    List<String> made = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    long files = 0;
    long bytes = 0;
    boolean whole = false;
    try {
      made.add(keys.collection(to));
      copies.copyMark(keys.collection(to));
      for (ListPage.Entry each : members) {
        String key = key(from, to, each);
        made.add(key);
        gone.add(each.key());
        if (each.key().endsWith("/")) {
          copies.copyMark(key);
        } else {
          copy(each, key);
          files++;
          bytes += each.size();
        }
      }
      whole = true;
    } finally {
      if (!whole) {
        Collections.reverse(made);
        for (int at = 0; at < made.size(); at += S3Client.PAGE) {
          client.delete(made.subList(at, Math.min(made.size(), at + S3Client.PAGE)));
        }
      }
    }
    if (away) {
      List<String> marks = new ArrayList<>(gone.stream().filter(k -> k.endsWith("/")).toList());
      remove(gone.stream().filter(k -> !k.endsWith("/")).toList());
      Collections.reverse(marks);
      remove(marks);
    } else {
      room.usage().add(bytes, files);
    }
    return new Outcome.Done<>(false);
  }

  private void copy(ListPage.Entry from, String to) throws IOException {
    if (!(copies.copy(from, to) instanceof Written.Stored)) {
      throw new StoreAwayException(
          "a file of the collection changed while it was copied",
          new IOException("another than was listed: " + from.key()));
    }
  }
}
