package dev.staithe.storage.accounts;

import dev.staithe.storage.accounts.HelperCall.Op;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.PathLocks;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Collections made, names moved and removed, files copied, as an account may. Safe for use by many
 * threads.
 */
final class AccountChanges {
  private static final long COPIED_AT_ONCE = 64 << 20;

  private final AccountStore store;
  private final PathLocks paths;
  private final HelperErrors errors;

  /**
   * @param store as the account sees it
   * @param errors as that account reads them
   */
  AccountChanges(AccountStore store, PathLocks paths, HelperErrors errors) {
    this.store = store;
    this.paths = paths;
    this.errors = errors;
  }

  Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    try (PathLocks.Held _ = paths.hold(path)) {
      if (consent.ask() instanceof Outcome.Refused<Replace> no) {
        return no.as();
      }
      if (path.isRoot()) {
        return Outcome.Refused.of(Refusal.EXISTS);
      }
      HelperAnswer answer = store.ask(Op.MKDIR, store.syncing(), path);
      return answer.error() == 0
          ? AccountStore.entry(answer, path)
          : errors.refusedToMake(answer.error());
    }
  }

  Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException {
    try (PathLocks.Held _ = paths.hold(path)) {
      if (consent.ask() instanceof Outcome.Refused<Replace> no) {
        return no.as();
      }
      Optional<FileEntry> found = store.find(path);
      if (found.isEmpty()) {
        return Outcome.Refused.of(Refusal.NOT_FOUND);
      }
      if (path.isRoot()) {
        return Outcome.Refused.of(Refusal.ACCESS_DENIED);
      }
      boolean collection = found.get().collection();
      HelperAnswer answer =
          store.ask(Op.REMOVE, store.syncing() | (collection ? HelperCall.FOLDER : 0), path);
      return answer.error() == 0 ? new Outcome.Done<>(collection) : errors.refused(answer.error());
    }
  }

  Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent) throws IOException {
    if (overlap(from, to)) {
      return oneInTheOther();
    }
    try (PathLocks.Held _ = paths.hold(from, to)) {
      Outcome<Replace> asked = consent.ask();
      if (asked instanceof Outcome.Refused<Replace> no) {
        return no.as();
      }
      Optional<FileEntry> source = store.find(from);
      if (source.isEmpty()) {
        return Outcome.Refused.of(Refusal.NOT_FOUND);
      }
      Optional<FileEntry> target = store.find(to);
      if (target.isPresent() && asked.equals(new Outcome.Done<>(Replace.NEVER))) {
        return Outcome.Refused.of(Refusal.EXISTS);
      }
      if (target.isPresent() && (target.get().collection() || source.get().collection())) {
        return onlyFiles();
      }
      HelperAnswer answer =
          store.ask(
              Op.RENAME,
              store.syncing() | (target.isPresent() ? HelperCall.REPLACE : 0),
              0,
              from,
              to,
              -1);
      return answer.error() == 0
          ? new Outcome.Done<>(target.isPresent())
          : errors.refusedToMake(answer.error());
    }
  }

  /** Of a file alone, by this process: read as the account, and written as it. */
  Outcome<Boolean> copy(String caller, StoragePath from, StoragePath to, Consent consent)
      throws IOException {
    if (overlap(from, to)) {
      return oneInTheOther();
    }
    Outcome<Replace> asked = consent.ask();
    if (asked instanceof Outcome.Refused<Replace> no) {
      return no.as();
    }
    Optional<FileEntry> target = store.find(to);
    if (target.isPresent() && asked.equals(new Outcome.Done<>(Replace.NEVER))) {
      return Outcome.Refused.of(Refusal.EXISTS);
    }
    Outcome<OpenFile> opened = store.open(from);
    if (opened instanceof Outcome.Refused<OpenFile> no) {
      return no.why() == Refusal.IS_COLLECTION ? onlyFiles() : no.as();
    }
    try (OpenFile source = ((Outcome.Done<OpenFile>) opened).value()) {
      if (target.filter(FileEntry::collection).isPresent()) {
        return onlyFiles();
      }
      // Whatever the area says of uploads: RFC 4918 has 409 for missing parents here.
      if (store.find(to.parent()).filter(FileEntry::collection).isEmpty()) {
        return Outcome.Refused.of(Refusal.PARENT_MISSING);
      }
      Outcome<Upload> staged = store.stage(caller, to, source.entry().size(), Set.of());
      if (staged instanceof Outcome.Refused<Upload> no) {
        return no.as();
      }
      try (Upload upload = ((Outcome.Done<Upload>) staged).value()) {
        while (upload.append(source, COPIED_AT_ONCE)) {
          // Until all of it is there.
        }
        return upload.commit(consent) instanceof Outcome.Refused<FileEntry> no
            ? no.as()
            : new Outcome.Done<>(target.isPresent());
      }
    }
  }

  private static boolean overlap(StoragePath from, StoragePath to) {
    return to.startsWith(from) || from.startsWith(to);
  }

  private static <T> Outcome.Refused<T> oneInTheOther() {
    return new Outcome.Refused<>(
        Refusal.ACCESS_DENIED, "the source and the destination are one, or one is in the other");
  }

  private static <T> Outcome.Refused<T> onlyFiles() {
    return new Outcome.Refused<>(
        Refusal.UNSUPPORTED,
        "files of this area belong to local accounts: only a file is copied, or takes the place of"
            + " a file");
  }
}
