package dev.staithe.storage.posix;

import dev.staithe.storage.linux.Descriptors;
import dev.staithe.storage.linux.FolderReader;
import dev.staithe.storage.linux.LinkInTheWay;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A folder of the area, found once and held by a descriptor: whatever happens to its name or to the
 * way to it, its members are the same. Where the kernel cannot hold it, its path stands for it. For
 * one thread.
 */
final class Folder implements AutoCloseable {
  private static final int NONE = -1;
  private static final Path ITSELF = Path.of(".");

  private final int descriptor;
  private final Path way;
  private final Path fromRoot;
  private boolean closed;

  private Folder(int descriptor, Path way, Path fromRoot) {
    this.descriptor = descriptor;
    this.way = way;
    this.fromRoot = fromRoot;
  }

  /** One held by that descriptor, which is closed with it. */
  static Folder held(int descriptor, Path fromRoot) {
    return new Folder(descriptor, Descriptors.way(descriptor), fromRoot);
  }

  /** One that nothing holds. */
  static Folder named(Path path, Path fromRoot) {
    return new Folder(NONE, path, fromRoot);
  }

  /** By which Java's own calls reach the member; its own name they must not follow. */
  Path member(Path name) {
    return way.resolve(name);
  }

  /** By which Java's own calls reach the folder itself. */
  Path itself() {
    return way.resolve(".");
  }

  /** Where it lies below the area's root; no part of that is a link. */
  Path fromRoot() {
    return fromRoot;
  }

  /** What is known of a member; a link is not followed. */
  BasicFileAttributes attributes(Path name) throws IOException {
    return descriptor == NONE
        ? Files.readAttributes(member(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        : Descriptors.status(descriptor, name.toString());
  }

  /** The same; null where nothing has the name. */
  @Nullable BasicFileAttributes find(Path name) throws IOException {
    if (descriptor != NONE) {
      return Descriptors.find(descriptor, name.toString());
    }
    try {
      return attributes(name);
    } catch (NoSuchFileException absent) {
      return null;
    }
  }

  /**
   * Asked where a member may not be looked at: it may be another user's own, such as his mount.
   *
   * @throws IOException where no member may be looked at
   */
  void searched() throws IOException {
    attributes(ITSELF);
  }

  /** Holds a member that is a folder, and no link. */
  Folder folder(Path name) throws IOException {
    return descriptor == NONE
        ? named(member(name), below(name))
        : held(Descriptors.folder(descriptor, name.toString()), below(name));
  }

  /**
   * Reads the names of its members, and an attribute of each; null where Java's own way is the one.
   */
  @Nullable FolderReader reader(String attribute) throws IOException {
    return descriptor == NONE || !FolderReader.AVAILABLE
        ? null
        : new FolderReader(Descriptors.readable(descriptor), attribute);
  }

  private Path below(Path name) {
    return name.equals(ITSELF) ? fromRoot : fromRoot.resolve(name);
  }

  /** The same folder held once more. */
  Folder again() throws IOException {
    return folder(ITSELF);
  }

  /** Whether it is still where it was found, below that root. */
  boolean isBelow(Path root) throws IOException {
    return descriptor == NONE
        || Files.readSymbolicLink(way)
            .equals(fromRoot.toString().isEmpty() ? root : root.resolve(fromRoot));
  }

  /**
   * Opens a member for reading, and waits for no pipe that has come into its place.
   *
   * @throws LinkInTheWay where it is a link
   * @throws NoSuchFileException where it is no file any more
   */
  static FileChannel open(Path member) throws IOException {
    if (!Descriptors.AVAILABLE) {
      return openByName(member);
    }
    int descriptor;
    try {
      descriptor = Descriptors.readable(member);
    } catch (FileSystemException e) {
      if (!String.valueOf(e.getReason()).contains("temporarily unavailable")) {
        throw e;
      }
      // Another program has a lease, as files alone have, and gives it back while this waits.
      return openByName(member);
    }
    try {
      Path way = Descriptors.way(descriptor);
      if (!Files.isRegularFile(way)) {
        throw new NoSuchFileException(member.toString());
      }
      return FileChannel.open(way, StandardOpenOption.READ);
    } finally {
      Descriptors.close(descriptor);
    }
  }

  private static FileChannel openByName(Path member) throws IOException {
    try {
      return FileChannel.open(member, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      // Java says it by the text only.
      throw String.valueOf(e.getMessage()).contains("NOFOLLOW_LINKS")
          ? new LinkInTheWay(member.getFileName().toString())
          : e;
    }
  }

  /** Whether it still stands for what it was found as. */
  boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (descriptor != NONE) {
        Descriptors.close(descriptor);
      }
    }
  }
}
