package dev.staithe.storage.posix;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The few calls of Linux that Java does not make, or makes at several times their cost. Elsewhere,
 * and where the Java runtime forbids them, {@link #AVAILABLE} is false and nothing here is to be
 * called. Stateless.
 */
@SuppressWarnings("restricted") // the text of an error is read at an address
final class LinuxCalls {
  private static final String USER = "user.";

  /** Of the flags that differ by processor only these two are needed. */
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  private static final int O_DIRECTORY = ARM ? 040000 : 0200000;
  private static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;
  private static final int O_CLOEXEC = 02000000;
  private static final int O_NONBLOCK = 04000;
  private static final int O_PATH = 010000000;
  private static final int O_WRONLY_NOFOLLOW_CLOEXEC = 1 | O_NOFOLLOW | O_CLOEXEC;
  private static final int O_RDWR_NOFOLLOW_CLOEXEC = 2 | O_NOFOLLOW | O_CLOEXEC;

  private static final int F_OFD_SETLK = 37;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;
  private static final int FLOCK_BYTES = 32;

  private static final long OPENAT2_NUMBER = 437; // on every processor
  private static final long BENEATH_WITHOUT_LINKS = 0x08 | 0x04 | 0x02;
  static final int AT_SYMLINK_NOFOLLOW = 0x100;
  static final int STATX_NOFOLLOW_NO_AUTOMOUNT = AT_SYMLINK_NOFOLLOW | 0x800;
  private static final long UTIME_OMIT = (1 << 30) - 2;
  static final int STATX_BASIC_AND_BIRTH = 0xfff;
  private static final int KEEP_SIZE = 1;
  private static final int SEEK_HOLE = 4;

  /** Bytes of the values that are met most. */
  private static final int USUAL = 256;

  private static final int ENOENT = 2;
  private static final int EAGAIN = 11;
  private static final int EACCES = 13;
  private static final int EEXIST = 17;
  private static final int EXDEV = 18;
  private static final int ELOOP = 40;
  private static final int EINVAL = 22;
  private static final int ENOSPC = 28;
  private static final int ERANGE = 34;
  private static final int ENOSYS = 38;
  private static final int EDQUOT = 122;

  private static final int HERE = -100; // AT_FDCWD

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  // Constants, one by one: the compiler looks through them and makes each call a plain one.
  private static final @Nullable MethodHandle OPEN =
      CFunction.find(
          "open", FunctionDescriptor.of(INT, POINTER, INT), Linker.Option.firstVariadicArg(2));
  private static final @Nullable MethodHandle CLOSE =
      CFunction.find("close", FunctionDescriptor.of(INT, INT));
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
  private static final @Nullable MethodHandle SYSCALL_OPENAT2 =
      CFunction.find(
          "syscall",
          FunctionDescriptor.of(LONG, LONG, INT, POINTER, POINTER, LONG),
          Linker.Option.firstVariadicArg(1),
          CFunction.ERRNO);
  private static final @Nullable MethodHandle STATX =
      CFunction.find(
          "statx", FunctionDescriptor.of(INT, INT, POINTER, INT, INT, POINTER), CFunction.ERRNO);
  private static final @Nullable MethodHandle FCNTL =
      CFunction.find(
          "fcntl",
          FunctionDescriptor.of(INT, INT, INT, POINTER),
          Linker.Option.firstVariadicArg(2),
          CFunction.ERRNO);
  private static final @Nullable MethodHandle STRERROR =
      CFunction.find("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, INT));

  /** Whether the calls can be made. */
  static final boolean AVAILABLE =
      CFunction.areThere(
          OPEN,
          CLOSE,
          LSEEK,
          FALLOCATE,
          LGETXATTR,
          LSETXATTR,
          UTIMENSAT,
          RENAMEAT2,
          SYSCALL_OPENAT2,
          STATX,
          FCNTL,
          STRERROR);

  /** Whether folders can be held by descriptors, and files be reached through them. */
  static final boolean DESCRIPTORS = AVAILABLE && holdsFolders();

  private static boolean holdsFolders() {
    try {
      int root = folder(HERE, "/");
      try {
        return Files.isDirectory(way(root)) && status(root, ".") != null;
      } finally {
        close(root);
      }
    } catch (IOException noSuchCallOrNoProc) {
      // Kernels before 5.6, and sandboxes that do not know the call, say so here.
      return false;
    }
  }

  /** How a name is given to a file, besides as {@code rename} does. */
  enum Naming {
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
  enum Room {
    /** It is the file's from now on. */
    SET_ASIDE,
    /** The file system or the quota has not so much. */
    FULL,
    /** The file system cannot set room aside, or the call failed otherwise. */
    UNKNOWN
  }

  private LinuxCalls() {}

  /**
   * Sets disk space aside for a file without changing its length: writing then finds its blocks
   * there, and cannot fail for want of room.
   *
   * @param file exists, and is no link
   * @param bytes from its beginning, more than 0
   */
  static Room allocate(Path file, long bytes) {
    try (var arena = Arena.ofConfined()) {
      int descriptor =
          (int)
              there(OPEN)
                  .invokeExact(arena.allocateFrom(file.toString()), O_WRONLY_NOFOLLOW_CLOEXEC);
      if (descriptor < 0) {
        return Room.UNKNOWN;
      }
      MemorySegment state = CFunction.state(arena);
      int failed = (int) there(FALLOCATE).invokeExact(state, descriptor, KEEP_SIZE, 0L, bytes);
      int errno = CFunction.errno(state);
      int unused = (int) there(CLOSE).invokeExact(descriptor);
      if (failed == 0) {
        return Room.SET_ASIDE;
      }
      return errno == ENOSPC || errno == EDQUOT ? Room.FULL : Room.UNKNOWN;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * Where the first bytes of a file are that the file system holds nothing for.
   *
   * @param file is no link
   * @return the file's length where there are none, or where the file system does not tell
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  static long firstHole(Path file, long length) throws FileSystemException {
    long hole;
    int errno;
    try (var arena = Arena.ofConfined()) {
      int descriptor =
          (int)
              there(OPEN).invokeExact(arena.allocateFrom(file.toString()), O_NOFOLLOW | O_CLOEXEC);
      if (descriptor < 0) {
        throw new FileSystemException(file.toString(), null, "cannot be opened");
      }
      MemorySegment state = CFunction.state(arena);
      hole = (long) there(LSEEK).invokeExact(state, descriptor, 0L, SEEK_HOLE);
      errno = CFunction.errno(state);
      int unused = (int) there(CLOSE).invokeExact(descriptor);
    } catch (FileSystemException e) {
      throw e;
    } catch (Throwable e) {
      throw impossible(e);
    }
    if (hole >= 0) {
      return hole;
    }
    if (errno == EINVAL) {
      return length;
    }
    throw failure(errno, file.toString(), null);
  }

  /**
   * The value of an extended attribute in the {@code user} namespace; links are not followed.
   *
   * @param longest how many bytes are looked for
   * @return absent where there is none, where it is longer, and where it cannot be read
   */
  static byte @Nullable [] attribute(Path file, String name, int longest) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      MemorySegment attribute = arena.allocateFrom(USER + name);
      MemorySegment state = CFunction.state(arena);
      // Most values are short, and memory costs more than the call: it is cleared first.
      for (int room = Math.min(USUAL, longest); ; room = longest) {
        MemorySegment value = arena.allocate(room);
        long length =
            (long) there(LGETXATTR).invokeExact(state, path, attribute, value, (long) room);
        if (length >= 0) {
          return value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }
        if (room == longest || CFunction.errno(state) != ERANGE) {
          return null;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * Sets an extended attribute in the {@code user} namespace; links are not followed.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  static void attribute(Path file, String name, byte[] value) throws FileSystemException {
    check(
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
  static void modified(Path file, Instant when) throws FileSystemException {
    check(
        file,
        (arena, state) -> {
          MemorySegment times = arena.allocate(LONG, 4);
          times.setAtIndex(LONG, 1, UTIME_OMIT);
          times.setAtIndex(LONG, 2, when.getEpochSecond());
          times.setAtIndex(LONG, 3, when.getNano());
          return (int)
              there(UTIMENSAT)
                  .invokeExact(
                      state, HERE, arena.allocateFrom(file.toString()), times, AT_SYMLINK_NOFOLLOW);
        });
  }

  /**
   * Renames a file or folder in one step; links are not followed.
   *
   * @return false where the kernel or the file system cannot do that, and nothing has changed
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  static boolean rename(Path from, Path to, Naming naming) throws FileSystemException {
    if (!AVAILABLE) {
      return false;
    }
    int errno =
        errno(
            (arena, state) ->
                (int)
                    there(RENAMEAT2)
                        .invokeExact(
                            state,
                            HERE,
                            arena.allocateFrom(from.toString()),
                            HERE,
                            arena.allocateFrom(to.toString()),
                            naming.flag));
    if (errno == 0) {
      return true;
    }
    if (errno == EINVAL || errno == ENOSYS) {
      return false;
    }
    throw failure(errno, from.toString(), to.toString());
  }

  /**
   * Holds a folder; neither the way to it nor its own name may be a link.
   *
   * @param from the descriptor of the folder that the way begins in, and does not leave
   * @return its descriptor, to be closed
   * @throws LinkInTheWay where there is one
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  static int folder(int from, String way) throws FileSystemException {
    return opened(from, way, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }

  private static int opened(int from, String way, int flags) throws FileSystemException {
    long descriptor;
    int errno;
    do {
      try (var arena = Arena.ofConfined()) {
        MemorySegment state = CFunction.state(arena);
        MemorySegment how = arena.allocate(LONG, 3);
        how.setAtIndex(LONG, 0, flags);
        how.setAtIndex(LONG, 2, from == HERE ? 0 : BENEATH_WITHOUT_LINKS);
        descriptor =
            (long)
                there(SYSCALL_OPENAT2)
                    .invokeExact(
                        state, OPENAT2_NUMBER, from, arena.allocateFrom(way), how, how.byteSize());
        errno = CFunction.errno(state);
      } catch (Throwable e) {
        throw impossible(e);
      }
    } while (descriptor < 0 && errno == EAGAIN);
    if (descriptor >= 0) {
      return (int) descriptor;
    }
    throw errno == ELOOP ? new LinkInTheWay(way) : failure(errno, way, null);
  }

  /**
   * Opens a held folder, to read its names.
   *
   * @return its descriptor, to be closed
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  static int readable(int folder) throws FileSystemException {
    return opened(folder, ".", O_DIRECTORY | O_CLOEXEC);
  }

  /**
   * Opens a file to read it; its descriptor is to be closed. A link is not followed and a pipe not
   * waited for, as who may write in the area can put either there at the right moment.
   */
  static int readable(Path file) throws FileSystemException {
    return opened(HERE, file.toString(), O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  }

  /** Holds a folder wherever it is, links followed. */
  static int folder(Path folder) throws FileSystemException {
    return folder(HERE, folder.toString());
  }

  /** The path by which Java's own calls reach what a descriptor holds. */
  static Path way(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Gives a descriptor back. */
  static void close(int descriptor) {
    try {
      int unused = (int) there(CLOSE).invokeExact(descriptor);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * Opens a file, which is no link, to hold locks by; its descriptor is to be closed.
   *
   * @throws FileSystemException where that cannot be
   */
  static int lockable(Path file) throws FileSystemException {
    int descriptor;
    try (var arena = Arena.ofConfined()) {
      descriptor =
          (int)
              there(OPEN).invokeExact(arena.allocateFrom(file.toString()), O_RDWR_NOFOLLOW_CLOEXEC);
    } catch (Throwable e) {
      throw impossible(e);
    }
    if (descriptor < 0) {
      throw new FileSystemException(file.toString(), null, "cannot be opened");
    }
    return descriptor;
  }

  /**
   * Takes a lock on one byte for whoever holds the descriptor, be it a thread of this process or
   * another machine's (an open file description lock, {@code fcntl(2)}); does not wait.
   *
   * @param alone whether nobody else may hold it
   * @return false where another's is in the way
   * @throws FileSystemException where the file system cannot tell
   */
  static boolean lock(int descriptor, long at, boolean alone) throws FileSystemException {
    int errno = setLock(descriptor, alone ? F_WRLCK : F_RDLCK, at, 1);
    if (errno != 0 && errno != EAGAIN && errno != EACCES) {
      throw failure(errno, "a lock", null);
    }
    return errno == 0;
  }

  /** Gives back all locks of a descriptor, and the descriptor. */
  static void unlock(int descriptor) {
    // Some file systems of user space free them a moment after the last close only.
    int unused = setLock(descriptor, F_UNLCK, 0, 0);
    close(descriptor);
  }

  /** The number of the failure; a length of 0 reaches to the end of whatever there may be. */
  private static int setLock(int descriptor, short type, long at, long bytes) {
    return errno(
        (arena, state) -> {
          MemorySegment lock = arena.allocate(FLOCK_BYTES, Long.BYTES);
          lock.set(ValueLayout.JAVA_SHORT, 0, type);
          lock.set(LONG, 8, at);
          lock.set(LONG, 16, bytes);
          return (int) there(FCNTL).invokeExact(state, descriptor, F_OFD_SETLK, lock);
        });
  }

  /**
   * What is known of a member of a folder without opening it; a link is not followed.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  static FileStatus status(int folder, String name) throws FileSystemException {
    int failed;
    int errno;
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      MemorySegment found = arena.allocate(FileStatus.BYTES, Long.BYTES);
      failed =
          (int)
              there(STATX)
                  .invokeExact(
                      state,
                      folder,
                      arena.allocateFrom(name),
                      STATX_NOFOLLOW_NO_AUTOMOUNT,
                      STATX_BASIC_AND_BIRTH,
                      found);
      errno = CFunction.errno(state);
      if (failed == 0) {
        return FileStatus.of(found);
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
    throw failure(errno, name, null);
  }

  /** A call that gives 0 where it succeeds. */
  @FunctionalInterface
  private interface Call {
    int make(Arena arena, MemorySegment state) throws Throwable;
  }

  /** The number of its failure, 0 for none. */
  private static int errno(Call call) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      return call.make(arena, state) == 0 ? 0 : CFunction.errno(state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static void check(Path file, Call call) throws FileSystemException {
    int errno = errno(call);
    if (errno != 0) {
      throw failure(errno, file.toString(), null);
    }
  }

  /** The exception that Java throws for that number. */
  static FileSystemException failure(int errno, String one, @Nullable String other) {
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(one, other, null);
      case EEXIST -> new FileAlreadyExistsException(one, other, null);
      case EACCES -> new AccessDeniedException(one, other, null);
      case EXDEV -> new AtomicMoveNotSupportedException(one, other, text(errno));
      default -> new FileSystemException(one, other, text(errno));
    };
  }

  private static String text(int errno) {
    try {
      return ((MemorySegment) there(STRERROR).invokeExact(errno)).reinterpret(256).getString(0);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }
}
