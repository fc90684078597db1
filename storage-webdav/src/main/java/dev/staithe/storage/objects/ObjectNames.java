package dev.staithe.storage.objects;

import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.ListPage;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.WriteCondition;
import dev.staithe.s3.Written;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.PathLocks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is at a path, and how what is new gets its name: the path is held, the request judged once
 * more, and the object made visible by one request. Safe for use by many threads.
 */
final class ObjectNames {
  private final S3Client client;
  private final EngineTraits traits;
  private final ObjectKeys keys;
  private final PathLocks paths;
  private final ObjectLeases leases;
  private final ObjectRoom room;
  private final boolean createParents;

  ObjectNames(
      S3Client client,
      EngineTraits traits,
      ObjectKeys keys,
      PathLocks paths,
      ObjectLeases leases,
      ObjectRoom room,
      boolean createParents) {
    this.client = client;
    this.traits = traits;
    this.keys = keys;
    this.paths = paths;
    this.leases = leases;
    this.room = room;
    this.createParents = createParents;
  }

  /** What is at that path: two requests where it is no file. */
  Optional<FileEntry> find(StoragePath path) throws IOException {
    if (path.isRoot()) {
      return Optional.of(ObjectPlace.collection(path, keys.prefix()));
    }
    if (keys.isTooLong(path)) {
      return Optional.empty();
    }
    Optional<ObjectHead> head = client.head(keys.file(path));
    if (head.isPresent()) {
      return Optional.of(ObjectPlace.file(path, head.get()));
    }
    return isCollection(path)
        ? Optional.of(ObjectPlace.collection(path, keys.collection(path)))
        : Optional.empty();
  }

  /** Whether there is its mark, or anything below it. */
  boolean isCollection(StoragePath path) throws IOException {
    if (path.isRoot()) {
      return true;
    }
    ListPage first = client.list(keys.collection(path), true, "", 1);
    return !first.entries().isEmpty();
  }

  /** Why nothing can be put at that path, if it cannot. */
  Optional<Refusal> obstacle(StoragePath target) throws IOException {
    if (keys.isTooLong(target)) {
      return Optional.of(Refusal.NAME_TOO_LONG);
    }
    return client.head(keys.file(target)).isPresent()
        ? Optional.empty() // Where a file is, it may be replaced.
        : obstacleOfNew(target, false);
  }

  private Optional<Refusal> obstacleOfNew(StoragePath target, boolean make) throws IOException {
    return isCollection(target) ? Optional.of(Refusal.IS_COLLECTION) : parents(target, make);
  }

  /**
   * Looks for the collections above a path.
   *
   * @param make whether those that are missing are made, where the area says so
   */
  private Optional<Refusal> parents(StoragePath target, boolean make) throws IOException {
    if (isCollection(target.parent())) {
      return Optional.empty();
    }
    if (!createParents) {
      return Optional.of(Refusal.PARENT_MISSING);
    }
    Deque<StoragePath> missing = new ArrayDeque<>();
    StoragePath above = target.parent();
    while (!isCollection(above)) {
      if (client.head(keys.file(above)).isPresent()) {
        return Optional.of(Refusal.PARENT_MISSING);
      }
      missing.addFirst(above);
      above = above.parent();
    }
    if (make) {
      for (StoragePath each : missing) {
        mark(each);
      }
    }
    return Optional.empty();
  }

  /** Makes the mark of a collection; it may be there. */
  void mark(StoragePath collection) throws IOException {
    client.put(keys.collection(collection), List.of(), Map.of(), WriteCondition.NONE);
  }

  /** Makes bytes, all of which the engine has or is about to get, an object. */
  @FunctionalInterface
  interface Completion {
    Written complete(WriteCondition condition) throws IOException;
  }

  /** Gives what was uploaded its name. */
  Outcome<FileEntry> name(StoragePath target, Consent consent, Completion completion)
      throws IOException {
    try (PathLocks.Held _ = paths.hold(target)) {
      Outcome<Replace> asked = consent.ask();
      if (asked instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      return named(target, ((Outcome.Done<Replace>) asked).value(), completion);
    }
  }

  private Outcome<FileEntry> named(StoragePath target, Replace replace, Completion completion)
      throws IOException {
    try (ObjectLeases.Lease lease = leases.take(keys.file(target), replace == Replace.NEVER)) {
      Optional<ObjectHead> before = client.head(keys.file(target));
      if (replace == Replace.NEVER && before.isPresent()) {
        return Outcome.Refused.of(Refusal.EXISTS);
      }
      Optional<Refusal> obstacle =
          before.isPresent() ? Optional.empty() : obstacleOfNew(target, true);
      if (obstacle.isPresent()) {
        return Outcome.Refused.of(obstacle.get());
      }
      lease.check();
      return switch (completion.complete(condition(replace))) {
        case Written.ConditionFailed taken -> Outcome.Refused.of(Refusal.EXISTS);
        case Written.SourceMissing gone ->
            new Outcome.Refused<>(Refusal.CONFLICT, "the upload was ended by somebody else");
        case Written.Stored(String etag) -> stored(target, before, etag);
      };
    }
  }

  private static WriteCondition condition(Replace replace) {
    return replace == Replace.NEVER ? WriteCondition.ABSENT : WriteCondition.NONE;
  }

  /**
   * The condition for the completion of an upload in parts. Where the engine ignores it, nobody who
   * comes by this server gets in between all the same, for the path is held, nor who creates by
   * another one: see {@link ObjectLeases}.
   */
  WriteCondition ofCompletion(WriteCondition wanted) {
    return traits.completesOnce() ? wanted : WriteCondition.NONE;
  }

  private Outcome<FileEntry> stored(StoragePath target, Optional<ObjectHead> before, String etag)
      throws IOException {
    Optional<ObjectHead> now = client.head(keys.file(target));
    if (now.isEmpty()) {
      return new Outcome.Refused<>(
          Refusal.CONFLICT, "the file was removed at once by somebody else");
    }
    count(before, now.get().size());
    if (!now.get().etag().equals(etag)) {
      return new Outcome.Refused<>(
          Refusal.CONFLICT, "the file was replaced at once by somebody else");
    }
    return new Outcome.Done<>(ObjectPlace.file(target, now.get()));
  }

  /** A file of that size is where the other was, if any. */
  void count(Optional<ObjectHead> before, long size) {
    room.usage().add(size - before.map(ObjectHead::size).orElse(0L), before.isPresent() ? 0 : 1);
  }

  /** Makes an empty collection. */
  Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    try (PathLocks.Held _ = paths.hold(path)) {
      if (consent.ask() instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      if (keys.isTooLong(path)) {
        return Outcome.Refused.of(Refusal.NAME_TOO_LONG);
      }
      if (find(path).isPresent()) {
        return Outcome.Refused.of(Refusal.EXISTS);
      }
      if (!isCollection(path.parent())) {
        return Outcome.Refused.of(Refusal.PARENT_MISSING);
      }
      return switch (client.put(
          keys.collection(path), List.of(), Map.of(), WriteCondition.ABSENT)) {
        case Written.Stored made ->
            new Outcome.Done<>(ObjectPlace.collection(path, keys.collection(path)));
        case Written.ConditionFailed taken -> Outcome.Refused.of(Refusal.EXISTS);
        case Written.SourceMissing never -> Outcome.Refused.of(Refusal.CONFLICT);
      };
    }
  }
}
