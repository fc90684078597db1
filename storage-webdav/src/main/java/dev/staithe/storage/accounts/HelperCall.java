package dev.staithe.storage.accounts;

import dev.staithe.storage.files.StoragePath;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the helper is asked for; the words are those at the head of {@code staithe-accounts.c}.
 *
 * @param flags of {@link #REPLACE} and the others below
 * @param number where a listing goes on, or the time of modification in seconds
 * @param account as whom; empty where nobody's files are looked at
 * @param path what is looked at or changed
 * @param other where it goes, of {@link Op#RENAME}
 * @param file a staged file that goes along, or -1
 */
record HelperCall(
    Op op, int flags, long number, String account, StoragePath path, StoragePath other, int file) {
  static final int REPLACE = 1;
  static final int PARENTS = 2;
  static final int SYNC_NAMES = 4;
  static final int FOLDER = 8;
  static final int TIMED = 16;

  static final int NO_ACCOUNT = 10001;
  static final int LOW_ACCOUNT = 10002;
  static final int NO_TREE = 10003;
  static final int LOOKUP_FAILED = 10005;

  /** In the order of the helper's own. */
  enum Op {
    PROBE,
    STAT,
    OPEN,
    STAGE,
    PUBLISH,
    MKDIR,
    REMOVE,
    RENAME,
    LIST,
    ROOM
  }

  /** One of a path alone. */
  static HelperCall of(Op op, String account, StoragePath path) {
    return of(op, 0, account, path);
  }

  static HelperCall of(Op op, int flags, String account, StoragePath path) {
    return new HelperCall(op, flags, 0, account, path, StoragePath.root(), -1);
  }

  /** As it goes over the socket. */
  byte[] packet(String tree) {
    ByteArrayOutputStream packet = new ByteArrayOutputStream(256);
    packet.writeBytes(
        ByteBuffer.allocate(16)
            .order(ByteOrder.nativeOrder())
            .putInt(op.ordinal())
            .putInt(flags)
            .putLong(number)
            .array());
    for (String word : new String[] {tree, account, way(path), way(other)}) {
      // No name of a path has a NUL in it, nor has one of the configuration.
      packet.writeBytes(word.getBytes(StandardCharsets.UTF_8));
      packet.write(0);
    }
    return packet.toByteArray();
  }

  private static String way(StoragePath path) {
    return path.isRoot() ? "." : String.join("/", path.segments());
  }
}
