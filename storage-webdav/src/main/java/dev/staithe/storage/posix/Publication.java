package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.storage.posix.Confinement.Location;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.PathLocks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How what is new gets its name: its bytes are on the device, then the path is held, the request
 * judged once more, and the name given in one step. Safe for use by many threads.
 */
final class Publication {
  /** How often a part of a file is put into a new version before others have changed it again. */
  private static final int VERSIONS = 10;

  private final Confinement confinement;
  private final StageFolder stage;
  private final Space space;
  private final PathLocks paths;
  private final @Nullable NodeLocks nodes;
  private final AreaUsage usage;
  private final PosixStore.Settings settings;
  private final boolean keepsMetadata;
  private final ConcurrentHashMap<StoragePath, RangeTurn> ranges = new ConcurrentHashMap<>();

  Publication(
      Confinement confinement,
      StageFolder stage,
      Space space,
      PathLocks paths,
      @Nullable NodeLocks nodes,
      AreaUsage usage,
      PosixStore.Settings settings,
      boolean keepsMetadata) {
    this.confinement = confinement;
    this.stage = stage;
    this.space = space;
    this.paths = paths;
    this.nodes = nodes;
    this.usage = usage;
    this.settings = settings;
    this.keepsMetadata = keepsMetadata;
  }

  /** Who puts a part into a file; each copies it, and nobody waits for who copies another. */
  private static final class RangeTurn {
    private int requests; // that have it or wait for it; changed with the map's entry alone

    RangeTurn joined() {
      requests++;
      return this;
    }
  }

  /** See {@link Upload#commitRange}. */
  Outcome<FileEntry> publishRange(
      FileChannel part, StoragePath target, long offset, Consent consent) throws IOException {
    RangeTurn turn =
        ranges.compute(target, (_, one) -> (one == null ? new RangeTurn() : one).joined());
    try {
      // Parts of one file may arrive at once; each must see what the one before it made.
      synchronized (turn) {
        if (nodes == null) {
          return publishNextVersion(part, target, offset, consent);
        }
        try (NodeLocks.Held _ = nodes.range(target)) {
          return publishNextVersion(part, target, offset, consent);
        }
      }
    } finally {
      ranges.computeIfPresent(target, (_, one) -> --one.requests == 0 ? null : one);
    }
  }

  private Outcome<FileEntry> publishNextVersion(
      FileChannel part, StoragePath target, long offset, Consent consent) throws IOException {
    for (int version = 0; version < VERSIONS; version++) {
      Optional<FileEntry> current = confinement.find(target);
      long size = current.map(FileEntry::size).orElse(0L);
      if (size < offset) {
        return new Outcome.Refused<>(Refusal.CONFLICT, "the file became shorter meanwhile");
      }
      Outcome<FileEntry> done = publishVersion(part, target, current, offset, consent);
      if (!(done instanceof Outcome.Refused<FileEntry> refused
          && refused.why() == Refusal.CONFLICT)) {
        return done;
      }
    }
    return new Outcome.Refused<>(Refusal.CONFLICT, "the file is changing all the time");
  }

  private Outcome<FileEntry> publishVersion(
      FileChannel part,
      StoragePath target,
      Optional<FileEntry> current,
      long offset,
      Consent consent)
      throws IOException {
    long length = Math.max(current.map(FileEntry::size).orElse(0L), offset + part.size());
    Space.Reservation room;
    switch (space.reserve(null, length)) {
      case Outcome.Refused<Space.Reservation> refused -> {
        return refused.as();
      }
      case Outcome.Done<Space.Reservation> done -> room = done.value();
    }
    Path version = stage.fresh();
    try (room;
        Location location = confinement.locate(target)) {
      try (FileChannel out =
          FileChannel.open(version, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        if (current.isPresent() && location instanceof Location.Inside inside) {
          if (TapeBlocks.isOffline(
              settings.residence(), inside.path(), PosixPlace.of(current.get()).attributes())) {
            return Outcome.Refused.of(Refusal.OFFLINE);
          }
          TreeCopy.bytes(inside.path(), out);
        }
        if (out.size() < offset) {
          // Another has the name since the look, and nothing is written beyond the end of a file.
          return new Outcome.Refused<>(Refusal.CONFLICT, "the file changed meanwhile");
        }
        long done = 0;
        while (done < part.size()) {
          done += out.transferFrom(part.position(done), offset + done, part.size() - done);
        }
        prepare(version, List.of(), null);
        settings.sync().data(out);
      }
      Optional<String> based = current.map(FileEntry::etag);
      return name(
          version,
          length,
          target,
          () ->
              confinement.find(target).map(FileEntry::etag).equals(based)
                  ? consent.ask()
                  : new Outcome.Refused<>(Refusal.CONFLICT, "the file changed meanwhile"));
    } catch (NoSuchFileException gone) {
      return new Outcome.Refused<>(Refusal.CONFLICT, "the file was removed meanwhile");
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
    } finally {
      Files.deleteIfExists(version);
    }
  }

  /**
   * Puts a staged file into its place, with its checksums.
   *
   * @param content the staged file, open
   * @param modified the time that it shall bear, or absent for that of its last byte
   */
  Outcome<FileEntry> publish(
      Path staged,
      FileChannel content,
      StoragePath target,
      Consent consent,
      Collection<Checksum> checksums,
      @Nullable Instant modified)
      throws IOException {
    prepare(staged, checksums, modified);
    settings.sync().data(content);
    return name(staged, content.size(), target, consent);
  }

  /** All that a file has besides its bytes and its name. */
  private void prepare(Path staged, Collection<Checksum> checksums, @Nullable Instant modified)
      throws IOException {
    FileTime time = unlikeAnyOther(staged, modified);
    if (LinuxFiles.AVAILABLE) {
      LinuxFiles.modified(staged, time.toInstant());
    } else {
      Files.setLastModifiedTime(staged, time);
    }
    if (keepsMetadata && !checksums.isEmpty()) {
      FileMetadata.keepChecksums(
          staged,
          Files.readAttributes(staged, BasicFileAttributes.class),
          checksums,
          settings.stormChecksum());
    }
  }

  /** Gives a file of that length, whole and on the device, its name. */
  private Outcome<FileEntry> name(Path staged, long size, StoragePath target, Consent consent)
      throws IOException {
    try (PathLocks.Held _ = paths.hold(confinement.place(target, true))) {
      Outcome<Replace> asked = consent.ask();
      if (asked instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      Replace replace = ((Outcome.Done<Replace>) asked).value();
      try (Location location = confinement.locate(target)) {
        if (location instanceof Location.Inside inside) {
          return name(staged, size, target, inside, replace);
        }
        Refusal why = ((Location.Nowhere) location).why();
        if (why != Refusal.PARENT_MISSING || !settings.createParents()) {
          return Outcome.Refused.of(why);
        }
      }
      if (makeParents(target.parent()) instanceof Outcome.Refused<Boolean> refused) {
        return refused.as();
      }
      try (Location location = confinement.locate(target)) {
        return location instanceof Location.Inside inside
            ? name(staged, size, target, inside, replace)
            : Outcome.Refused.of(((Location.Nowhere) location).why());
      }
    } catch (FileSystemException e) {
      return Confinement.refusalToMake(e);
    }
  }

  private Outcome<FileEntry> name(
      Path staged, long size, StoragePath target, Location.Inside inside, Replace replace)
      throws IOException {
    if (inside.isCollection()) {
      return Outcome.Refused.of(Refusal.IS_COLLECTION);
    }
    long before = inside.attributes() == null ? 0 : inside.attributes().size();
    long count = inside.exists() ? 0 : 1;
    if (replace == Replace.ALLOWED) {
      if (keepsMetadata && inside.exists()) {
        keepPropertiesOf(inside.path(), staged);
      }
      Files.move(staged, inside.path(), StandardCopyOption.ATOMIC_MOVE);
    } else {
      moveWhereNothingIs(staged, inside.path());
    }
    usage.add(size - before, count);
    settings.sync().names(inside.folder().itself());
    return PosixPlace.entry(target, inside.again())
        .<Outcome<FileEntry>>map(Outcome.Done::new)
        .orElseGet(
            () ->
                new Outcome.Refused<>(
                    Refusal.CONFLICT, "the file was removed at once by somebody else"));
  }

  /**
   * The modification time with a fraction drawn by lot: entity tags and the guard of kept checksums
   * rest on it, and neither the kernel's clock, which ticks every few milliseconds, nor a time that
   * the client gave tells apart what comes soon after one another with an inode used again.
   */
  static FileTime unlikeAnyOther(Path staged, @Nullable Instant given) throws IOException {
    ThreadLocalRandom lot = ThreadLocalRandom.current();
    if (given != null) {
      return FileTime.from(
          given.truncatedTo(ChronoUnit.SECONDS).plusNanos(lot.nextInt(1_000_000_000)));
    }
    Instant written = Files.getLastModifiedTime(staged).toInstant();
    return FileTime.from(written.truncatedTo(ChronoUnit.MILLIS).plusNanos(lot.nextInt(1_000_000)));
  }

  private static void keepPropertiesOf(Path old, Path fresh) throws IOException {
    Optional<String> properties;
    try {
      properties = FileMetadata.properties(old);
    } catch (NoSuchFileException | AccessDeniedException noneThatAreSeen) {
      return;
    }
    if (properties.isPresent()) {
      FileMetadata.keepProperties(fresh, properties.get());
    }
  }

  /**
   * Takes a name only if it is free.
   *
   * @throws FileAlreadyExistsException where it is not
   */
  static void moveWhereNothingIs(Path staged, Path target) throws IOException {
    if (LinuxFiles.rename(staged, target, LinuxFiles.Naming.NO_REPLACE)) {
      return;
    }
    if (Files.isDirectory(staged, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(staged, target);
      return;
    }
    try {
      // A hard link is the one portable way to take a name only if it is free.
      Files.createLink(target, staged);
      Files.delete(staged);
    } catch (UnsupportedOperationException noLinks) {
      Files.move(staged, target);
    }
  }

  /** Makes an empty collection. */
  Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    try (PathLocks.Held _ = paths.hold(confinement.place(path, true))) {
      return consent.ask() instanceof Outcome.Refused<Replace> refused
          ? refused.as()
          : makeCollection(path);
    }
  }

  /** The same for one who holds the path already. */
  private Outcome<FileEntry> makeCollection(StoragePath path) throws IOException {
    try (Location location = confinement.locate(path)) {
      if (!(location instanceof Location.Inside inside)) {
        return Outcome.Refused.of(((Location.Nowhere) location).why());
      }
      if (inside.exists()) {
        return Outcome.Refused.of(Refusal.EXISTS);
      }
      Files.createDirectory(inside.path());
      settings.sync().names(inside.folder().itself());
      // None where another program, which holds no path, has taken it away at once.
      return PosixPlace.entry(path, inside.again())
          .<Outcome<FileEntry>>map(Outcome.Done::new)
          .orElseGet(() -> Outcome.Refused.of(Refusal.CONFLICT));
    } catch (FileSystemException e) {
      return Confinement.refusalToMake(e);
    }
  }

  /** Gives whether some were missing. */
  private Outcome<Boolean> makeParents(StoragePath collection) throws IOException {
    if (confinement.find(collection).isPresent()) {
      return new Outcome.Done<>(false);
    }
    StoragePath path = StoragePath.root();
    for (String name : collection.segments()) {
      path = path.child(name);
      if (makeCollection(path) instanceof Outcome.Refused<FileEntry> refused
          && refused.why() != Refusal.EXISTS) {
        return refused.as();
      }
    }
    return new Outcome.Done<>(true);
  }
}
