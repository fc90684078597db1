package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One storage area on a file system. A file appears under its name whole or not at all: it is
 * staged in the area's reserved folder and renamed. Safe for use by many threads.
 */
public final class FileStore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FileStore.class);

  /** How a staged file takes its place. */
  public enum Replace {
    /** Only where nothing is there; atomically so. */
    NEVER,
    /** Whatever file was there is replaced. */
    ALLOWED
  }

  /**
   * How an area treats its files.
   *
   * @param fsync whether a file is forced to the device before it is acknowledged
   * @param createParents whether an upload makes missing collections
   * @param keepFree bytes of the file system that uploads leave free, 0 or more
   */
  public record Settings(boolean fsync, boolean createParents, long keepFree) {
    /** No fsync, RFC 4918's 409 for missing parents, nothing kept free. */
    public static final Settings DEFAULT = new Settings(false, false, 0);
  }

  /**
   * The room of the area's file system, in bytes (RFC 4331).
   *
   * @param available what an upload could use now
   * @param used what is in use
   */
  public record Room(long available, long used) {}

  private final Confinement confinement;
  private final Settings settings;
  private final StageFolder stage;
  private final Space space;
  private final boolean keepsMetadata;
  private final Object[] rangeLocks = new Object[64];

  private FileStore(Confinement confinement, Settings settings) throws IOException {
    this.confinement = confinement;
    this.settings = settings;
    Files.createDirectories(confinement.reserved());
    this.stage = StageFolder.open(confinement.reserved());
    this.space = new Space(confinement.root(), settings.keepFree());
    Arrays.setAll(rangeLocks, i -> new Object());
    this.keepsMetadata = FileMetadata.supported(confinement.reserved());
  }

  /**
   * Opens the area below {@code root} and removes what earlier runs left unfinished.
   *
   * @throws IOException where the root is no folder that can be written
   */
  public static FileStore open(Path root, Settings settings) throws IOException {
    return new FileStore(new Confinement(root), settings);
  }

  /** Whether the file system keeps extended attributes: without, checksums are computed anew. */
  public boolean keepsMetadata() {
    return keepsMetadata;
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
    return confinement.locate(path) instanceof Location.Inside inside
        ? entry(path, inside)
        : Optional.empty();
  }

  /** Whether the name itself is a symbolic link, to wherever in the area. */
  public boolean isLink(StoragePath path) {
    return Files.isSymbolicLink(confinement.plain(path));
  }

  Optional<FileEntry> member(StoragePath collection, Path file) throws IOException {
    StoragePath path;
    try {
      path = collection.child(file.getFileName().toString());
    } catch (IllegalArgumentException unreachableName) {
      return Optional.empty();
    }
    try {
      return confinement.resolve(file) instanceof Location.Inside inside
          ? entry(path, inside)
          : Optional.empty();
    } catch (FileSystemException goneOrUnreadable) {
      return Optional.empty();
    }
  }

  private static Optional<FileEntry> entry(StoragePath path, Location.Inside inside) {
    BasicFileAttributes attributes = inside.attributes();
    if (attributes == null || !(attributes.isDirectory() || attributes.isRegularFile())) {
      return Optional.empty();
    }
    boolean collection = attributes.isDirectory();
    return Optional.of(
        new FileEntry(
            path.asCollection(collection),
            collection,
            collection ? 0 : attributes.size(),
            attributes.lastModifiedTime().toInstant(),
            attributes.creationTime().toInstant(),
            EntityTag.of(attributes)));
  }

  /** The members of a collection. */
  public Outcome<Listing> list(StoragePath path) throws IOException {
    return switch (confinement.locate(path)) {
      case Location.Nowhere nowhere -> missing(nowhere);
      case Location.Inside inside when !inside.exists() -> refused(Refusal.NOT_FOUND);
      case Location.Inside inside when !inside.isCollection() -> refused(Refusal.NOT_COLLECTION);
      case Location.Inside inside -> {
        try {
          yield new Outcome.Done<>(
              new Listing(this, path, Files.newDirectoryStream(inside.real())));
        } catch (FileSystemException e) {
          yield refusal(e);
        }
      }
    };
  }

  /** Opens a file for reading. */
  public Outcome<OpenFile> open(StoragePath path) throws IOException {
    // The entry must describe the very bytes that are open: look again after opening.
    for (int attempt = 0; attempt < 10; attempt++) {
      Location location = confinement.locate(path);
      if (!(location instanceof Location.Inside inside)) {
        return missing((Location.Nowhere) location);
      }
      Optional<FileEntry> before = entry(path, inside);
      if (before.isEmpty()) {
        return refused(Refusal.NOT_FOUND);
      }
      if (before.get().collection()) {
        return refused(Refusal.IS_COLLECTION);
      }
      FileChannel channel;
      try {
        channel =
            FileChannel.open(inside.real(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException gone) {
        continue;
      } catch (FileSystemException e) {
        return refusal(e);
      }
      try {
        if (EntityTag.of(Confinement.attributes(inside.real())).equals(before.get().etag())) {
          return new Outcome.Done<>(
              new OpenFile(before.get(), channel, confinement.root().relativize(inside.real())));
        }
      } catch (NoSuchFileException gone) {
        log.debug("the file went while it was opened");
      }
      channel.close();
    }
    return new Outcome.Refused<>(Refusal.CONFLICT, "the file is changing all the time");
  }

  /**
   * Begins a file that nobody sees before {@link Upload#commit}. Missing parents are made at commit
   * where the area says so, and refused now where it does not.
   *
   * @param expectedLength bytes announced, or -1; refused with NO_SPACE where they do not fit
   * @param algorithms checksums to compute while the bytes pass
   */
  public Outcome<Upload> stage(
      StoragePath target, long expectedLength, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    Location location = confinement.locate(target);
    if (location instanceof Location.Nowhere nowhere
        && !(nowhere.why() == Refusal.PARENT_MISSING && settings.createParents())) {
      return refused(nowhere.why());
    }
    if (location instanceof Location.Inside inside) {
      if (inside.isCollection()) {
        return refused(Refusal.IS_COLLECTION);
      }
      Path parent = inside.real().getParent();
      if (!inside.exists() && parent != null && !Files.isDirectory(parent)) {
        return refused(Refusal.PARENT_MISSING);
      }
    }
    Optional<Space.Reservation> reservation = space.reserve(Math.max(0, expectedLength));
    if (reservation.isEmpty()) {
      return refused(Refusal.NO_SPACE);
    }
    try {
      Path staged = stage.fresh();
      FileChannel channel =
          FileChannel.open(
              staged,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      return new Outcome.Done<>(
          new Upload(this, target, staged, channel, reservation.get(), algorithms));
    } catch (IOException e) {
      reservation.get().close();
      if (NoSpaceException.tell(e) instanceof NoSpaceException) {
        return refused(Refusal.NO_SPACE);
      }
      throw e;
    }
  }

  /** See {@link Upload#commitRange}. */
  Outcome<FileEntry> publishRange(
      FileChannel part, StoragePath target, long offset, Replace replace) throws IOException {
    // Parts of one file may arrive at once; each must see what the one before it made.
    synchronized (rangeLocks[Math.floorMod(target.hashCode(), rangeLocks.length)]) {
      Optional<FileEntry> current = find(target);
      if (current.map(FileEntry::size).orElse(0L) < offset) {
        return new Outcome.Refused<>(Refusal.CONFLICT, "the file became shorter meanwhile");
      }
      Path version = stage.fresh();
      try {
        if (current.isPresent() && confinement.locate(target) instanceof Location.Inside inside) {
          Files.copy(inside.real(), version);
        } else {
          Files.createFile(version);
        }
        try (FileChannel out = FileChannel.open(version, StandardOpenOption.WRITE)) {
          long done = 0;
          while (done < part.size()) {
            done += out.transferFrom(part.position(done), offset + done, part.size() - done);
          }
          if (settings.fsync()) {
            out.force(true);
          }
        }
        return publish(version, target, replace, List.of(), null);
      } finally {
        Files.deleteIfExists(version);
      }
    }
  }

  /** Renames a staged file into its place; see {@link Upload#commit}. */
  Outcome<FileEntry> publish(
      Path staged,
      StoragePath target,
      Replace replace,
      Collection<Checksum> checksums,
      @Nullable Instant modified)
      throws IOException {
    Location location = confinement.locate(target);
    if (location instanceof Location.Nowhere nowhere
        && nowhere.why() == Refusal.PARENT_MISSING
        && settings.createParents()) {
      Outcome<FileEntry> parents = makeParents(target.parent());
      if (parents instanceof Outcome.Refused<FileEntry>) {
        return parents;
      }
      location = confinement.locate(target);
    }
    if (!(location instanceof Location.Inside inside)) {
      return refused(((Location.Nowhere) location).why());
    }
    if (inside.isCollection()) {
      return refused(Refusal.IS_COLLECTION);
    }
    try {
      Files.setLastModifiedTime(staged, unlikeAnyOther(staged, modified));
      if (keepsMetadata) {
        if (!checksums.isEmpty()) {
          FileMetadata.keepChecksums(staged, Confinement.attributes(staged), checksums);
        }
        if (inside.exists() && replace == Replace.ALLOWED) {
          keepPropertiesOf(inside.real(), staged);
        }
      }
      if (replace == Replace.ALLOWED) {
        Files.move(staged, inside.real(), StandardCopyOption.ATOMIC_MOVE);
      } else {
        moveWhereNothingIs(staged, inside.real());
      }
      forceFolder(inside.real());
    } catch (FileAlreadyExistsException exists) {
      return refused(Refusal.EXISTS);
    } catch (NoSuchFileException parentGone) {
      return refused(Refusal.PARENT_MISSING);
    } catch (FileSystemException e) {
      return refusal(e);
    }
    Optional<FileEntry> published = find(target);
    return published.isPresent()
        ? new Outcome.Done<>(published.get())
        : new Outcome.Refused<>(
            Refusal.CONFLICT, "the file was removed at once by another request");
  }

  /**
   * The modification time with a fraction drawn by lot: entity tags and the guard of kept checksums
   * rest on it, and neither the kernel's clock, which ticks every few milliseconds, nor a time that
   * the client gave tells apart what comes soon after one another with an inode used again.
   */
  private static FileTime unlikeAnyOther(Path staged, @Nullable Instant given) throws IOException {
    ThreadLocalRandom lot = ThreadLocalRandom.current();
    if (given != null) {
      return FileTime.from(
          given.truncatedTo(ChronoUnit.SECONDS).plusNanos(lot.nextInt(1_000_000_000)));
    }
    Instant written = Files.getLastModifiedTime(staged).toInstant();
    return FileTime.from(written.truncatedTo(ChronoUnit.MILLIS).plusNanos(lot.nextInt(1_000_000)));
  }

  private static void keepPropertiesOf(Path old, Path fresh) throws IOException {
    Optional<String> properties = FileMetadata.properties(old);
    if (properties.isPresent()) {
      FileMetadata.keepProperties(fresh, properties.get());
    }
  }

  private static void moveWhereNothingIs(Path staged, Path target) throws IOException {
    try {
      // A hard link is the one portable way to take a name only if it is free.
      Files.createLink(target, staged);
      Files.delete(staged);
    } catch (UnsupportedOperationException noLinks) {
      Files.move(staged, target);
    }
  }

  private Outcome<FileEntry> makeParents(StoragePath collection) throws IOException {
    StoragePath path = StoragePath.root();
    for (String name : collection.segments()) {
      path = path.child(name);
      if (makeCollection(path) instanceof Outcome.Refused<FileEntry> refused
          && refused.why() != Refusal.EXISTS) {
        return refused;
      }
    }
    return new Outcome.Done<>(find(collection).orElseThrow());
  }

  private void forceFolder(Path file) throws IOException {
    Path parent = file.getParent();
    if (settings.fsync() && parent != null) {
      try (FileChannel folder = FileChannel.open(parent, StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
  }

  void drop(Path staged, FileChannel channel) {
    try {
      channel.close();
      Files.deleteIfExists(staged);
    } catch (IOException e) {
      log.warn(
          "an unfinished file stays in the stage folder until the next start: {}", e.toString());
    }
  }

  /** The checksum kept for the file, if it is kept and the file has not changed since. */
  public Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    return keepsMetadata
            && confinement.locate(file.path()) instanceof Location.Inside inside
            && inside.attributes() != null
        ? Optional.ofNullable(
            FileMetadata.checksums(inside.real(), inside.attributes()).get(algorithm))
        : Optional.empty();
  }

  /**
   * The checksum of the file, kept or computed now by reading it once, and then kept.
   *
   * @throws NoSuchFileException where the file is gone meanwhile
   */
  public Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    Optional<Checksum> kept = kept(file, algorithm);
    if (kept.isPresent()) {
      return kept.get();
    }
    if (!(confinement.locate(file.path()) instanceof Location.Inside inside)
        || inside.attributes() == null) {
      throw new NoSuchFileException(file.path().toString());
    }
    Checksum computed;
    try (FileChannel channel = FileChannel.open(inside.real(), StandardOpenOption.READ)) {
      computed = compute(channel, algorithm);
    }
    BasicFileAttributes after = Confinement.attributes(inside.real());
    if (keepsMetadata && EntityTag.of(after).equals(EntityTag.of(inside.attributes()))) {
      Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
      all.putAll(FileMetadata.checksums(inside.real(), after));
      all.put(algorithm, computed);
      FileMetadata.keepChecksums(inside.real(), after, all.values());
    }
    return computed;
  }

  static Checksum compute(FileChannel channel, ChecksumAlgorithm algorithm) throws IOException {
    RunningChecksum sum = RunningChecksum.of(algorithm);
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    long at = 0;
    int n;
    while ((n = channel.read(buffer, at)) > 0) {
      sum.update(buffer.flip());
      at += n;
      buffer.clear();
    }
    return sum.finish();
  }

  /** Makes an empty collection. */
  public Outcome<FileEntry> makeCollection(StoragePath path) throws IOException {
    return switch (confinement.locate(path)) {
      case Location.Nowhere nowhere -> refused(nowhere.why());
      case Location.Inside inside when inside.exists() -> refused(Refusal.EXISTS);
      case Location.Inside inside -> {
        try {
          Files.createDirectory(inside.real());
          forceFolder(inside.real());
          yield new Outcome.Done<>(find(path).orElseThrow());
        } catch (FileAlreadyExistsException exists) {
          yield refused(Refusal.EXISTS);
        } catch (NoSuchFileException parentGone) {
          yield refused(Refusal.PARENT_MISSING);
        } catch (FileSystemException e) {
          yield refusal(e);
        }
      }
    };
  }

  /**
   * Removes a file or a whole collection; it vanishes at once, and its room is freed after.
   *
   * @return whether it was a collection
   */
  public Outcome<Boolean> delete(StoragePath path) throws IOException {
    if (path.isRoot()) {
      return new Outcome.Refused<>(Refusal.ACCESS_DENIED, "the storage area itself is not deleted");
    }
    Location location = confinement.locate(path);
    if (!(location instanceof Location.Inside inside)) {
      return missing((Location.Nowhere) location);
    }
    if (!inside.exists()) {
      return refused(Refusal.NOT_FOUND);
    }
    try {
      Path named = confinement.plain(path);
      if (Files.isSymbolicLink(named) || !inside.isCollection()) {
        // A link goes itself, what it leads to has a name of its own.
        Files.delete(Files.isSymbolicLink(named) ? named : inside.real());
      } else {
        Path aside = stage.fresh();
        Files.move(inside.real(), aside, StandardCopyOption.ATOMIC_MOVE);
        stage.discard(aside);
      }
      forceFolder(inside.real());
      return new Outcome.Done<>(inside.isCollection());
    } catch (NoSuchFileException gone) {
      return refused(Refusal.NOT_FOUND);
    } catch (FileSystemException e) {
      return refusal(e);
    }
  }

  /**
   * Renames a file or collection.
   *
   * @return whether something was replaced
   */
  public Outcome<Boolean> move(StoragePath from, StoragePath to, Replace replace)
      throws IOException {
    return transfer(
        from,
        to,
        replace,
        (source, target) -> Files.move(source, target, StandardCopyOption.ATOMIC_MOVE));
  }

  /**
   * Copies a file or collection within the area, dead properties and checksums included; the copy
   * appears whole.
   *
   * @param deep whether the members of a collection are copied too
   * @return whether something was replaced
   */
  public Outcome<Boolean> copy(StoragePath from, StoragePath to, boolean deep, Replace replace)
      throws IOException {
    Path staged = stage.fresh();
    try {
      return transfer(
          from,
          to,
          replace,
          (source, target) -> {
            TreeCopy.copy(source, staged, deep);
            Files.move(staged, target, StandardCopyOption.ATOMIC_MOVE);
          });
    } catch (NoSpaceException full) {
      return refused(Refusal.NO_SPACE);
    } finally {
      if (Files.exists(staged, LinkOption.NOFOLLOW_LINKS)) {
        stage.discard(staged);
      }
    }
  }

  /** Brings the content of {@code source} to the name {@code target}, which is free by then. */
  @FunctionalInterface
  private interface Transfer {
    void bring(Path source, Path target) throws IOException;
  }

  private Outcome<Boolean> transfer(
      StoragePath from, StoragePath to, Replace replace, Transfer transfer) throws IOException {
    if (to.startsWith(from) || from.startsWith(to)) {
      return new Outcome.Refused<>(
          Refusal.ACCESS_DENIED, "source and destination are the same or contain each other");
    }
    Location source = confinement.locate(from);
    Location target = confinement.locate(to);
    if (!(source instanceof Location.Inside have) || !have.exists()) {
      return refused(Refusal.NOT_FOUND);
    }
    if (!(target instanceof Location.Inside want)) {
      return refused(((Location.Nowhere) target).why());
    }
    if (want.exists() && replace == Replace.NEVER) {
      return refused(Refusal.EXISTS);
    }
    Path aside = null;
    try {
      if (want.exists() && (want.isCollection() || have.isCollection())) {
        aside = stage.fresh();
        Files.move(want.real(), aside, StandardCopyOption.ATOMIC_MOVE);
      }
      transfer.bring(have.real(), want.real());
      forceFolder(want.real());
      if (aside != null) {
        stage.discard(aside);
      }
      return new Outcome.Done<>(want.exists());
    } catch (IOException e) {
      if (aside != null) {
        Files.move(aside, want.real(), StandardCopyOption.ATOMIC_MOVE);
      }
      if (e instanceof NoSuchFileException) {
        return refused(Refusal.PARENT_MISSING);
      }
      if (e instanceof FileSystemException f) {
        return refusal(f);
      }
      throw NoSpaceException.tell(e);
    }
  }

  /** The dead properties' text as it was kept, if any is. */
  public Optional<String> properties(FileEntry file) throws IOException {
    return keepsMetadata && confinement.locate(file.path()) instanceof Location.Inside inside
        ? FileMetadata.properties(inside.real())
        : Optional.empty();
  }

  /** Keeps dead properties; an empty text removes them. */
  public Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    if (!(confinement.locate(file.path()) instanceof Location.Inside inside) || !inside.exists()) {
      return refused(Refusal.NOT_FOUND);
    }
    try {
      FileMetadata.keepProperties(inside.real(), text);
      return new Outcome.Done<>(true);
    } catch (IOException | UnsupportedOperationException e) {
      log.debug("properties are not kept: {}", e.toString());
      return new Outcome.Refused<>(
          Refusal.NO_SPACE, "the properties do not fit beside the file on this file system");
    }
  }

  /** Sets a file's modification time, which drops checksums kept for the old one. */
  public void touch(FileEntry file, Instant modified) throws IOException {
    if (confinement.locate(file.path()) instanceof Location.Inside inside && inside.exists()) {
      Files.setLastModifiedTime(inside.real(), FileTime.from(modified));
    }
  }

  /** The room on the area's file system. */
  public Room room() throws IOException {
    return new Room(space.available(), space.used());
  }

  /** Writes and removes a small file, for health checks. */
  public void probe() throws IOException {
    Path probe = stage.fresh();
    Files.write(probe, new byte[] {1});
    Files.delete(probe);
  }

  /** Whether so many bytes fit now, beside what running uploads have announced. */
  boolean fits(long bytes) throws IOException {
    return bytes <= space.available();
  }

  /** Uploads in parts, kept for {@code lifetime} after they began. */
  public PartialUploads partialUploads(Clock clock, Duration lifetime) throws IOException {
    return new PartialUploads(this, confinement.reserved().resolve("uploads"), clock, lifetime);
  }

  /** The area's reserved folder, for state that lives beside the files. */
  public StateFolder state(String name) throws IOException {
    return new StateFolder(confinement.reserved().resolve(name));
  }

  private static <T> Outcome.Refused<T> missing(Location.Nowhere nowhere) {
    // For one who reads, a link that leaves the area and a missing parent are both not there.
    return refused(nowhere.why() == Refusal.BAD_NAME ? Refusal.BAD_NAME : Refusal.NOT_FOUND);
  }

  private static <T> Outcome.Refused<T> refused(Refusal why) {
    return new Outcome.Refused<>(why, why.text());
  }

  private static <T> Outcome.Refused<T> refusal(FileSystemException e) throws IOException {
    if (NoSpaceException.tell(e) instanceof NoSpaceException) {
      return refused(Refusal.NO_SPACE);
    }
    if (e instanceof java.nio.file.AccessDeniedException) {
      log.warn("the operating system refuses access: {}", e.getMessage());
      return refused(Refusal.ACCESS_DENIED);
    }
    if (e instanceof java.nio.file.AtomicMoveNotSupportedException) {
      log.warn(
          "the storage area spans several file systems; make one area for each: {}",
          e.getMessage());
      return new Outcome.Refused<>(
          Refusal.CONFLICT, "the storage area spans several file systems at this path");
    }
    return refused(Confinement.why(e));
  }

  @Override
  public void close() throws IOException {
    stage.close();
  }
}
