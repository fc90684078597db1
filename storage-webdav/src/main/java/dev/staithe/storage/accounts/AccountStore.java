package dev.staithe.storage.accounts;

import static dev.staithe.storage.accounts.HelperErrors.ELOOP;
import static dev.staithe.storage.accounts.HelperErrors.ENAMETOOLONG;
import static dev.staithe.storage.accounts.HelperErrors.ENOENT;
import static dev.staithe.storage.accounts.HelperErrors.ENOTDIR;

import dev.staithe.storage.accounts.HelperCall.Op;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileChangedException;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.NoPartialUploads;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.PathLocks;
import dev.staithe.storage.state.StagedBytes;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A storage area whose files belong to local accounts, as one account sees it; without one nothing
 * is seen of them. What the account may do is the kernel's word. All views of an area share its
 * locks. Safe for use by many threads.
 */
public final class AccountStore implements FileStore {
  private static final Logger log = LoggerFactory.getLogger(AccountStore.class);
  private static final int READ = 256 << 10;

  /**
   * Where an area is, and how it treats its files.
   *
   * @param socket of the helper
   * @param tree the name by which the helper knows the folder of the files
   * @param state a folder of this service's own, for WebDAV locks
   * @param sync what is on the device before a change is acknowledged
   * @param createParents whether an upload makes missing collections
   * @param stagedPerCaller percent of the room that the uploads under way of one caller may take
   */
  public record Settings(
      Path socket,
      String tree,
      Path state,
      Sync sync,
      boolean createParents,
      int stagedPerCaller) {}

  /**
   * Who asks, as far as the area knows.
   *
   * @param account empty where nobody's files may be looked at
   * @param instead what is said then, one line
   */
  private record View(String account, String instead) {}

  private final Settings settings;
  private final AccountConnections helper;
  private final PathLocks paths;
  private final StagedBytes staged;
  private final View view;
  private final HelperErrors errors;
  private final AccountChanges changes;

  private AccountStore(
      Settings settings,
      AccountConnections helper,
      PathLocks paths,
      StagedBytes staged,
      View view) {
    this.settings = settings;
    this.helper = helper;
    this.paths = paths;
    this.staged = staged;
    this.view = view;
    this.errors = new HelperErrors(settings.tree(), view.account());
    this.changes = new AccountChanges(this, paths, errors);
  }

  /**
   * Opens the area as nobody sees it. A helper that does not answer yet is told in the log only.
   *
   * @throws IOException where the helper knows no such tree, or this system has no such sockets
   */
  public static AccountStore open(Settings settings) throws IOException {
    if (!LinuxSockets.AVAILABLE || !LinuxSockets.isName(settings.socket())) {
      throw new IOException(
          LinuxSockets.AVAILABLE
              ? "the path of the helper's socket is longer than the system allows"
              : "files of local accounts need Linux");
    }
    AccountConnections helper = new AccountConnections(settings.socket(), settings.tree());
    AccountStore store =
        new AccountStore(
            settings,
            helper,
            new PathLocks(null),
            new StagedBytes(settings.stagedPerCaller()),
            new View("", "files of this area are seen by local accounts only"));
    try {
      store.probe();
    } catch (StoreAwayException away) {
      log.warn("{}: {}", away.getMessage(), String.valueOf(away.getCause()));
    } catch (IOException | RuntimeException e) {
      helper.close();
      throw e;
    }
    return store;
  }

  /** The same area as that account sees it. */
  public AccountStore as(String account) {
    return new AccountStore(settings, helper, paths, staged, new View(account, ""));
  }

  /**
   * The same area for one who has no account.
   *
   * @param line what is said to whatever is asked
   */
  public AccountStore refusing(String line) {
    return new AccountStore(settings, helper, paths, staged, new View("", line));
  }

  HelperAnswer ask(Op op, int flags, StoragePath path) throws IOException {
    return ask(op, flags, 0, path, StoragePath.root(), -1);
  }

  /** Asks the helper to do something as the account. */
  HelperAnswer ask(Op op, int flags, long number, StoragePath path, StoragePath other, int file)
      throws IOException {
    if (view.account().isEmpty()) {
      throw new AccessRefusedException(view.instead(), null);
    }
    return helper.ask(new HelperCall(op, flags, number, view.account(), path, other, file));
  }

  /** The flag for names that are on the device before a change is acknowledged. */
  int syncing() {
    return settings.sync() == Sync.ALL ? HelperCall.SYNC_NAMES : 0;
  }

  @Override
  public boolean keepsMetadata() {
    return false;
  }

  @Override
  public boolean stagesInPlace() {
    return true;
  }

  @Override
  public Optional<FileEntry> find(StoragePath path) throws IOException {
    HelperAnswer answer = ask(Op.STAT, 0, path);
    return switch (answer.error()) {
      case 0 -> Optional.ofNullable(answer.entry(path));
      case ENOENT, ELOOP, ENOTDIR, ENAMETOOLONG -> Optional.empty();
      default -> throw errors.told(answer.error(), null);
    };
  }

  @Override
  public Outcome<Listing> list(StoragePath path, boolean withProperties) throws IOException {
    HelperAnswer first = ask(Op.LIST, 0, path);
    return switch (first.error()) {
      case 0 -> new Outcome.Done<>(new AccountListing(this, path, first));
      case ENOTDIR -> Outcome.Refused.of(Refusal.NOT_COLLECTION);
      default -> errors.refused(first.error());
    };
  }

  /** The exception for an error that a descriptor told. */
  IOException told(LinuxSockets.Failure failure) {
    return errors.told(failure.errno(), failure);
  }

  /** The members from there on. */
  HelperAnswer members(StoragePath path, long from) throws IOException {
    HelperAnswer answer = ask(Op.LIST, 0, from, path, StoragePath.root(), -1);
    if (answer.error() != 0) {
      throw errors.told(answer.error(), null);
    }
    return answer;
  }

  @Override
  public Outcome<OpenFile> open(StoragePath path) throws IOException {
    HelperAnswer answer = ask(Op.OPEN, 0, path);
    if (answer.error() != 0) {
      return errors.refused(answer.error());
    }
    FileEntry entry = answer.entry(path);
    if (answer.file() < 0 || entry == null) {
      throw new IOException("the helper has opened nothing");
    }
    return new Outcome.Done<>(new AccountFile(entry, new Descriptor(helper, answer.file())));
  }

  @Override
  public Outcome<Upload> stage(
      @Nullable String caller, StoragePath target, long length, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    if (find(target).filter(FileEntry::collection).isPresent()) {
      return Outcome.Refused.of(Refusal.IS_COLLECTION);
    }
    HelperAnswer answer = ask(Op.STAGE, parents(), target);
    if (answer.error() != 0) {
      return errors.refusedToMake(answer.error());
    }
    if (answer.file() < 0) {
      throw new IOException("the helper has begun nothing");
    }
    Descriptor file = new Descriptor(helper, answer.file());
    boolean begun = false;
    try {
      // Not that of the area's folder: homes may be file systems of their own.
      OptionalLong there = answer.available();
      long room = there.isPresent() ? there.getAsLong() : room().available();
      long held = Math.max(0, length);
      if (held > room) {
        return Outcome.Refused.of(Refusal.NO_SPACE);
      }
      if (!staged.take(caller, held, room)) {
        return Outcome.Refused.of(Refusal.TOO_MANY);
      }
      begun = true;
      return new Outcome.Done<>(
          new AccountUpload(this, staged, caller, held, room, target, file, algorithms));
    } finally {
      if (!begun) {
        file.close();
      }
    }
  }

  /**
   * Asks the kernel, by a file without a name beside it, or in it: whoever may none may no more.
   * Nobody is asked about a whole tree, in which anything may be another account's.
   */
  @Override
  public Optional<Outcome.Refused<Boolean>> forbids(FileEntry there, boolean tree)
      throws IOException {
    StoragePath within = there.collection() ? there.path().child("new") : there.path();
    HelperAnswer answer = ask(Op.STAGE, there.collection() ? 0 : HelperCall.REPLACE, within);
    if (answer.error() != 0) {
      return Optional.of(errors.refused(answer.error()));
    }
    new Descriptor(helper, answer.file()).close();
    return tree
        ? Optional.of(
            new Outcome.Refused<>(
                Refusal.UNSUPPORTED,
                "files of this area belong to local accounts: a collection is locked by itself"
                    + " (Depth: 0)"))
        : Optional.empty();
  }

  private int parents() {
    return settings.createParents() ? HelperCall.PARENTS : 0;
  }

  /** Gives a staged file its name. */
  Outcome<FileEntry> name(
      StoragePath target, Descriptor file, @Nullable Instant modified, Consent consent)
      throws IOException {
    if (settings.sync() != Sync.NONE) {
      try {
        file.sync();
      } catch (LinuxSockets.Failure failure) {
        throw told(failure);
      }
    }
    try (PathLocks.Held _ = paths.hold(target)) {
      Outcome<Replace> asked = consent.ask();
      if (asked instanceof Outcome.Refused<Replace> no) {
        return no.as();
      }
      if (find(target).filter(FileEntry::collection).isPresent()) {
        return Outcome.Refused.of(Refusal.IS_COLLECTION);
      }
      int flags =
          parents()
              | syncing()
              | (asked.equals(new Outcome.Done<>(Replace.ALLOWED)) ? HelperCall.REPLACE : 0)
              | (modified == null ? 0 : HelperCall.TIMED);
      long when = modified == null ? 0 : modified.getEpochSecond();
      HelperAnswer answer =
          file.use(number -> ask(Op.PUBLISH, flags, when, target, StoragePath.root(), number));
      return answer.error() == 0 ? entry(answer, target) : errors.refusedToMake(answer.error());
    }
  }

  /** What the helper says of that which it has just made. */
  static Outcome<FileEntry> entry(HelperAnswer answer, StoragePath path) throws IOException {
    FileEntry entry = answer.entry(path);
    if (entry == null) {
      throw new IOException("the helper has made neither file nor collection");
    }
    return new Outcome.Done<>(entry);
  }

  @Override
  public <T> T holding(StoragePath path, Step<T> step) throws IOException {
    try (PathLocks.Held _ = paths.hold(path)) {
      return step.run();
    }
  }

  @Override
  public Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) {
    return Optional.empty();
  }

  @Override
  public Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    if (!(open(file.path()) instanceof Outcome.Done<OpenFile>(OpenFile open))) {
      throw new NoSuchFileException("the file is gone");
    }
    RunningChecksum sum = RunningChecksum.of(algorithm);
    ByteBuffer bytes = ByteBuffer.allocateDirect(READ);
    try (open) {
      if (!open.entry().etag().equals(file.etag())) {
        throw new FileChangedException();
      }
      long at = 0;
      for (int n = open.read(bytes, at); n > 0; n = open.read(bytes.clear(), at)) {
        at += n;
        sum.update(bytes.flip());
      }
    }
    return sum.finish();
  }

  @Override
  public Optional<Instant> compared(FileEntry file) {
    return Optional.empty();
  }

  @Override
  public void keepCompared(FileEntry file, Instant when) {
    // Nothing is kept beside the files of accounts.
  }

  @Override
  public Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    return changes.makeCollection(path, consent);
  }

  @Override
  public Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException {
    return changes.delete(path, consent);
  }

  @Override
  public Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent)
      throws IOException {
    return changes.move(from, to, consent);
  }

  @Override
  public Outcome<Boolean> copy(
      String caller, StoragePath from, StoragePath to, boolean deep, Consent consent)
      throws IOException {
    return changes.copy(caller, from, to, consent);
  }

  /** Of the file system, whoever has files there: an account's own quota is its kernel's affair. */
  @Override
  public Room room() throws IOException {
    HelperAnswer answer = helper.ask(HelperCall.of(Op.ROOM, "", StoragePath.root()));
    if (answer.error() != 0) {
      throw errors.told(answer.error(), null);
    }
    ByteBuffer told = answer.data();
    return new Room(
        told.getLong(16),
        0,
        staged.all(),
        staged.most(),
        told.getLong(24),
        told.getLong(32),
        told.getLong(40));
  }

  /** Nothing is counted: nobody but the kernel sees the files of all accounts. */
  @Override
  public Optional<Long> recount() {
    return Optional.empty();
  }

  @Override
  public void probe() throws IOException {
    HelperAnswer answer = helper.ask(HelperCall.of(Op.PROBE, "", StoragePath.root()));
    if (answer.error() != 0) {
      throw errors.told(answer.error(), null);
    }
  }

  @Override
  public PartialUploads partialUploads(SteadyClock clock, Duration lifetime) {
    return new NoPartialUploads();
  }

  @Override
  public AreaState state(String name) throws IOException {
    return new StateFolder(
        settings.state().resolve(StoragePath.RESERVED_PREFIX).resolve(name), settings.sync());
  }

  @Override
  public void close() {
    helper.close();
  }
}
