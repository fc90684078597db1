package dev.staithe.storage.posix;

import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.storage.posix.Confinement.Location;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.PathLocks;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * DELETE, MOVE and COPY of what is there. Each is one rename as others see it: what goes is moved
 * out of sight before it is taken apart, what comes is put together out of sight. Nothing that has
 * a name is given up before what replaces it has that name.
 */
final class NamespaceChanges {
  private final Confinement confinement;
  private final StageFolder stage;
  private final Space space;
  private final PathLocks paths;
  private final AreaUsage usage;
  private final Sync sync;
  private final Residence residence;

  NamespaceChanges(
      Confinement confinement,
      StageFolder stage,
      Space space,
      PathLocks paths,
      AreaUsage usage,
      PosixStore.Settings settings) {
    this.confinement = confinement;
    this.stage = stage;
    this.space = space;
    this.paths = paths;
    this.usage = usage;
    this.sync = settings.sync();
    this.residence = settings.residence();
  }

  /**
   * Removes a file or a whole collection; it vanishes at once, and its room is freed after.
   *
   * @return whether it was a collection
   */
  Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException {
    if (path.isRoot()) {
      return new Outcome.Refused<>(Refusal.ACCESS_DENIED, "the storage area itself is not deleted");
    }
    Path aside = stage.fresh();
    boolean collection;
    try (PathLocks.Held _ = paths.hold(confinement.place(path, false));
        Location location = confinement.locate(path);
        Location named = confinement.locateName(path)) {
      if (consent.ask() instanceof Outcome.Refused<Replace> refused) {
        return refused.as();
      }
      if (!(location instanceof Location.Inside inside)) {
        return Confinement.missing((Location.Nowhere) location);
      }
      if (!inside.exists() || !(named instanceof Location.Inside name)) {
        return Outcome.Refused.of(Refusal.NOT_FOUND);
      }
      collection = inside.isCollection();
      if (name.isCollection()) {
        Files.move(name.path(), aside, StandardCopyOption.ATOMIC_MOVE);
      } else {
        // A link goes itself, what it leads to has a name of its own.
        Files.delete(name.path());
        if (!inside.linked()) {
          usage.add(-sizeOf(inside), -1);
        }
      }
      sync.names(name.folder().itself());
    } catch (NoSuchFileException missing) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
    }
    replaced(aside);
    return new Outcome.Done<>(collection);
  }

  /** Whether nothing is in a collection, whatever its name or kind. */
  boolean isEmpty(StoragePath collection) throws IOException {
    try (Location location = confinement.locate(collection)) {
      if (!(location instanceof Location.Inside inside) || !inside.isCollection()) {
        return true;
      }
      try (Folder folder = inside.folder().folder(inside.name());
          DirectoryStream<Path> members = Files.newDirectoryStream(folder.itself())) {
        return !members.iterator().hasNext();
      }
    }
  }

  /**
   * Renames a file or collection.
   *
   * @return whether something was replaced
   */
  Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent) throws IOException {
    Optional<Outcome.Refused<Boolean>> impossible = overlap(from, to);
    if (impossible.isPresent()) {
      return impossible.get();
    }
    Path aside = stage.fresh();
    try (PathLocks.Held _ =
        paths.hold(confinement.place(from, false), confinement.place(to, true))) {
      Outcome<Ends> found = ends(from, to, consent);
      if (found instanceof Outcome.Refused<Ends> refused) {
        return refused.as();
      }
      try (Ends ends = ((Outcome.Done<Ends>) found).value();
          Location named = confinement.locateName(from)) {
        if (ends.source().linked() && named instanceof Location.Inside link) {
          // A link goes itself; what it leads to keeps its own name.
          Path source = confinement.root().resolve(ends.source().fromRoot());
          bring(Files.createSymbolicLink(stage.fresh(), source), null, ends, to, aside);
          Files.delete(link.path());
        } else if (ends.source().isCollection() && isOneFile(ends.source(), ends.target())) {
          // Another spelling of its own name, on a file system that does not tell case apart.
          Files.move(ends.source().path(), ends.target().path(), StandardCopyOption.ATOMIC_MOVE);
        } else {
          bring(ends.source().path(), from, ends, to, aside);
          if (isOneFile(ends.source(), ends.target())
              && isOneFile(ends.source().again(), ends.target())
              && hasOtherNames(ends.source().path())) {
            // rename(2) leaves two names of one file as they are.
            Files.delete(ends.source().path());
          }
        }
        sync.names(ends.target().folder().itself());
        sync.names(ends.source().folder().itself());
        return new Outcome.Done<>(ends.target().exists());
      }
    } catch (IOException e) {
      return refusal(e);
    } finally {
      replaced(aside);
    }
  }

  /**
   * Copies a file or collection within the area, dead properties and checksums included; the copy
   * appears whole.
   *
   * @param deep whether the members of a collection are copied too
   * @return whether something was replaced
   */
  Outcome<Boolean> copy(
      String caller, StoragePath from, StoragePath to, boolean deep, Consent consent)
      throws IOException {
    Optional<Outcome.Refused<Boolean>> impossible = overlap(from, to);
    if (impossible.isPresent()) {
      return impossible.get();
    }
    Space.Reservation room;
    switch (space.reserve(caller, 0)) {
      case Outcome.Refused<Space.Reservation> refused -> {
        return refused.as();
      }
      case Outcome.Done<Space.Reservation> done -> room = done.value();
    }
    Path staged = stage.fresh();
    Path aside = stage.fresh();
    try (room) {
      Outcome<Ends> before = ends(from, to, consent);
      if (before instanceof Outcome.Refused<Ends> refused) {
        return refused.as();
      }
      try (Ends ends = ((Outcome.Done<Ends>) before).value()) {
        Location.Inside source = ends.source();
        new TreeCopy(sync, room, residence)
            .copy(
                source.folder(),
                source.name(),
                Objects.requireNonNull(source.attributes()),
                staged,
                deep);
      }
      try (PathLocks.Held _ = paths.hold(confinement.place(to, true))) {
        Outcome<Ends> now = ends(from, to, consent);
        if (now instanceof Outcome.Refused<Ends> refused) {
          return refused.as();
        }
        try (Ends ends = ((Outcome.Done<Ends>) now).value()) {
          AreaUsage.Count fresh = TreeSize.of(staged, aside).count();
          bring(staged, null, ends, to, aside);
          usage.add(fresh.used(), fresh.files());
          sync.names(ends.target().folder().itself());
          return new Outcome.Done<>(ends.target().exists());
        }
      }
    } catch (IOException e) {
      return refusal(e);
    } finally {
      discard(staged);
      replaced(aside);
    }
  }

  /** Where from and where to, and whether what is there may be replaced. */
  private record Ends(Location.Inside source, Location.Inside target, Replace replace)
      implements AutoCloseable {
    @Override
    public void close() {
      source.close();
      target.close();
    }
  }

  private Outcome<Ends> ends(StoragePath from, StoragePath to, Consent consent) throws IOException {
    Outcome<Replace> asked = consent.ask();
    if (asked instanceof Outcome.Refused<Replace> refused) {
      return refused.as();
    }
    Location source = confinement.locate(from);
    Location target;
    try {
      target = confinement.locate(to);
    } catch (IOException | RuntimeException e) {
      source.close();
      throw e;
    }
    Outcome<Ends> ends = ends(source, target, ((Outcome.Done<Replace>) asked).value());
    if (ends instanceof Outcome.Refused<Ends>) {
      source.close();
      target.close();
    }
    return ends;
  }

  private static Outcome<Ends> ends(Location source, Location target, Replace replace) {
    if (!(source instanceof Location.Inside have) || !have.exists()) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    if (!(target instanceof Location.Inside want)) {
      return Outcome.Refused.of(((Location.Nowhere) target).why());
    }
    if (want.fromRoot().startsWith(have.fromRoot())
        || have.fromRoot().startsWith(want.fromRoot())) {
      return new Outcome.Refused<>(
          Refusal.ACCESS_DENIED, "source and destination are the same by way of a link");
    }
    return want.exists() && replace == Replace.NEVER
        ? Outcome.Refused.of(Refusal.EXISTS)
        : new Outcome.Done<>(new Ends(have, want, replace));
  }

  /**
   * Gives {@code source} the name of the target; what a collection replaces, or what replaces a
   * collection, is at {@code aside} after that.
   *
   * @param from what {@code source} is called in the area; null where it has no name there
   */
  private void bring(
      Path source, @Nullable StoragePath from, Ends ends, StoragePath name, Path aside)
      throws IOException {
    Path target = ends.target().path();
    boolean collection =
        ends.target().isCollection() || Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS);
    if (!ends.target().exists() && (collection || ends.replace() == Replace.NEVER)) {
      Publication.moveWhereNothingIs(source, target);
    } else if (!collection) {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
      if (ends.target().exists()) {
        usage.add(-sizeOf(ends.target()), -1);
      }
    } else if (!exchange(source, from, ends, name, aside)) {
      AreaUsage.Count before = TreeSize.of(target, aside).count();
      StageFolder.Replaced replaced = stage.replace(name, target, sync);
      try {
        Publication.moveWhereNothingIs(source, target);
      } catch (IOException e) {
        replaced.putBack();
        throw e;
      }
      usage.add(-before.used(), -before.files());
      replaced.discard();
    }
  }

  /**
   * Has source and target change names, and moves what is replaced from the source's to {@code
   * aside}.
   *
   * @return false where the file system cannot do that, and nothing has changed
   */
  private boolean exchange(
      Path source, @Nullable StoragePath from, Ends ends, StoragePath to, Path aside)
      throws IOException {
    BasicFileAttributes moved = ends.source().attributes();
    BasicFileAttributes replaced = ends.target().attributes();
    Path record =
        from == null || moved == null || replaced == null || !LinuxFiles.AVAILABLE
            ? null
            : stage.remember(
                new StageFolder.Exchange(
                    from, EntityTag.inode(moved), to, EntityTag.inode(replaced)),
                sync);
    try {
      Path target = ends.target().path();
      if (!LinuxFiles.rename(source, target, LinuxFiles.Naming.EXCHANGE)) {
        return false;
      }
      try {
        Files.move(source, aside, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        // A folder that this process may not write gets another name, but no other parent.
        LinuxFiles.rename(source, target, LinuxFiles.Naming.EXCHANGE);
        throw e;
      }
      return true;
    } finally {
      if (record != null) {
        stage.discard(record);
      }
    }
  }

  private static boolean isOneFile(Location.Inside one, Location.Inside other) {
    BasicFileAttributes here = one.attributes();
    BasicFileAttributes there = other.attributes();
    return here != null
        && there != null
        && here.fileKey() != null
        && here.fileKey().equals(there.fileKey());
  }

  /** Not where two spellings are one name, as on file systems that do not tell case apart. */
  private static boolean hasOtherNames(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1;
  }

  private static long sizeOf(Location.Inside inside) {
    return inside.attributes() == null ? 0 : inside.attributes().size();
  }

  /** Takes apart what had a name, which counts no more. */
  private void replaced(Path aside) throws IOException {
    if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
      AreaUsage.Count gone = TreeSize.of(aside, confinement.root()).count();
      usage.add(-gone.used(), -gone.files());
      stage.discard(aside);
    }
  }

  private void discard(Path aside) {
    if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
      stage.discard(aside);
    }
  }

  private static Optional<Outcome.Refused<Boolean>> overlap(StoragePath from, StoragePath to) {
    return to.startsWith(from) || from.startsWith(to)
        ? Optional.of(
            new Outcome.Refused<>(
                Refusal.ACCESS_DENIED, "source and destination are the same or contain each other"))
        : Optional.empty();
  }

  private static Outcome<Boolean> refusal(IOException e) throws IOException {
    if (NoSpaceException.tell(e) instanceof NoSpaceException) {
      return Outcome.Refused.of(Refusal.NO_SPACE);
    }
    return switch (e) {
      case TreeCopy.ChangingException changing ->
          new Outcome.Refused<>(Refusal.CONFLICT, TreeCopy.ChangingException.TEXT);
      // Somebody has just made a folder there and put something into it.
      case FileSystemException f when String.valueOf(f.getReason()).contains("not empty") ->
          Outcome.Refused.of(Refusal.EXISTS);
      case FileSystemException f -> Confinement.refusalToMake(f);
      default -> throw e;
    };
  }
}
