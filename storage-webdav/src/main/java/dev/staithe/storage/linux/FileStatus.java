package dev.staithe.storage.linux;

import dev.staithe.storage.files.FileEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * What {@code statx} tells of a file.
 *
 * @param mode its kind and permissions
 * @param links how many names it has
 * @param size bytes
 * @param allocated bytes that the file system has set aside for it
 * @param fileKey device and inode, in the words of Java's own
 * @param lastModifiedTime of its content
 * @param lastAccessTime of its content
 * @param creationTime of the file, or the last modification where the file system keeps none
 * @param changed when its content, attributes or names last changed: nanoseconds since 1970, by the
 *     clock of the file system's machine, in steps of a few milliseconds
 */
public record FileStatus(
    int mode,
    long links,
    long size,
    long allocated,
    String fileKey,
    FileTime lastModifiedTime,
    FileTime lastAccessTime,
    FileTime creationTime,
    long changed)
    implements BasicFileAttributes {
  /** Of the kernel's {@code struct statx}. */
  static final int BYTES = 256;

  private static final int BIRTH_IS_KNOWN = 0x800;
  private static final int KIND = 0170000;
  private static final int FOLDER = 0040000;
  private static final int FILE = 0100000;
  private static final int LINK = 0120000;

  /** Reads the kernel's structure, whose layout is the same on every processor. */
  static FileStatus of(MemorySegment statx) {
    FileTime modified = time(statx, 112);
    boolean birth = (statx.get(ValueLayout.JAVA_INT, 0) & BIRTH_IS_KNOWN) != 0;
    long major = Integer.toUnsignedLong(statx.get(ValueLayout.JAVA_INT, 136));
    long minor = Integer.toUnsignedLong(statx.get(ValueLayout.JAVA_INT, 140));
    long device =
        (major & 0xfffff000L) << 32
            | (major & 0xfff) << 8
            | (minor & 0xffffff00L) << 12
            | minor & 0xff;
    return new FileStatus(
        Short.toUnsignedInt(statx.get(ValueLayout.JAVA_SHORT, 28)),
        Integer.toUnsignedLong(statx.get(ValueLayout.JAVA_INT, 16)),
        statx.get(ValueLayout.JAVA_LONG, 40),
        statx.get(ValueLayout.JAVA_LONG, 48) * 512,
        "(dev="
            + Long.toHexString(device)
            + ",ino="
            + Long.toUnsignedString(statx.get(ValueLayout.JAVA_LONG, 32))
            + ")",
        modified,
        time(statx, 64),
        birth ? time(statx, 80) : modified,
        statx.get(ValueLayout.JAVA_LONG, 96) * 1_000_000_000L
            + statx.get(ValueLayout.JAVA_INT, 104));
  }

  private static FileTime time(MemorySegment statx, int offset) {
    return FileTime.from(
        FileEntry.time(
            statx.get(ValueLayout.JAVA_LONG, offset), statx.get(ValueLayout.JAVA_INT, offset + 8)));
  }

  @Override
  public boolean isRegularFile() {
    return (mode & KIND) == FILE;
  }

  @Override
  public boolean isDirectory() {
    return (mode & KIND) == FOLDER;
  }

  @Override
  public boolean isSymbolicLink() {
    return (mode & KIND) == LINK;
  }

  @Override
  public boolean isOther() {
    return !isRegularFile() && !isDirectory() && !isSymbolicLink();
  }
}
