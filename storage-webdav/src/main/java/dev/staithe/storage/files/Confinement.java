package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns paths of the namespace into paths of the file system, none of which leaves the area: links
 * are followed, and what they lead to must lie below the area's root and outside its reserved
 * folder. Everything that the store does to a file starts here.
 *
 * <p>A local user who may write in the area's folders and swaps a folder for a link between this
 * check and the use can still win that race; requests cannot, as no method makes links.
 */
final class Confinement {
  private static final Logger log = LoggerFactory.getLogger(Confinement.class);

  private final Path root;
  private final Path reserved;

  Confinement(Path root) throws IOException {
    this.root = root.toRealPath();
    this.reserved = this.root.resolve(StoragePath.RESERVED_PREFIX);
  }

  /** Where a path leads. */
  sealed interface Location {
    /** Inside the area; {@code attributes} is null where nothing is there yet. */
    record Inside(Path real, @Nullable BasicFileAttributes attributes) implements Location {
      boolean exists() {
        return attributes != null;
      }

      boolean isCollection() {
        return attributes != null && attributes.isDirectory();
      }
    }

    /** No such place: the parent is missing, is no folder, or the way leaves the area. */
    record Nowhere(Refusal why) implements Location {}
  }

  Path root() {
    return root;
  }

  Path reserved() {
    return reserved;
  }

  Location locate(StoragePath path) throws IOException {
    try {
      if (path.isRoot()) {
        return new Location.Inside(root, attributes(root));
      }
      Path parent = root;
      if (path.segments().size() > 1) {
        parent = plain(path.parent()).toRealPath();
        if (!admits(parent)) {
          return new Location.Nowhere(Refusal.PARENT_MISSING);
        }
      }
      return resolve(parent.resolve(path.name()));
    } catch (NoSuchFileException missing) {
      return new Location.Nowhere(Refusal.PARENT_MISSING);
    } catch (AccessDeniedException denied) {
      return new Location.Nowhere(Refusal.ACCESS_DENIED);
    } catch (InvalidPathException unmappable) {
      return new Location.Nowhere(Refusal.BAD_NAME);
    } catch (FileSystemException e) {
      return new Location.Nowhere(why(e));
    }
  }

  /** The place of a member that a folder has shown us, its folder being inside already. */
  Location resolve(Path file) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = attributes(file);
    } catch (NoSuchFileException absent) {
      return new Location.Inside(file, null);
    }
    if (!attributes.isSymbolicLink()) {
      return inside(file, attributes);
    }
    Path target;
    try {
      target = file.toRealPath();
    } catch (NoSuchFileException dangling) {
      return new Location.Nowhere(Refusal.ACCESS_DENIED);
    }
    return admits(target)
        ? inside(target, attributes(target))
        : new Location.Nowhere(Refusal.ACCESS_DENIED);
  }

  /** Pipes, sockets and devices are nothing that a request may read, replace or remove. */
  private static Location inside(Path real, BasicFileAttributes attributes) {
    return attributes.isOther()
        ? new Location.Nowhere(Refusal.ACCESS_DENIED)
        : new Location.Inside(real, attributes);
  }

  /** The path as written, links not followed. */
  Path plain(StoragePath path) {
    Path result = root;
    for (String segment : path.segments()) {
      result = result.resolve(segment);
    }
    return result;
  }

  private boolean admits(Path real) {
    return real.startsWith(root) && !real.startsWith(reserved);
  }

  static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** The platform tells these failures apart only by their text. */
  static Refusal why(FileSystemException e) throws FileSystemException {
    String reason = e.getReason() == null ? "" : e.getReason();
    if (reason.contains("too long") || reason.contains("Invalid argument")) {
      return Refusal.BAD_NAME;
    }
    if (reason.contains("Not a directory")) {
      return Refusal.PARENT_MISSING;
    }
    if (reason.contains("Too many levels")) {
      return Refusal.NOT_FOUND;
    }
    throw e;
  }

  /** The refusal of a place that cannot be, for one who wants what is there. */
  static <T> Outcome.Refused<T> missing(Location.Nowhere nowhere) {
    // For one who reads, a link that leaves the area and a missing parent are both not there.
    return Outcome.Refused.of(
        nowhere.why() == Refusal.BAD_NAME ? Refusal.BAD_NAME : Refusal.NOT_FOUND);
  }

  /** The refusal that a failure of the platform comes to. */
  static <T> Outcome.Refused<T> refusal(FileSystemException e) throws IOException {
    if (NoSpaceException.tell(e) instanceof NoSpaceException) {
      return Outcome.Refused.of(Refusal.NO_SPACE);
    }
    if (e instanceof java.nio.file.AccessDeniedException) {
      log.warn("the operating system refuses access: {}", e.getMessage());
      return Outcome.Refused.of(Refusal.ACCESS_DENIED);
    }
    if (e instanceof java.nio.file.AtomicMoveNotSupportedException) {
      log.warn(
          "the storage area spans several file systems; make one area for each: {}",
          e.getMessage());
      return new Outcome.Refused<>(
          Refusal.CONFLICT, "the storage area spans several file systems at this path");
    }
    return Outcome.Refused.of(why(e));
  }
}
