package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import dev.staithe.storage.files.FileStore.Replace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** How what is new gets its name: whole, at once, and lastingly where the area asks for fsync. */
final class Publication {
  private final Confinement confinement;
  private final StageFolder stage;
  private final FileStore.Settings settings;
  private final boolean keepsMetadata;
  private final Object[] rangeLocks = new Object[64];

  Publication(
      Confinement confinement,
      StageFolder stage,
      FileStore.Settings settings,
      boolean keepsMetadata) {
    this.confinement = confinement;
    this.stage = stage;
    this.settings = settings;
    this.keepsMetadata = keepsMetadata;
    Arrays.setAll(rangeLocks, i -> new Object());
  }

  private Optional<FileEntry> find(StoragePath path) throws IOException {
    return confinement.locate(path) instanceof Location.Inside inside
        ? FileEntry.at(path, inside)
        : Optional.empty();
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
      return Outcome.Refused.of(((Location.Nowhere) location).why());
    }
    if (inside.isCollection()) {
      return Outcome.Refused.of(Refusal.IS_COLLECTION);
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
      return Outcome.Refused.of(Refusal.EXISTS);
    } catch (NoSuchFileException parentGone) {
      return Outcome.Refused.of(Refusal.PARENT_MISSING);
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
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

  /** Takes a name only if it is free, as a file can; a folder is renamed. */
  static void moveWhereNothingIs(Path staged, Path target) throws IOException {
    try {
      // A hard link is the one portable way to take a name only if it is free.
      Files.createLink(target, staged);
      Files.delete(staged);
    } catch (UnsupportedOperationException noLinks) {
      Files.move(staged, target);
    }
  }

  /** Makes an empty collection. */
  Outcome<FileEntry> makeCollection(StoragePath path) throws IOException {
    return switch (confinement.locate(path)) {
      case Location.Nowhere nowhere -> Outcome.Refused.of(nowhere.why());
      case Location.Inside inside when inside.exists() -> Outcome.Refused.of(Refusal.EXISTS);
      case Location.Inside inside -> {
        try {
          Files.createDirectory(inside.real());
          forceFolder(inside.real());
          yield new Outcome.Done<>(find(path).orElseThrow());
        } catch (FileAlreadyExistsException exists) {
          yield Outcome.Refused.of(Refusal.EXISTS);
        } catch (NoSuchFileException parentGone) {
          yield Outcome.Refused.of(Refusal.PARENT_MISSING);
        } catch (FileSystemException e) {
          yield Confinement.refusal(e);
        }
      }
    };
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

  /** Makes a change of names last, where the area asks for that. */
  void forceFolder(Path file) throws IOException {
    Path parent = file.getParent();
    if (settings.fsync() && parent != null) {
      try (FileChannel folder = FileChannel.open(parent, StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
  }
}
