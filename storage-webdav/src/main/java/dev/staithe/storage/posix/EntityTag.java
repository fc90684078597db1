package dev.staithe.storage.posix;

import dev.staithe.storage.linux.FileStatus;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Strong opaque entity tags (RFC 9110 section 8.8.3): a mix of inode, size and modification time,
 * which each machine that mounts a file system sees alike, and after a remount too; a device number
 * is the mount's own. As every upload is a new inode, two contents of one path share a tag only if
 * an inode is used again within the same nanosecond and size.
 */
final class EntityTag {
  /** Where that begins in a file key, whose text Java gives and {@link FileStatus} repeats. */
  private static final String INODE = "ino=";

  private EntityTag() {}

  static String of(BasicFileAttributes attributes) {
    @Nullable Object key = attributes.fileKey();
    Instant modified = attributes.lastModifiedTime().toInstant();
    String identity = key == null ? "" : key.toString();
    // A collection's own length is the file system's affair, and CephFS tells it late.
    long size = attributes.isDirectory() ? 0 : attributes.size();
    long a = 0x9E3779B97F4A7C15L;
    long b = 0xC2B2AE3D27D4EB4FL;
    for (int i = Math.max(0, identity.indexOf(INODE)); i < identity.length(); i++) {
      a = mix(a ^ identity.charAt(i));
    }
    a = mix(a ^ size);
    b = mix(b ^ modified.getEpochSecond() ^ a);
    b = mix(b ^ modified.getNano());
    StringBuilder tag = new StringBuilder(34).append('"');
    append(tag, a);
    append(tag, b);
    return tag.append('"').toString();
  }

  /** The inode, by which a file or folder is known among others of its file system. */
  static String inode(BasicFileAttributes attributes) {
    String key = String.valueOf(attributes.fileKey());
    return key.substring(Math.max(0, key.indexOf(INODE)));
  }

  /** The finalizer of SplitMix64: every bit of the input reaches every bit of the output. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private static void append(StringBuilder out, long value) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      out.append(Character.forDigit((int) (value >>> shift & 15), 16));
    }
  }
}
