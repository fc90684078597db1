package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.Locality;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.linux.HeldFile;
import dev.staithe.storage.linux.LinkInTheWay;
import dev.staithe.storage.linux.ReadAhead;
import dev.staithe.storage.posix.Confinement.Location;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.PathLocks;
import dev.staithe.storage.state.StagedBytes;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One storage area on a file system. A file is staged in the area's reserved folder and renamed.
 */
public final class PosixStore implements FileStore {
  private static final Logger log = LoggerFactory.getLogger(PosixStore.class);

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
   * @param stormChecksum whether Adler-32 is also kept as StoRM WebDAV reads it
   * @param readAhead bytes of a file that are asked of the file system before they are read, 0 for
   *     as many as it fetches by itself
   */
  public record Settings(
      Sync sync,
      boolean createParents,
      long keepFree,
      int stagedPerCaller,
      boolean shared,
      long quota,
      Residence residence,
      boolean stormChecksum,
      long readAhead) {
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
      this(sync, createParents, keepFree, stagedPerCaller, shared, quota, Residence.DISK, false, 0);
    }
  }

  private final Confinement confinement;
  private final Folder reserved;
  private final Settings settings;
  private final StageFolder stage;
  private final StagedBytes staged;
  private final AreaUsage usage;
  private final AreaState lastUsage;
  private final Space space;
  private final @Nullable NodeLocks nodes;
  private final PathLocks paths;
  private final @Nullable ThreadPoolExecutor readers;
  private final boolean local;
  private final boolean keepsMetadata;
  private final KeptMetadata metadata;
  private final Publication publication;
  private final Staging staging;
  private final NamespaceChanges changes;

  private PosixStore(Confinement confinement, Settings settings) throws IOException {
    this.confinement = confinement;
    this.settings = settings;
    this.reserved = confinement.reserved();
    this.nodes = settings.shared() ? NodeLocks.in(reserved.itself().resolve("shared")) : null;
    this.paths = new PathLocks(nodes);
    this.readers = settings.shared() ? PosixListing.readers() : null;
    this.stage =
        StageFolder.open(reserved.itself(), new RestoredNames(confinement), settings.shared());
    this.staged = new StagedBytes(settings.stagedPerCaller());
    this.lastUsage = state("usage");
    Optional<AreaUsage.Count> remembered = AreaUsage.remembered(lastUsage);
    this.usage =
        new AreaUsage(settings.quota(), remembered.orElseGet(() -> new AreaUsage.Count(0, 0)));
    this.space = new Space(confinement.root(), settings.keepFree(), staged, usage);
    this.local = space.local().isPresent();
    this.keepsMetadata = FileMetadata.supported(reserved.itself());
    this.metadata = new KeptMetadata(confinement, keepsMetadata, local, settings);
    this.publication =
        new Publication(confinement, stage, space, paths, nodes, usage, settings, keepsMetadata);
    this.staging = new Staging(confinement, stage, space, publication, settings.createParents());
    this.changes = new NamespaceChanges(confinement, stage, space, paths, usage, settings);
    if (remembered.isEmpty() && settings.quota() != Long.MAX_VALUE) {
      recount(); // Nobody knows yet how much of the quota is left.
    }
  }

  /**
   * Opens the area below {@code root}, puts back what an earlier run was replacing and removes what
   * it left unfinished.
   *
   * @throws IOException where the root is no folder that can be written
   */
  public static PosixStore open(Path root, Settings settings) throws IOException {
    return open(root, settings, true);
  }

  /** The same; without descriptors as on kernels that cannot hold folders. */
  static PosixStore open(Path root, Settings settings, boolean byDescriptor) throws IOException {
    Confinement confinement = new Confinement(root, byDescriptor);
    try {
      return new PosixStore(confinement, settings);
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

  /**
   * The kind of file system of an area that is said to be shared and is on one that this machine
   * has for itself: what other machines serve is then another area, as where a mount failed.
   */
  public Optional<String> sharedHereOnly() {
    return settings.shared() ? space.local() : Optional.empty();
  }

  /** Whether folders are held by descriptors, so that local users cannot swap them for links. */
  public boolean holdsFolders() {
    return confinement.byDescriptor();
  }

  @Override
  public boolean keepsMetadata() {
    return keepsMetadata;
  }

  @Override
  public Residence residence() {
    return settings.residence();
  }

  @Override
  public boolean stagesInPlace() {
    return true;
  }

  @Override
  public Locality locality(FileEntry file) throws IOException {
    return settings.residence() == Residence.DISK ? Locality.DISK : metadata.locality(file);
  }

  @Override
  public Optional<Path> name(StoragePath path) throws IOException {
    Path name = confinement.root();
    for (String segment : place(path, true).segments()) {
      name = name.resolve(segment);
    }
    return Optional.of(name);
  }

  /** Whether names beyond ASCII can be stored, which depends on the locale of the process. */
  public static boolean storesUnicodeNames() {
    return "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
  }

  Settings settings() {
    return settings;
  }

  @Override
  public Optional<FileEntry> find(StoragePath path) throws IOException {
    return confinement.find(path);
  }

  @Override
  public StoragePath place(StoragePath path, boolean follow) throws IOException {
    return confinement.place(path, follow);
  }

  @Override
  public Outcome<Listing> list(StoragePath path, boolean withProperties) throws IOException {
    try (Location location = confinement.locate(path)) {
      return switch (location) {
        case Location.Nowhere nowhere -> Confinement.missing(nowhere);
        case Location.Inside inside when !inside.exists() -> Outcome.Refused.of(Refusal.NOT_FOUND);
        case Location.Inside inside when !inside.isCollection() ->
            Outcome.Refused.of(Refusal.NOT_COLLECTION);
        case Location.Inside inside ->
            new Outcome.Done<>(
                new PosixListing(
                    confinement,
                    metadata,
                    path,
                    inside.folder().folder(inside.name()),
                    withProperties,
                    withProperties ? readers : null));
      };
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
    }
  }

  @Override
  public boolean isEmpty(StoragePath collection) throws IOException {
    return changes.isEmpty(collection);
  }

  /** For files that are worth it: what is smaller comes by the first read. */
  private @Nullable ReadAhead ahead(FileEntry file, Path path) {
    return settings.readAhead() > 0 && file.size() > settings.readAhead()
        ? ReadAhead.of(path, settings.readAhead())
        : null;
  }

  @Override
  public Optional<OpenFile> openAtOnce(StoragePath path) {
    HeldFile held = opensByOneCall() && local ? confinement.openAtOnce(path) : null;
    return held == null ? Optional.empty() : Optional.of(opened(path, held));
  }

  private boolean opensByOneCall() {
    return settings.residence() == Residence.DISK && settings.readAhead() == 0;
  }

  private OpenFile opened(StoragePath path, HeldFile held) {
    return new PosixFile(PosixPlace.entry(path, held), held, () -> metadata.kept(held));
  }

  @Override
  public Outcome<OpenFile> open(StoragePath path) throws IOException {
    HeldFile held = opensByOneCall() ? confinement.open(path) : null;
    if (held != null) {
      return new Outcome.Done<>(opened(path, held));
    }
    // The entry must describe the very bytes that are open: look again after opening.
    for (int attempt = 0; attempt < 10; attempt++) {
      try (Location location = confinement.locate(path)) {
        if (!(location instanceof Location.Inside inside)) {
          return Confinement.missing((Location.Nowhere) location);
        }
        Optional<FileEntry> before = PosixPlace.entry(path, inside);
        if (before.isEmpty()) {
          return Outcome.Refused.of(Refusal.NOT_FOUND);
        }
        if (before.get().collection()) {
          return Outcome.Refused.of(Refusal.IS_COLLECTION);
        }
        FileChannel channel =
            TapeBlocks.open(
                settings.residence(), inside.path(), PosixPlace.of(before.get()).attributes());
        boolean taken = false;
        try {
          Optional<FileEntry> after = PosixPlace.entry(path, inside.again());
          if (after.map(FileEntry::etag).equals(before.map(FileEntry::etag))) {
            PosixFile file =
                new PosixFile(
                    before.get(),
                    channel,
                    inside.fromRoot(),
                    metadata.kept(before.get()),
                    ahead(before.get(), inside.path()));
            taken = true;
            return new Outcome.Done<>(file);
          }
        } finally {
          if (!taken) {
            channel.close();
          }
        }
      } catch (NoSuchFileException | LinkInTheWay gone) {
        log.debug("the file went while it was opened");
      } catch (FileSystemException e) {
        return Confinement.refusal(e);
      }
    }
    return new Outcome.Refused<>(Refusal.CONFLICT, "the file is changing all the time");
  }

  @Override
  public Outcome<Upload> stage(
      @Nullable String caller, StoragePath target, long length, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    return staging.begin(caller, target, length, algorithms);
  }

  @Override
  public <T> T holding(StoragePath path, Step<T> step) throws IOException {
    try (PathLocks.Held _ = paths.hold(confinement.place(path, true))) {
      return step.run();
    }
  }

  @Override
  public Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) {
    return metadata.kept(file, algorithm);
  }

  @Override
  public Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    return metadata.checksum(file, algorithm);
  }

  @Override
  public Optional<Instant> compared(FileEntry file) {
    return metadata.compared(file);
  }

  @Override
  public void keepCompared(FileEntry file, Instant when) {
    metadata.keepCompared(file, when);
  }

  @Override
  public Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    return publication.makeCollection(path, consent);
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
    return changes.copy(caller, from, to, deep, consent);
  }

  @Override
  public Optional<String> properties(FileEntry file) throws IOException {
    return metadata.properties(file);
  }

  @Override
  public Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    return metadata.keepProperties(file, text);
  }

  @Override
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

  @Override
  public Optional<Long> recount() throws IOException {
    usage.begin();
    Path root = confinement.root();
    TreeSize size = TreeSize.of(root, root.resolve(StoragePath.RESERVED_PREFIX));
    if (!size.isWhole() && size.count().used() < usage.count().used()) {
      log.warn("not all that is below {} can be counted: the figures stay as they are", root);
      return Optional.empty();
    }
    Optional<Long> wrong = usage.end(size.count());
    usage.remember(lastUsage);
    return wrong;
  }

  /** So many bytes more of a caller's lie there in parts; negative: fewer. */
  void hold(String caller, long bytes) {
    staged.add(caller, bytes);
    usage.hold(bytes);
  }

  @Override
  public void probe() throws IOException {
    Path probe = stage.fresh();
    try {
      Files.write(probe, new byte[] {1});
    } finally {
      // Where the disk is full it is there without its byte.
      Files.deleteIfExists(probe);
    }
  }

  /** Why no file can be put there, as far as that is known before its bytes come. */
  Optional<Refusal> obstacle(StoragePath target) throws IOException {
    return staging.obstacle(target);
  }

  /** Sets room aside for bytes that are about to be written; see {@link Space#reserve}. */
  Outcome<Space.Reservation> reserve(String caller, long bytes) throws IOException {
    return space.reserve(caller, bytes);
  }

  @Override
  public PartialUploads partialUploads(SteadyClock clock, Duration lifetime) throws IOException {
    return new PosixUploads(
        this, publication, reserved.itself().resolve("uploads"), nodes, clock, lifetime);
  }

  @Override
  public AreaState state(String name) throws IOException {
    Path folder = reserved.itself().resolve(name);
    return nodes == null
        ? new StateFolder(folder, settings.sync())
        : new NodesState(folder, settings.sync(), nodes);
  }

  @Override
  public void close() throws IOException {
    try (confinement;
        reserved) {
      if (readers != null) {
        readers.shutdown();
      }
      usage.remember(lastUsage);
      stage.close();
    }
  }
}
