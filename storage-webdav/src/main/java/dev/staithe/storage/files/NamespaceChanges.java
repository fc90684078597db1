package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import dev.staithe.storage.files.FileStore.Replace;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * DELETE, MOVE and COPY of what is there. Each is one rename as others see it: what goes is moved
 * out of sight before it is taken apart, what comes is put together out of sight.
 */
final class NamespaceChanges {
  private final Confinement confinement;
  private final StageFolder stage;
  private final Publication publication;

  NamespaceChanges(Confinement confinement, StageFolder stage, Publication publication) {
    this.confinement = confinement;
    this.stage = stage;
    this.publication = publication;
  }

  /**
   * Removes a file or a whole collection; it vanishes at once, and its room is freed after.
   *
   * @return whether it was a collection
   */
  Outcome<Boolean> delete(StoragePath path) throws IOException {
    if (path.isRoot()) {
      return new Outcome.Refused<>(Refusal.ACCESS_DENIED, "the storage area itself is not deleted");
    }
    Location location = confinement.locate(path);
    if (!(location instanceof Location.Inside inside)) {
      return Confinement.missing((Location.Nowhere) location);
    }
    if (!inside.exists()) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
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
      publication.forceFolder(inside.real());
      return new Outcome.Done<>(inside.isCollection());
    } catch (NoSuchFileException gone) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
    }
  }

  /**
   * Renames a file or collection.
   *
   * @return whether something was replaced
   */
  Outcome<Boolean> move(StoragePath from, StoragePath to, Replace replace) throws IOException {
    Path named = confinement.plain(from);
    return transfer(
        from,
        to,
        replace,
        (source, target) -> {
          if (Files.isSymbolicLink(named)) {
            // A link goes itself; what it leads to keeps its own name.
            Path link = Files.createSymbolicLink(stage.fresh(), source);
            take(link, target, replace);
            Files.delete(named);
          } else {
            take(source, target, replace);
          }
        });
  }

  /**
   * Copies a file or collection within the area, dead properties and checksums included; the copy
   * appears whole.
   *
   * @param deep whether the members of a collection are copied too
   * @return whether something was replaced
   */
  Outcome<Boolean> copy(StoragePath from, StoragePath to, boolean deep, Replace replace)
      throws IOException {
    Path staged = stage.fresh();
    try {
      return transfer(
          from,
          to,
          replace,
          (source, target) -> {
            TreeCopy.copy(source, staged, deep);
            take(staged, target, replace);
          });
    } catch (NoSpaceException full) {
      return Outcome.Refused.of(Refusal.NO_SPACE);
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

  /** Gives a file or folder its new name; where nothing may be replaced, not even in a race. */
  private static void take(Path source, Path target, Replace replace) throws IOException {
    if (replace == Replace.NEVER && !Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
      Publication.moveWhereNothingIs(source, target);
    } else {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    }
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
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    if (!(target instanceof Location.Inside want)) {
      return Outcome.Refused.of(((Location.Nowhere) target).why());
    }
    if (want.real().startsWith(have.real()) || have.real().startsWith(want.real())) {
      return new Outcome.Refused<>(
          Refusal.ACCESS_DENIED, "source and destination are the same by way of a link");
    }
    if (want.exists() && replace == Replace.NEVER) {
      return Outcome.Refused.of(Refusal.EXISTS);
    }
    Path aside = null;
    try {
      if (want.exists() && (want.isCollection() || have.isCollection())) {
        aside = stage.fresh();
        Files.move(want.real(), aside, StandardCopyOption.ATOMIC_MOVE);
      }
      transfer.bring(have.real(), want.real());
      publication.forceFolder(want.real());
      if (aside != null) {
        stage.discard(aside);
      }
      return new Outcome.Done<>(want.exists());
    } catch (IOException e) {
      if (aside != null) {
        Files.move(aside, want.real(), StandardCopyOption.ATOMIC_MOVE);
      }
      if (e instanceof FileAlreadyExistsException) {
        return Outcome.Refused.of(Refusal.EXISTS);
      }
      if (e instanceof NoSuchFileException) {
        return Outcome.Refused.of(Refusal.PARENT_MISSING);
      }
      if (e instanceof FileSystemException f) {
        return Confinement.refusal(f);
      }
      throw NoSpaceException.tell(e);
    }
  }
}
