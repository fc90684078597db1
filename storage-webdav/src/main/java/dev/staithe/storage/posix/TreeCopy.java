package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies a file or a tree with times, permissions and extended attributes, by the kernel where it
 * can (shared extents on file systems that have them). Links and special files are not copied, nor
 * followed where they come meanwhile.
 */
final class TreeCopy {
  /** Looks at a file that others replace again and again before it is copied. */
  private static final int ATTEMPTS = 10;

  private final Sync sync;
  private final Space.Reservation room;
  private final Residence residence;

  /** Says that a file was another at each look. */
  static final class ChangingException extends FileSystemException {
    static final String TEXT = "a file is changing all the time";
    private static final long serialVersionUID = 1;

    ChangingException(Path file) {
      super(file.toString(), null, TEXT);
    }
  }

  /** Each file is on the device as {@code sync} says, and has its room in {@code room} before. */
  TreeCopy(Sync sync, Space.Reservation room, Residence residence) {
    this.sync = sync;
    this.room = room;
    this.residence = residence;
  }

  /**
   * Copies a member of a folder.
   *
   * @param attributes what the member is
   * @param target a name that nobody has
   * @param deep whether the members of a collection are copied too
   * @throws NoSpaceException where they do not fit; what was copied is left to the caller
   */
  void copy(Folder from, Path name, BasicFileAttributes attributes, Path target, boolean deep)
      throws IOException {
    try {
      if (attributes.isDirectory()) {
        try (Folder folder = from.folder(name)) {
          copyTree(folder, target, deep);
        }
      } else if (attributes.isRegularFile()) {
        copyFile(from, name, attributes, target);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    }
  }

  private void copyTree(Folder source, Path target, boolean deep) throws IOException {
    Files.createDirectory(target);
    if (deep) {
      try (DirectoryStream<Path> members = Files.newDirectoryStream(source.itself())) {
        for (Path member : members) {
          Path name = member.getFileName();
          if (!StoragePath.isReserved(name.toString())) {
            copyMember(source, name, target.resolve(name));
          }
        }
      }
    }
    keepAttributes(source.itself(), target);
    sync.names(target);
  }

  /** What others remove meanwhile is left out: a collection that is in use can be copied. */
  private void copyMember(Folder source, Path name, Path target) throws IOException {
    BasicFileAttributes member = source.find(name);
    if (member == null) {
      return;
    }
    try {
      copy(source, name, member, target, true);
    } catch (NoSuchFileException gone) {
      if (source.find(name) != null || Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
        throw gone;
      }
      Files.deleteIfExists(target);
    }
  }

  /** Bytes and attributes are of one version, whoever gives the name to another meanwhile. */
  private void copyFile(Folder from, Path name, BasicFileAttributes attributes, Path target)
      throws IOException {
    Path source = from.member(name);
    BasicFileAttributes version = attributes;
    for (int i = 0; i < ATTEMPTS && version.isRegularFile(); i++) {
      try (FileChannel out =
              FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
          FileChannel in = TapeBlocks.open(residence, source, version)) {
        PosixFileAttributes own = attributes(source);
        keepExtended(source, target);
        BasicFileAttributes now = from.attributes(name);
        if (isSame(version, now)) {
          bytes(version, in, out);
          // Others may have written into it, or have given its name away: who knows which?
          if (!isSame(version, from.find(name))) {
            FileMetadata.forgetContent(target);
          }
          keepContent(own, target);
          sync.data(out);
          return;
        }
        version = now;
      }
      Files.delete(target);
    }
    throw new ChangingException(name);
  }

  private static boolean isSame(BasicFileAttributes version, @Nullable BasicFileAttributes now) {
    return now != null && EntityTag.of(version).equals(EntityTag.of(now));
  }

  private void bytes(BasicFileAttributes from, FileChannel in, FileChannel out) throws IOException {
    long size = in.size();
    if (!room.shares(from)) {
      room.need(size);
      bytes(in, out);
      room.used(size);
      return;
    }
    room.share(size);
    for (long at = 0; at < size; ) {
      long n = in.transferTo(at, room.step(size - at), out);
      if (n <= 0) {
        break;
      }
      at += n;
    }
  }

  /** Appends what is in a file, which is no link. */
  static void bytes(Path from, FileChannel to) throws IOException {
    try (FileChannel in = Folder.open(from)) {
      bytes(in, to);
    }
  }

  private static void bytes(FileChannel in, FileChannel out) throws IOException {
    long at = 0;
    for (long size = in.size(); at < size; ) {
      long n = in.transferTo(at, size - at, out);
      if (n <= 0) {
        break;
      }
      at += n;
    }
  }

  private static void keepAttributes(Path source, Path target) throws IOException {
    keepExtended(source, target);
    PosixFileAttributes own = attributes(source);
    Files.setPosixFilePermissions(target, own.permissions());
    keepTimes(own, own.lastModifiedTime(), target);
  }

  /** What is told of a file's bytes by its time, which is the source's but for its fraction. */
  private static void keepContent(PosixFileAttributes own, Path target) throws IOException {
    Map<ChecksumAlgorithm, Checksum> kept = FileMetadata.checksums(target, own);
    keepTimes(own, Publication.unlikeAnyOther(target, own.lastModifiedTime().toInstant()), target);
    if (!kept.isEmpty()) {
      FileMetadata.keepChecksums(target, attributes(target), kept.values(), false);
    }
    // Last, as nothing is kept beside a file that may not be written.
    Files.setPosixFilePermissions(target, own.permissions());
  }

  private static void keepExtended(Path source, Path target) throws IOException {
    UserDefinedFileAttributeView from = user(source);
    UserDefinedFileAttributeView to = user(target);
    if (from != null && to != null) {
      try {
        for (String name : from.list()) {
          if (TapeBlocks.isOfTape(name)) {
            continue; // the copy has none there
          }
          ByteBuffer value = ByteBuffer.allocate(from.size(name));
          from.read(name, value);
          to.write(name, value.flip());
        }
      } catch (IOException | UnsupportedOperationException e) {
        // They are more than the file's content: without them checksums are computed again.
        if (NoSpaceException.tell(asFailure(e)) instanceof NoSpaceException full) {
          throw full;
        }
      }
    }
  }

  private static PosixFileAttributes attributes(Path source) throws IOException {
    return Files.readAttributes(source, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static void keepTimes(PosixFileAttributes attributes, FileTime modified, Path target)
      throws IOException {
    Files.getFileAttributeView(target, BasicFileAttributeView.class)
        .setTimes(modified, attributes.lastAccessTime(), null);
  }

  private static IOException asFailure(Exception e) {
    return e instanceof IOException failure ? failure : new IOException(e);
  }

  private static @Nullable UserDefinedFileAttributeView user(Path file) {
    return Files.getFileAttributeView(
        file, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
