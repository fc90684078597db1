package dev.staithe.storage.posix;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.ReadOnlyException;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.Descriptors;
import dev.staithe.storage.linux.HeldFile;
import dev.staithe.storage.linux.LinkInTheWay;
import dev.staithe.storage.linux.Look;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns paths of the namespace into places of the file system, none of which is outside the area:
 * links are followed, and what they lead to must lie below the area's root and outside its reserved
 * folder. Everything that the store does to a file starts here.
 *
 * <p>The folder of each place is held by a descriptor, opened from the root's without any link in
 * the way, so that nobody who may write in the area can put a link between this and the use. Where
 * a link is met, where it leads is found out first and then opened in the same way. Kernels that
 * cannot hold folders get paths that were checked, and somebody with an account there who swaps a
 * folder for a link in that very moment wins the race; requests cannot, as no method makes links.
 */
final class Confinement implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Confinement.class);

  /** Links that somebody changes while they are followed. */
  private static final int ATTEMPTS = 5;

  private static final Path ITSELF = Path.of(".");

  private final Path root;
  private final Path reserved = Path.of(StoragePath.RESERVED_PREFIX);
  private final boolean byDescriptor;
  private final int descriptor;

  /** Whether the kernel gets names in the bytes that they are stored in. */
  private final boolean opensAtOnce;

  /** Holds folders by descriptors where this kernel can and {@code byDescriptor} says so. */
  Confinement(Path root, boolean byDescriptor) throws IOException {
    this.root = root.toRealPath();
    this.byDescriptor = byDescriptor && Descriptors.AVAILABLE;
    this.descriptor = this.byDescriptor ? Descriptors.folder(this.root) : -1;
    this.opensAtOnce = this.byDescriptor && HeldFile.AVAILABLE && PosixStore.storesUnicodeNames();
  }

  /** Where a path leads; close it after use. */
  sealed interface Location extends AutoCloseable {
    @Override
    default void close() {}

    /**
     * Inside the area; {@code attributes} is null where nothing is there yet.
     *
     * @param linked whether the path itself is a link, which leads here
     */
    record Inside(
        Folder folder, Path name, @Nullable BasicFileAttributes attributes, boolean linked)
        implements Location {
      /** By which Java's own calls reach it; they must not follow its last name. */
      Path path() {
        return folder.member(name);
      }

      /** Where it is below the area's root; no part of that is a link. */
      Path fromRoot() {
        return name.equals(ITSELF) ? folder.fromRoot() : folder.fromRoot().resolve(name);
      }

      boolean exists() {
        return attributes != null;
      }

      boolean isCollection() {
        return attributes != null && attributes.isDirectory();
      }

      /** The same place as it is now. */
      Inside again() throws IOException {
        return new Inside(folder, name, folder.find(name), linked);
      }

      @Override
      public void close() {
        folder.close();
      }
    }

    /** No such place: the parent is missing, is no folder, or the way leaves the area. */
    record Nowhere(Refusal why) implements Location {}
  }

  /** The root's own path. */
  Path root() {
    return root;
  }

  /** Whether folders are held. */
  boolean byDescriptor() {
    return byDescriptor;
  }

  /**
   * The storage element's own folder, made where it is missing.
   *
   * @throws IOException where it is a link, or cannot be made
   */
  Folder reserved() throws IOException {
    Path path = root.resolve(reserved);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createDirectory(path);
      } catch (FileAlreadyExistsException e) {
        throw e;
      } catch (FileSystemException e) {
        String why = e.getReason() == null ? "" : ": " + e.getReason();
        throw new IOException(
            root + " takes no folder of the service's own (" + reserved + ")" + why, e);
      }
    }
    return byDescriptor
        ? Folder.held(Descriptors.folder(descriptor, reserved.toString()), reserved)
        : Folder.named(path, reserved);
  }

  /**
   * Opens a file by one call from the root on, where no part of the way is a link.
   *
   * @return null where it is, and where there is no file or none that can be opened: {@link
   *     #locate} finds out
   */
  @Nullable HeldFile open(StoragePath path) {
    return opensAtOnce && !path.isRoot()
        ? HeldFile.open(descriptor, String.join("/", path.segments()))
        : null;
  }

  /** The same where that waits for nothing; null also where it would have to. */
  @Nullable HeldFile openAtOnce(StoragePath path) {
    return opensAtOnce && !path.isRoot()
        ? HeldFile.openAtOnce(descriptor, String.join("/", path.segments()))
        : null;
  }

  /** The file or collection at a path, if one is there; its place is held no more. */
  Optional<FileEntry> find(StoragePath path) throws IOException {
    Look look = look(path);
    if (look == Look.Other.NOTHING && !path.parent().isRoot()) {
      // The folder that was looked into may have been replaced under the walk.
      look = look(path);
    }
    switch (look) {
      case Look.Found found -> {
        return PosixPlace.entry(path, found.status());
      }
      case Look.Other.NOTHING -> {
        return Optional.empty();
      }
      case Look.Other.UNCLEAR -> {
        try (Location location = locate(path)) {
          return location instanceof Location.Inside inside
              ? PosixPlace.entry(path, inside)
              : Optional.empty();
        }
      }
    }
  }

  /** What one call finds at a path that has no link in it. */
  private Look look(StoragePath path) {
    return opensAtOnce && !path.isRoot()
        ? Descriptors.look(descriptor, String.join("/", path.segments()))
        : Look.Other.UNCLEAR;
  }

  Location locate(StoragePath path) throws IOException {
    return locate(path, true);
  }

  /** The place of the name itself, where that is a link. */
  Location locateName(StoragePath path) throws IOException {
    return locate(path, false);
  }

  private Location locate(StoragePath path, boolean follow) throws IOException {
    for (int i = 0; ; i++) {
      Location location = locateOnce(path, follow);
      boolean taken = false;
      try {
        taken =
            i == ATTEMPTS
                || !(location instanceof Location.Inside inside)
                || inside.exists()
                || inside.folder().isBelow(root);
        if (taken) {
          return location;
        }
      } finally {
        if (!taken) {
          // The folder was replaced while it was looked into: the name may well be in the new one.
          location.close();
        }
      }
    }
  }

  private Location locateOnce(StoragePath path, boolean follow) throws IOException {
    try {
      if (path.isRoot()) {
        return place(open(Path.of("")), ITSELF, false);
      }
      Folder parent = open(relative(path.parent()));
      Path name = Path.of(path.name());
      return follow ? resolve(parent, name) : place(parent, name, false);
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

  /**
   * The place of a member of {@code folder}, which is the place's own from now on and closed where
   * the member lies elsewhere.
   */
  Location resolve(Folder folder, Path name) throws IOException {
    Location place = place(folder, name, false);
    for (int i = 0; i < ATTEMPTS; i++) {
      if (!(place instanceof Location.Inside inside)
          || inside.attributes() == null
          || !inside.attributes().isSymbolicLink()) {
        return place;
      }
      try (inside) {
        Path target = target(inside.path());
        Path below = target.getParent();
        place =
            target.toString().isEmpty()
                ? place(open(target), ITSELF, true)
                : place(open(below == null ? Path.of("") : below), target.getFileName(), true);
      } catch (NoSuchFileException dangling) {
        return new Location.Nowhere(Refusal.ACCESS_DENIED);
      }
    }
    place.close();
    return new Location.Nowhere(Refusal.ACCESS_DENIED);
  }

  /**
   * The place of a member of a listing, for as long as {@code folder} is held; a link is found out
   * and its place not held.
   */
  Optional<Location.Inside> member(Folder folder, Path name) throws IOException {
    BasicFileAttributes attributes = folder.attributes(name);
    if (!attributes.isSymbolicLink()) {
      return attributes.isOther()
          ? Optional.empty()
          : Optional.of(new Location.Inside(folder, name, attributes, false));
    }
    try (Location target = resolve(folder.again(), name)) {
      return target instanceof Location.Inside inside ? Optional.of(inside) : Optional.empty();
    } catch (AccessDeniedException elsewhere) {
      return Optional.empty();
    } catch (FileSystemException e) {
      why(e); // throws again what does not come of where the link leads
      return Optional.empty();
    }
  }

  /** Pipes, sockets and devices are nothing that a request may read, replace or remove. */
  private static Location place(Folder folder, Path name, boolean linked) throws IOException {
    boolean done = false;
    try {
      BasicFileAttributes attributes = folder.find(name);
      if (attributes != null && attributes.isOther()) {
        return new Location.Nowhere(Refusal.ACCESS_DENIED);
      }
      done = true;
      return new Location.Inside(folder, name, attributes, linked);
    } finally {
      if (!done) {
        folder.close();
      }
    }
  }

  /** Holds a folder below the root. */
  private Folder open(Path fromRoot) throws IOException {
    if (!byDescriptor) {
      Path place = fromRoot.toString().isEmpty() ? fromRoot : target(root.resolve(fromRoot));
      return Folder.named(root.resolve(place), place);
    }
    Path way = fromRoot;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        return Folder.held(
            Descriptors.folder(descriptor, way.toString().isEmpty() ? "." : way.toString()), way);
      } catch (LinkInTheWay link) {
        way = target(root.resolve(way));
      }
    }
    throw new NoSuchFileException(fromRoot.toString());
  }

  /**
   * Where a path leads, relative to the root; true at this moment only.
   *
   * @throws NoSuchFileException where that is outside, or nothing is there
   */
  private Path target(Path path) throws IOException {
    Path real = path.toRealPath();
    if (!real.startsWith(root) || root.relativize(real).startsWith(reserved)) {
      throw new NoSuchFileException(path.toString());
    }
    return root.relativize(real);
  }

  /** The path as written, links not followed. */
  private static Path relative(StoragePath path) {
    Path result = Path.of("");
    for (String segment : path.segments()) {
      result = result.resolve(segment);
    }
    return result;
  }

  /** One name for each place: the path with links followed as far as there is something. */
  StoragePath place(StoragePath path, boolean follow) throws IOException {
    if (look(path) != Look.Other.UNCLEAR) {
      return path;
    }
    try (Location location = locate(path, follow)) {
      if (!(location instanceof Location.Inside inside)) {
        return path;
      }
      StoragePath place = StoragePath.root();
      for (Path name : inside.fromRoot()) {
        place = name.toString().isEmpty() ? place : place.child(name.toString());
      }
      return place;
    } catch (IllegalArgumentException nameThatNoRequestHas) {
      return path;
    }
  }

  @Override
  public void close() {
    if (byDescriptor) {
      Descriptors.close(descriptor);
    }
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
    if (e instanceof DirectoryNotEmptyException || reason.contains("Is a directory")) {
      // Somebody has just put a folder where a file or link was.
      return Refusal.CONFLICT;
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
    switch (NoSpaceException.tell(e)) {
      case NoSpaceException full -> {
        return Outcome.Refused.of(Refusal.NO_SPACE);
      }
      case ReadOnlyException unchanging -> {
        log.error("the file system of a storage area is read-only: {}", e.getMessage());
        return Outcome.Refused.of(Refusal.READ_ONLY);
      }
      default -> {}
    }
    if (e instanceof TapeBlocks.OfflineException) {
      return Outcome.Refused.of(Refusal.OFFLINE);
    }
    String reason = String.valueOf(e.getReason());
    // EPERM: of a file that may not be changed at all, or another's in a folder with a sticky bit.
    if (e instanceof AccessDeniedException || reason.contains("not permitted")) {
      log.warn("the operating system refuses access: {}", e.getMessage());
      return Outcome.Refused.of(Refusal.ACCESS_DENIED);
    }
    if (reason.contains("resource busy")) {
      return new Outcome.Refused<>(
          Refusal.CONFLICT, "another file system is mounted at this path: it stays where it is");
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

  /** The same for one who makes something: its name may be taken, and its parent gone. */
  static <T> Outcome.Refused<T> refusalToMake(FileSystemException e) throws IOException {
    return switch (e) {
      case FileAlreadyExistsException exists -> Outcome.Refused.of(Refusal.EXISTS);
      case NoSuchFileException parentGone -> Outcome.Refused.of(Refusal.PARENT_MISSING);
      default -> refusal(e);
    };
  }
}
