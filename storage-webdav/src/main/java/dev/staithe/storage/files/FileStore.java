package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One storage area on a file system. A file appears under its name whole or not at all: it is
 * staged in the area's reserved folder and renamed. Safe for use by many threads.
 */
public final class FileStore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FileStore.class);

  /**
   * Uploads from this length on get their blocks before their bytes: writing 1 GiB into ext4 then
   * takes the kernel 0.11 CPU seconds in place of 0.18, and a full disk is found at once.
   */
  private static final long WORTH_ALLOCATING = 1 << 20;

  /** Looks at members of collections of a shared area at once, all requests together. */
  private static final int SIDE_BY_SIDE = 16;

  /** How something takes its place; the consent of one who asks for nothing else. */
  public enum Replace implements Consent {
    /** Only where nothing is there; atomically so. */
    NEVER,
    /** Whatever was there is replaced. */
    ALLOWED;

    @Override
    public Outcome<Replace> ask() {
      return new Outcome.Done<>(this);
    }
  }

  /**
   * How an area treats its files.
   *
   * @param sync what is on the device before a change is acknowledged
   * @param createParents whether an upload makes missing collections
   * @param keepFree bytes of the file system that whatever is written leaves free, 0 or more
   * @param stagedPerCaller percent of the room that the uploads under way of one caller may take
   * @param shared whether other nodes serve the same area and take turns with this one
   * @param quota bytes that the area's files may take, {@link Long#MAX_VALUE} for any
   * @param residence where the content of files may be
   */
  public record Settings(
      Sync sync,
      boolean createParents,
      long keepFree,
      int stagedPerCaller,
      boolean shared,
      long quota,
      Residence residence) {
    /** Whole files, RFC 4918's 409 for missing parents, nothing kept free or for others. */
    public static final Settings DEFAULT = new Settings(Sync.DATA, false, 0, 100, false);

    /** Without a quota. */
    public Settings(
        Sync sync, boolean createParents, long keepFree, int stagedPerCaller, boolean shared) {
      this(sync, createParents, keepFree, stagedPerCaller, shared, Long.MAX_VALUE);
    }

    /** Of an area whose files are on disk. */
    public Settings(
        Sync sync,
        boolean createParents,
        long keepFree,
        int stagedPerCaller,
        boolean shared,
        long quota) {
      this(sync, createParents, keepFree, stagedPerCaller, shared, quota, Residence.DISK);
    }
  }

  /**
   * The room of the area, in bytes (RFC 4331).
   *
   * @param available what an upload could use now
   * @param announced what running writers have announced and not yet written
   * @param staged what uploads under way hold, announced or written
   * @param stagedByOne what those of the caller hold who has the most
   * @param used what the area's files take
   * @param files how many they are
   * @param total what they could take at most
   */
  public record Room(
      long available,
      long announced,
      long staged,
      long stagedByOne,
      long used,
      long files,
      long total) {}

  private static final String USAGE = "usage";

  private final Confinement confinement;
  private final Folder reserved;
  private final Settings settings;
  private final StageFolder stage;
  private final StagedBytes staged;
  private final AreaUsage usage;
  private final Space space;
  private final @Nullable NodeLocks nodes;
  private final PathLocks paths;
  private final @Nullable ThreadPoolExecutor readers;
  private final boolean keepsMetadata;
  private final KeptMetadata metadata;
  private final Publication publication;
  private final NamespaceChanges changes;

  private FileStore(Confinement confinement, Settings settings) throws IOException {
    this.confinement = confinement;
    this.settings = settings;
    this.reserved = confinement.reserved();
    this.nodes = settings.shared() ? NodeLocks.in(reserved.itself().resolve("shared")) : null;
    this.paths = new PathLocks(nodes);
    this.readers = settings.shared() ? readers() : null;
    this.stage = StageFolder.open(reserved.itself(), this::restore, settings.shared());
    this.staged = new StagedBytes(settings.stagedPerCaller());
    Optional<AreaUsage.Count> remembered = rememberedUsage();
    this.usage =
        new AreaUsage(settings.quota(), remembered.orElseGet(() -> new AreaUsage.Count(0, 0)));
    this.space = new Space(confinement.root(), settings.keepFree(), staged, usage);
    this.keepsMetadata = FileMetadata.supported(reserved.itself());
    this.metadata = new KeptMetadata(confinement, keepsMetadata, settings.residence());
    this.publication =
        new Publication(confinement, stage, space, paths, nodes, usage, settings, keepsMetadata);
    this.changes = new NamespaceChanges(confinement, stage, space, paths, usage, settings);
    if (remembered.isEmpty() && settings.quota() != Long.MAX_VALUE) {
      recount(); // Nobody knows yet how much of the quota is left.
    }
  }

  /** Threads of the system: each waits in the kernel for another machine. */
  private static ThreadPoolExecutor readers() {
    ThreadPoolExecutor readers =
        new ThreadPoolExecutor(
            SIDE_BY_SIDE,
            SIDE_BY_SIDE,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("list-", 0).daemon().factory());
    readers.allowCoreThreadTimeOut(true);
    return readers;
  }

  /** Puts a tree back at its name; false where something is there. */
  private boolean restore(StoragePath name, Path tree) throws IOException {
    try (Location location = confinement.locate(name)) {
      if (!(location instanceof Location.Inside inside) || inside.exists()) {
        return false;
      }
      Publication.moveWhereNothingIs(tree, inside.path());
      return true;
    }
  }

  /**
   * Opens the area below {@code root}, puts back what an earlier run was replacing and removes what
   * it left unfinished.
   *
   * @throws IOException where the root is no folder that can be written
   */
  public static FileStore open(Path root, Settings settings) throws IOException {
    return open(root, settings, true);
  }

  /** The same; without descriptors as on kernels that cannot hold folders. */
  static FileStore open(Path root, Settings settings, boolean byDescriptor) throws IOException {
    Confinement confinement = new Confinement(root, byDescriptor);
    try {
      return new FileStore(confinement, settings);
    } catch (IOException | RuntimeException e) {
      confinement.close();
      throw e;
    }
  }

  /**
   * Whether another storage element was at work on this area when it was opened that does not take
   * turns with this one: either of them was not told that the area is shared.
   */
  public boolean isSharedUnawares() {
    return stage.sharedUnawares();
  }

  /** Whether folders are held by descriptors, so that local users cannot swap them for links. */
  public boolean holdsFolders() {
    return confinement.byDescriptor();
  }

  /** Whether the file system keeps extended attributes: without, checksums are computed anew. */
  public boolean keepsMetadata() {
    return keepsMetadata;
  }

  /** Where the content of files may be. */
  public Residence residence() {
    return settings.residence();
  }

  /**
   * Where a file's content is, as the file itself tells: {@link Locality#DISK}, {@link
   * Locality#TAPE}, {@link Locality#DISK_AND_TAPE}, or {@link Locality#UNAVAILABLE} where it is not
   * on disk and nothing says that it is on tape.
   */
  public Locality locality(FileEntry file) throws IOException {
    return settings.residence() == Residence.DISK ? Locality.DISK : metadata.locality(file);
  }

  /** The name by which other programs of this machine find what is at that path, links followed. */
  public Path name(StoragePath path) throws IOException {
    Path name = confinement.root();
    for (String segment : place(path, true).segments()) {
      name = name.resolve(segment);
    }
    return name;
  }

  /** Whether names beyond ASCII can be stored, which depends on the locale of the process. */
  public static boolean storesUnicodeNames() {
    return "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
  }

  Settings settings() {
    return settings;
  }

  /** What is at that path, if anything inside the area is. */
  public Optional<FileEntry> find(StoragePath path) throws IOException {
    try (Location location = confinement.locate(path)) {
      return location instanceof Location.Inside inside
          ? FileEntry.at(path, inside)
          : Optional.empty();
    }
  }

  /**
   * The one name of the place that a path leads to, whatever links are in the way.
   *
   * @param follow whether the path's own name is followed where it is a link
   */
  public StoragePath place(StoragePath path, boolean follow) throws IOException {
    return confinement.place(path, follow);
  }

  /** The entry of a listing; its place is held as long as the folder is. */
  Optional<FileEntry> member(StoragePath collection, Folder folder, Path name) throws IOException {
    StoragePath path;
    try {
      path = collection.child(name.toString());
      if (!name.equals(name.getFileSystem().getPath(path.name()))) {
        // Bytes that are no UTF-8: the text that stands for them leads nowhere.
        return Optional.empty();
      }
    } catch (IllegalArgumentException unreachableName) {
      return Optional.empty();
    }
    try {
      return confinement.member(folder, name).flatMap(inside -> FileEntry.at(path, inside));
    } catch (FileSystemException goneOrUnreadable) {
      return Optional.empty();
    }
  }

  /** The entry that knows its dead properties. */
  FileEntry withProperties(FileEntry file) {
    return file.withProperties(metadata.properties(file).orElse(""));
  }

  /** The members of a collection. */
  public Outcome<Listing> list(StoragePath path) throws IOException {
    return list(path, false);
  }

  /**
   * The same.
   *
   * @param withProperties whether the dead properties of the members will be asked for
   */
  public Outcome<Listing> list(StoragePath path, boolean withProperties) throws IOException {
    try (Location location = confinement.locate(path)) {
      return switch (location) {
        case Location.Nowhere nowhere -> Confinement.missing(nowhere);
        case Location.Inside inside when !inside.exists() -> Outcome.Refused.of(Refusal.NOT_FOUND);
        case Location.Inside inside when !inside.isCollection() ->
            Outcome.Refused.of(Refusal.NOT_COLLECTION);
        case Location.Inside inside ->
            new Outcome.Done<>(
                new Listing(
                    this,
                    path,
                    inside.folder().folder(inside.name()),
                    withProperties ? readers : null));
      };
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
    }
  }

  /** Opens a file for reading. */
  public Outcome<OpenFile> open(StoragePath path) throws IOException {
    // The entry must describe the very bytes that are open: look again after opening.
    for (int attempt = 0; attempt < 10; attempt++) {
      try (Location location = confinement.locate(path)) {
        if (!(location instanceof Location.Inside inside)) {
          return Confinement.missing((Location.Nowhere) location);
        }
        Optional<FileEntry> before = FileEntry.at(path, inside);
        if (before.isEmpty()) {
          return Outcome.Refused.of(Refusal.NOT_FOUND);
        }
        if (before.get().collection()) {
          return Outcome.Refused.of(Refusal.IS_COLLECTION);
        }
        FileChannel channel =
            settings.residence().open(inside.path(), before.get().place().attributes());
        Optional<FileEntry> after = FileEntry.at(path, inside.again());
        if (after.map(FileEntry::etag).equals(before.map(FileEntry::etag))) {
          return new Outcome.Done<>(
              new OpenFile(before.get(), channel, inside.fromRoot(), metadata.kept(before.get())));
        }
        channel.close();
      } catch (NoSuchFileException | LinkInTheWay gone) {
        log.debug("the file went while it was opened");
      } catch (FileSystemException e) {
        return Confinement.refusal(e);
      }
    }
    return new Outcome.Refused<>(Refusal.CONFLICT, "the file is changing all the time");
  }

  /** Whether a collection, and no file, is above what is missing: said before the bytes come. */
  private boolean parentsCanBeMade(StoragePath target) throws IOException {
    StoragePath path = target;
    while (!path.isRoot()) {
      path = path.parent();
      try (Location above = confinement.locate(path)) {
        if (above instanceof Location.Inside inside && inside.exists()) {
          return inside.isCollection();
        }
        if (above instanceof Location.Nowhere nowhere && nowhere.why() != Refusal.PARENT_MISSING) {
          return false;
        }
      }
    }
    return false;
  }

  /**
   * Begins a file that nobody sees before {@link Upload#commit}. Missing parents are made at commit
   * where the area says so, and refused now where it does not.
   *
   * @param caller whose it is, unique, each of whom has a share of the room; null: nobody's
   * @param expectedLength bytes announced, or -1; refused with NO_SPACE where they do not fit, with
   *     TOO_MANY where they do not fit beside what else the caller has under way
   * @param algorithms checksums to compute while the bytes pass
   */
  public Outcome<Upload> stage(
      @Nullable String caller,
      StoragePath target,
      long expectedLength,
      Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    try (Location location = confinement.locate(target)) {
      if (location instanceof Location.Nowhere nowhere
          && !(nowhere.why() == Refusal.PARENT_MISSING
              && settings.createParents()
              && parentsCanBeMade(target))) {
        return Outcome.Refused.of(nowhere.why());
      }
      if (location instanceof Location.Inside inside && inside.isCollection()) {
        return Outcome.Refused.of(Refusal.IS_COLLECTION);
      }
    }
    Space.Reservation reservation;
    switch (space.reserve(caller, Math.max(0, expectedLength))) {
      case Outcome.Refused<Space.Reservation> refused -> {
        return refused.as();
      }
      case Outcome.Done<Space.Reservation> done -> reservation = done.value();
    }
    try {
      Path staged = stage.fresh();
      FileChannel channel =
          FileChannel.open(
              staged,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (expectedLength >= WORTH_ALLOCATING && LinuxCalls.AVAILABLE) {
        switch (LinuxCalls.allocate(staged, expectedLength)) {
          // From now on the file system counts these bytes.
          case SET_ASIDE -> reservation.used(expectedLength);
          case FULL -> {
            end(staged, channel, false);
            reservation.close();
            return Outcome.Refused.of(Refusal.NO_SPACE);
          }
          case UNKNOWN -> log.debug("this file system sets no room aside");
        }
      }
      return new Outcome.Done<>(new Upload(this, target, staged, channel, reservation, algorithms));
    } catch (IOException e) {
      reservation.close();
      if (e instanceof FileSystemException f) {
        return Confinement.refusal(f);
      }
      throw NoSpaceException.tell(e);
    }
  }

  /** See {@link Upload#commitRange}. */
  Outcome<FileEntry> publishRange(
      FileChannel part, StoragePath target, long offset, Consent consent) throws IOException {
    return publication.publishRange(part, target, offset, consent);
  }

  /** See {@link Upload#commit}. */
  Outcome<FileEntry> publish(
      Path staged,
      FileChannel content,
      StoragePath target,
      Consent consent,
      Collection<Checksum> checksums,
      @Nullable Instant modified)
      throws IOException {
    return publication.publish(staged, content, target, consent, checksums, modified);
  }

  /**
   * What is done while nobody else changes the path or anything below it.
   *
   * @param <T> what comes of it
   */
  @FunctionalInterface
  public interface Step<T> {
    /** Does it, in moments. */
    T run() throws IOException;
  }

  /** Judges and changes a path in one step; the step itself calls none that holds a path. */
  public <T> T holding(StoragePath path, Step<T> step) throws IOException {
    try (PathLocks.Held _ = paths.hold(confinement.place(path, true))) {
      return step.run();
    }
  }

  /** Ends an upload; what was staged is removed unless it has got its name. */
  void end(Path staged, FileChannel channel, boolean named) {
    try {
      channel.close();
      if (!named) {
        Files.deleteIfExists(staged);
      }
    } catch (IOException e) {
      log.warn(
          "an unfinished file stays in the stage folder until the next start: {}", e.toString());
    }
  }

  /** The checksum kept for the file, if it is kept and the file has not changed since. */
  public Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) {
    return metadata.kept(file, algorithm);
  }

  /**
   * The checksum of the file, kept or computed now by reading it once, and then kept.
   *
   * @throws NoSuchFileException where the file is gone meanwhile
   */
  public Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    return metadata.checksum(file, algorithm);
  }

  /** When the file's bytes were last found to be what its checksums say, as far as is known. */
  public Optional<Instant> compared(FileEntry file) {
    return metadata.compared(file);
  }

  /** Keeps that the file's bytes are what its checksums say. */
  public void keepCompared(FileEntry file, Instant when) {
    metadata.keepCompared(file, when);
  }

  /** Makes an empty collection. */
  public Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    return publication.makeCollection(path, consent);
  }

  /**
   * Removes a file or a whole collection; it vanishes at once, and its room is freed after.
   *
   * @return whether it was a collection
   */
  public Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException {
    return changes.delete(path, consent);
  }

  /**
   * Renames a file or collection.
   *
   * @return whether something was replaced
   */
  public Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent)
      throws IOException {
    return changes.move(from, to, consent);
  }

  /**
   * Copies a file or collection within the area, dead properties and checksums included; the copy
   * appears whole.
   *
   * @param caller of whose share of the room the copy is while it is made
   * @param deep whether the members of a collection are copied too
   * @param consent asked before the bytes are copied, and again before the copy gets its name
   * @return whether something was replaced
   */
  public Outcome<Boolean> copy(
      String caller, StoragePath from, StoragePath to, boolean deep, Consent consent)
      throws IOException {
    return changes.copy(caller, from, to, deep, consent);
  }

  /** The dead properties' text as it was kept, if any is. */
  public Optional<String> properties(FileEntry file) {
    return metadata.properties(file);
  }

  /** Keeps dead properties; an empty text removes them. */
  public Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    return metadata.keepProperties(file, text);
  }

  /** The room of the area. */
  public Room room() throws IOException {
    AreaUsage.Count count = usage.count();
    long available = space.available();
    return new Room(
        available,
        space.announced(),
        staged.all(),
        staged.most(),
        count.used(),
        count.files(),
        Math.min(settings.quota(), space.total()));
  }

  /**
   * Counts what the area's files take, so that what was counted wrongly, as when the server was
   * killed between a name and its count, is put right. Reads every folder.
   *
   * @return by how many bytes the figures were wrong, if they were
   */
  public Optional<Long> recount() throws IOException {
    usage.begin();
    Path root = confinement.root();
    Optional<Long> wrong = usage.end(TreeSize.of(root, root.resolve(StoragePath.RESERVED_PREFIX)));
    rememberUsage();
    return wrong;
  }

  private Optional<AreaUsage.Count> rememberedUsage() throws IOException {
    return state(USAGE)
        .read(USAGE)
        .filter(text -> text.matches("[0-9]{1,18} [0-9]{1,18}"))
        .map(text -> text.split(" "))
        .map(each -> new AreaUsage.Count(Long.parseLong(each[0]), Long.parseLong(each[1])));
  }

  /** For the next start; what is wrong there, as after a crash, the first count puts right. */
  private void rememberUsage() {
    AreaUsage.Count count = usage.count();
    try {
      state(USAGE).write(USAGE, count.used() + " " + count.files());
    } catch (IOException e) {
      log.debug("what the files take cannot be remembered: {}", e.getMessage());
    }
  }

  /** So many bytes more of a caller's lie there in parts; negative: fewer. */
  void hold(String caller, long bytes) {
    staged.add(caller, bytes);
    usage.hold(bytes);
  }

  /** Writes and removes a small file, for health checks. */
  public void probe() throws IOException {
    Path probe = stage.fresh();
    Files.write(probe, new byte[] {1});
    Files.delete(probe);
  }

  /** Sets room aside for bytes that are about to be written; see {@link Space#reserve}. */
  Outcome<Space.Reservation> reserve(String caller, long bytes) throws IOException {
    return space.reserve(caller, bytes);
  }

  /** Uploads in parts, kept for {@code lifetime} after they began. */
  public PartialUploads partialUploads(SteadyClock clock, Duration lifetime) throws IOException {
    return new PartialUploads(this, reserved.itself().resolve("uploads"), nodes, clock, lifetime);
  }

  /** The area's reserved folder, for state that lives beside the files. */
  public StateFolder state(String name) throws IOException {
    return new StateFolder(reserved.itself().resolve(name), settings.sync(), nodes);
  }

  @Override
  public void close() throws IOException {
    try (confinement;
        reserved) {
      if (readers != null) {
        readers.shutdown();
      }
      rememberUsage();
      stage.close();
    }
  }
}
