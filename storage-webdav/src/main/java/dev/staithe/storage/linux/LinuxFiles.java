package dev.staithe.storage.linux;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What Linux does with files by their paths that Java does not, or at several times the cost.
 * Elsewhere, and where the Java runtime forbids it, {@link #AVAILABLE} is false and nothing here is
 * to be called. Stateless.
 */
public final class LinuxFiles {
  private static final String USER = "user.";
  private static final int READ = 0; // O_RDONLY
  private static final int WRITE = 1; // O_WRONLY
  private static final long UTIME_OMIT = (1 << 30) - 2;
  private static final int KEEP_SIZE = 1;
  private static final int SEEK_HOLE = 4;

  /** Bytes of the values that are met most. */
  private static final int USUAL = 256;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  private static final @Nullable MethodHandle LSEEK =
      CFunction.find("lseek", FunctionDescriptor.of(LONG, INT, LONG, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle FALLOCATE =
      CFunction.find(
          "fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG), CFunction.ERRNO);
  private static final @Nullable MethodHandle LGETXATTR =
      CFunction.find(
          "lgetxattr",
          FunctionDescriptor.of(LONG, POINTER, POINTER, POINTER, LONG),
          CFunction.ERRNO);
  private static final @Nullable MethodHandle LSETXATTR =
      CFunction.find(
          "lsetxattr",
          FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, LONG, INT),
          CFunction.ERRNO);
  private static final @Nullable MethodHandle UTIMENSAT =
      CFunction.find(
          "utimensat", FunctionDescriptor.of(INT, INT, POINTER, POINTER, INT), CFunction.ERRNO);
  private static final @Nullable MethodHandle RENAMEAT2 =
      CFunction.find(
          "renameat2",
          FunctionDescriptor.of(INT, INT, POINTER, INT, POINTER, INT),
          CFunction.ERRNO);

  /** Whether the calls can be made. */
  public static final boolean AVAILABLE =
      Descriptors.OPENED_AND_CLOSED
          && CFunction.areThere(LSEEK, FALLOCATE, LGETXATTR, LSETXATTR, UTIMENSAT, RENAMEAT2);

  /** How a name is given to a file, besides as {@code rename} does. */
  public enum Naming {
    /** Only where nothing has the name yet. */
    NO_REPLACE(1),
    /** The two change their names. */
    EXCHANGE(2);

    private final int flag;

    Naming(int flag) {
      this.flag = flag;
    }
  }

  /** What came of asking for room. */
  public enum Room {
    /** It is the file's from now on. */
    SET_ASIDE,
    /** The file system or the quota has not so much. */
    FULL,
    /** The file system cannot set room aside, or the call failed otherwise. */
    UNKNOWN
  }

  private LinuxFiles() {}

  /**
   * Sets disk space aside for a file without changing its length: writing then finds its blocks
   * there, and cannot fail for want of room.
   *
   * @param file exists, and is no link
   * @param bytes from its beginning, more than 0
   */
  public static Room allocate(Path file, long bytes) {
    int descriptor = Descriptors.open(file, WRITE);
    if (descriptor < 0) {
      return Room.UNKNOWN;
    }
    int errno =
        Errno.of(
            (arena, state) ->
                (int) there(FALLOCATE).invokeExact(state, descriptor, KEEP_SIZE, 0L, bytes));
    Descriptors.close(descriptor);
    if (errno == 0) {
      return Room.SET_ASIDE;
    }
    return errno == Errno.ENOSPC || errno == Errno.EDQUOT ? Room.FULL : Room.UNKNOWN;
  }

  /**
   * Where the first bytes of a file are that the file system holds nothing for.
   *
   * @param file is no link
   * @return the file's length where there are none, or where the file system does not tell
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static long firstHole(Path file, long length) throws FileSystemException {
    int descriptor = Descriptors.open(file, READ);
    if (descriptor < 0) {
      throw new FileSystemException(file.toString(), null, "cannot be opened");
    }
    long hole;
    int errno;
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      hole = (long) there(LSEEK).invokeExact(state, descriptor, 0L, SEEK_HOLE);
      errno = CFunction.errno(state);
    } catch (Throwable e) {
      throw impossible(e);
    } finally {
      Descriptors.close(descriptor);
    }
    if (hole >= 0) {
      return hole;
    }
    if (errno == Errno.EINVAL) {
      return length;
    }
    throw Errno.failure(errno, file.toString(), null);
  }

  /**
   * The value of an extended attribute in the {@code user} namespace; links are not followed.
   *
   * @param longest how many bytes are looked for
   * @return absent where there is none, where it is longer, and where it cannot be read
   */
  public static byte @Nullable [] attribute(Path file, String name, int longest) {
    try {
      return knownAttribute(file, name, longest);
    } catch (FileSystemException cannotBeRead) {
      return null;
    }
  }

  /**
   * The same for those who change what they have read.
   *
   * @return absent where there is none, and where it is longer
   * @throws FileSystemException as those of {@code java.nio.file}, where it cannot be read
   */
  public static byte @Nullable [] knownAttribute(Path file, String name, int longest)
      throws FileSystemException {
    try (var arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      return value(
          name,
          longest,
          (state, attribute, value) ->
              (long) there(LGETXATTR).invokeExact(state, path, attribute, value, value.byteSize()));
    }
  }

  /** A call that copies the value of an attribute and gives its length. */
  @FunctionalInterface
  interface ValueOf {
    long copied(MemorySegment state, MemorySegment attribute, MemorySegment value) throws Throwable;
  }

  /**
   * The value that a call copies.
   *
   * @return absent where there is none, and where it is longer
   * @throws FileSystemException as those of {@code java.nio.file}, where it cannot be read
   */
  static byte @Nullable [] value(String name, int longest, ValueOf call)
      throws FileSystemException {
    int errno;
    try (var arena = Arena.ofConfined()) {
      MemorySegment attribute = arena.allocateFrom(USER + name);
      MemorySegment state = CFunction.state(arena);
      // Most values are short, and memory costs more than the call: it is cleared first.
      for (int room = Math.min(USUAL, longest); ; room = longest) {
        MemorySegment value = arena.allocate(room);
        long length = call.copied(state, attribute, value);
        if (length >= 0) {
          return value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }
        errno = CFunction.errno(state);
        if (room == longest || errno != Errno.ERANGE) {
          break;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
    if (errno == Errno.ENODATA || errno == Errno.ERANGE || errno == Errno.EOPNOTSUPP) {
      return null;
    }
    throw Errno.failure(errno, USER + name, null);
  }

  /**
   * Sets an extended attribute in the {@code user} namespace; links are not followed.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static void attribute(Path file, String name, byte[] value) throws FileSystemException {
    Errno.check(
        file,
        (arena, state) ->
            (int)
                there(LSETXATTR)
                    .invokeExact(
                        state,
                        arena.allocateFrom(file.toString()),
                        arena.allocateFrom(USER + name),
                        arena.allocateFrom(ValueLayout.JAVA_BYTE, value),
                        (long) value.length,
                        0));
  }

  /**
   * Sets when a file was modified; a link is not followed.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static void modified(Path file, Instant when) throws FileSystemException {
    Errno.check(
        file,
        (arena, state) -> {
          MemorySegment times = arena.allocate(LONG, 4);
          times.setAtIndex(LONG, 1, UTIME_OMIT);
          times.setAtIndex(LONG, 2, when.getEpochSecond());
          times.setAtIndex(LONG, 3, when.getNano());
          return (int)
              there(UTIMENSAT)
                  .invokeExact(
                      state,
                      Descriptors.HERE,
                      arena.allocateFrom(file.toString()),
                      times,
                      Descriptors.AT_SYMLINK_NOFOLLOW);
        });
  }

  /**
   * Renames a file or folder in one step; links are not followed.
   *
   * @return false where the kernel or the file system cannot do that, and nothing has changed
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static boolean rename(Path from, Path to, Naming naming) throws FileSystemException {
    if (!AVAILABLE) {
      return false;
    }
    int errno =
        Errno.of(
            (arena, state) ->
                (int)
                    there(RENAMEAT2)
                        .invokeExact(
                            state,
                            Descriptors.HERE,
                            arena.allocateFrom(from.toString()),
                            Descriptors.HERE,
                            arena.allocateFrom(to.toString()),
                            naming.flag));
    if (errno == 0) {
      return true;
    }
    if (errno == Errno.EINVAL || errno == Errno.ENOSYS) {
      return false;
    }
    throw Errno.failure(errno, from.toString(), to.toString());
  }
}
