package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
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
  private final KeptMetadata metadata;
  private final Publication publication;
  private final NamespaceChanges changes;

  private FileStore(Confinement confinement, Settings settings) throws IOException {
    this.confinement = confinement;
    this.settings = settings;
    Files.createDirectories(confinement.reserved());
    this.stage = StageFolder.open(confinement.reserved());
    this.space = new Space(confinement.root(), settings.keepFree());
    this.keepsMetadata = FileMetadata.supported(confinement.reserved());
    this.metadata = new KeptMetadata(confinement, keepsMetadata);
    this.publication = new Publication(confinement, stage, settings, keepsMetadata);
    this.changes = new NamespaceChanges(confinement, stage, publication);
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
        ? FileEntry.at(path, inside)
        : Optional.empty();
  }

  /** Whether the name itself is a symbolic link, to wherever in the area. */
  public boolean isLink(StoragePath path) {
    return Files.isSymbolicLink(confinement.plain(path));
  }

  Optional<FileEntry> member(StoragePath collection, Path file) throws IOException {
    StoragePath path;
    Path name = file.getFileName();
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
      return confinement.resolve(file) instanceof Location.Inside inside
          ? FileEntry.at(path, inside)
          : Optional.empty();
    } catch (FileSystemException goneOrUnreadable) {
      return Optional.empty();
    }
  }

  /** The members of a collection. */
  public Outcome<Listing> list(StoragePath path) throws IOException {
    return switch (confinement.locate(path)) {
      case Location.Nowhere nowhere -> Confinement.missing(nowhere);
      case Location.Inside inside when !inside.exists() -> Outcome.Refused.of(Refusal.NOT_FOUND);
      case Location.Inside inside when !inside.isCollection() ->
          Outcome.Refused.of(Refusal.NOT_COLLECTION);
      case Location.Inside inside -> {
        try {
          yield new Outcome.Done<>(
              new Listing(this, path, Files.newDirectoryStream(inside.real())));
        } catch (FileSystemException e) {
          yield Confinement.refusal(e);
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
        return Confinement.missing((Location.Nowhere) location);
      }
      Optional<FileEntry> before = FileEntry.at(path, inside);
      if (before.isEmpty()) {
        return Outcome.Refused.of(Refusal.NOT_FOUND);
      }
      if (before.get().collection()) {
        return Outcome.Refused.of(Refusal.IS_COLLECTION);
      }
      FileChannel channel;
      try {
        channel =
            FileChannel.open(inside.real(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException gone) {
        continue;
      } catch (FileSystemException e) {
        return Confinement.refusal(e);
      }
      try {
        if (EntityTag.of(Confinement.attributes(inside.real())).equals(before.get().etag())) {
          return new Outcome.Done<>(
              new OpenFile(
                  before.get(),
                  channel,
                  confinement.root().relativize(inside.real()),
                  () -> metadata.kept(before.get())));
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
      return Outcome.Refused.of(nowhere.why());
    }
    if (location instanceof Location.Inside inside) {
      if (inside.isCollection()) {
        return Outcome.Refused.of(Refusal.IS_COLLECTION);
      }
      Path parent = inside.real().getParent();
      if (!inside.exists() && parent != null && !Files.isDirectory(parent)) {
        return Outcome.Refused.of(Refusal.PARENT_MISSING);
      }
    }
    Optional<Space.Reservation> reservation = space.reserve(Math.max(0, expectedLength));
    if (reservation.isEmpty()) {
      return Outcome.Refused.of(Refusal.NO_SPACE);
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
          case SET_ASIDE -> reservation.get().used(expectedLength);
          case FULL -> {
            drop(staged, channel);
            reservation.get().close();
            return Outcome.Refused.of(Refusal.NO_SPACE);
          }
          case UNKNOWN -> log.debug("this file system sets no room aside");
        }
      }
      return new Outcome.Done<>(
          new Upload(this, target, staged, channel, reservation.get(), algorithms));
    } catch (IOException e) {
      reservation.get().close();
      if (NoSpaceException.tell(e) instanceof NoSpaceException) {
        return Outcome.Refused.of(Refusal.NO_SPACE);
      }
      throw e;
    }
  }

  /** See {@link Upload#commitRange}. */
  Outcome<FileEntry> publishRange(
      FileChannel part, StoragePath target, long offset, Replace replace) throws IOException {
    return publication.publishRange(part, target, offset, replace);
  }

  /** Renames a staged file into its place; see {@link Upload#commit}. */
  Outcome<FileEntry> publish(
      Path staged,
      StoragePath target,
      Replace replace,
      Collection<Checksum> checksums,
      @Nullable Instant modified)
      throws IOException {
    return publication.publish(staged, target, replace, checksums, modified);
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

  /** Makes an empty collection. */
  public Outcome<FileEntry> makeCollection(StoragePath path) throws IOException {
    return publication.makeCollection(path);
  }

  /**
   * Removes a file or a whole collection; it vanishes at once, and its room is freed after.
   *
   * @return whether it was a collection
   */
  public Outcome<Boolean> delete(StoragePath path) throws IOException {
    return changes.delete(path);
  }

  /**
   * Renames a file or collection.
   *
   * @return whether something was replaced
   */
  public Outcome<Boolean> move(StoragePath from, StoragePath to, Replace replace)
      throws IOException {
    return changes.move(from, to, replace);
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
    return changes.copy(from, to, deep, replace);
  }

  /** The dead properties' text as it was kept, if any is. */
  public Optional<String> properties(FileEntry file) {
    return metadata.properties(file);
  }

  /** Keeps dead properties; an empty text removes them. */
  public Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    return metadata.keepProperties(file, text);
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

  @Override
  public void close() throws IOException {
    stage.close();
  }
}
