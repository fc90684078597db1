package dev.staithe.storage.linux;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Folders and files held by descriptors, and what is reached through them, which Java has no call
 * for. Where {@link #AVAILABLE} is false nothing here is to be called. Stateless.
 */
public final class Descriptors {
  /** Of the flags that differ by processor only these two are needed. */
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  private static final int O_DIRECTORY = ARM ? 040000 : 0200000;
  static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;
  static final int O_CLOEXEC = 02000000;
  private static final int O_NONBLOCK = 04000;
  private static final int O_PATH = 010000000;

  private static final long OPENAT2_NUMBER = 437; // on every processor
  private static final long BENEATH_WITHOUT_LINKS = 0x08 | 0x04 | 0x02;
  private static final long RESOLVE_CACHED = 0x20;
  static final int AT_SYMLINK_NOFOLLOW = 0x100;
  static final int STATX_NOFOLLOW_NO_AUTOMOUNT = AT_SYMLINK_NOFOLLOW | 0x800;
  private static final int AT_EMPTY_PATH = 0x1000;
  static final int STATX_BASIC_AND_BIRTH = 0xfff;
  static final int HERE = -100; // AT_FDCWD

  /** Bytes of what calls are given beside a name: two structures, the state, alignment. */
  private static final int SPARE = FileStatus.BYTES + 128;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  // Constants, one by one: the compiler looks through them and makes each call a plain one.
  private static final @Nullable MethodHandle OPEN =
      CFunction.find(
          "open", FunctionDescriptor.of(INT, POINTER, INT), Linker.Option.firstVariadicArg(2));
  private static final @Nullable MethodHandle CLOSE =
      CFunction.find("close", FunctionDescriptor.of(INT, INT));
  private static final @Nullable MethodHandle SYSCALL_OPENAT2 =
      CFunction.find(
          "syscall",
          FunctionDescriptor.of(LONG, LONG, INT, POINTER, POINTER, LONG),
          Linker.Option.firstVariadicArg(1),
          CFunction.ERRNO);
  private static final @Nullable MethodHandle STATX =
      CFunction.find(
          "statx", FunctionDescriptor.of(INT, INT, POINTER, INT, INT, POINTER), CFunction.ERRNO);

  static final boolean OPENED_AND_CLOSED = CFunction.areThere(OPEN, CLOSE, Errno.STRERROR);

  /** Whether folders can be held by descriptors, and files be reached through them. */
  public static final boolean AVAILABLE =
      OPENED_AND_CLOSED && CFunction.areThere(SYSCALL_OPENAT2, STATX) && holdsFolders();

  private Descriptors() {}

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

  /**
   * Opens a file that is no link.
   *
   * @return less than 0 where it cannot be opened
   */
  static int open(Path file, int access) {
    try (var arena = Arena.ofConfined()) {
      return (int)
          there(OPEN)
              .invokeExact(arena.allocateFrom(file.toString()), access | O_NOFOLLOW | O_CLOEXEC);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * Holds a folder; neither the way to it nor its own name may be a link.
   *
   * @param from the descriptor of the folder that the way begins in, and does not leave
   * @return its descriptor, to be closed
   * @throws LinkInTheWay where there is one
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static int folder(int from, String way) throws FileSystemException {
    return opened(from, way, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }

  private static int opened(int from, String way, int flags) throws FileSystemException {
    int opened;
    long resolve = from == HERE ? 0 : BENEATH_WITHOUT_LINKS;
    do {
      try (var arena = Arena.ofConfined()) {
        opened = tried(arena, CFunction.state(arena), from, way, flags, resolve);
      }
      // By name it is no race with a rename but another program's lease.
    } while (opened == -Errno.EAGAIN && resolve != 0);
    if (opened >= 0) {
      return opened;
    }
    throw opened == -Errno.ELOOP ? new LinkInTheWay(way) : Errno.failure(-opened, way, null);
  }

  /** The descriptor, or the negative number of the failure. */
  private static int tried(
      SegmentAllocator memory, MemorySegment state, int from, String way, int flags, long resolve) {
    MemorySegment how = memory.allocate(LONG, 3);
    how.setAtIndex(LONG, 0, flags);
    how.setAtIndex(LONG, 2, resolve);
    try {
      long descriptor =
          (long)
              there(SYSCALL_OPENAT2)
                  .invokeExact(
                      state, OPENAT2_NUMBER, from, memory.allocateFrom(way), how, how.byteSize());
      return descriptor >= 0 ? (int) descriptor : -CFunction.errno(state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * Opens a held folder, to read its names.
   *
   * @return its descriptor, to be closed
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static int readable(int folder) throws FileSystemException {
    return opened(folder, ".", O_DIRECTORY | O_CLOEXEC);
  }

  /**
   * Opens a file to read it; its descriptor is to be closed. A link is not followed and a pipe not
   * waited for, as who may write in the area can put either there at the right moment.
   *
   * @throws FileSystemException as those of {@code java.nio.file}, and where another program has a
   *     lease of the file, which is not waited for
   */
  public static int readable(Path file) throws FileSystemException {
    return opened(HERE, file.toString(), O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  }

  /**
   * Opens a regular file to read it, and asks what is known of it; no part of the way may be a
   * link, and no pipe is waited for.
   *
   * @param known whether only names count that the kernel knows already, for which it waits for
   *     nothing (Linux 5.12)
   * @param then takes the descriptor over
   * @return null where it is none or cannot be opened so
   */
  static <T> @Nullable T readable(int folder, String way, boolean known, Taking<T> then) {
    try (var arena = Arena.ofConfined()) {
      SegmentAllocator memory = inOnePiece(arena, way);
      MemorySegment state = memory.allocate(Linker.Option.captureStateLayout());
      long resolve = BENEATH_WITHOUT_LINKS | (known ? RESOLVE_CACHED : 0);
      int descriptor =
          tried(memory, state, folder, way, O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, resolve);
      if (descriptor < 0) {
        return null;
      }
      FileStatus status = status(memory, state, descriptor, "", AT_EMPTY_PATH);
      if (status != null && status.isRegularFile()) {
        return then.take(descriptor, status);
      }
      close(descriptor);
      return null;
    }
  }

  /**
   * Walks along a way, which no link leads off, and tells what is at its end.
   *
   * @param folder the descriptor of the folder that the way begins in, and does not leave
   */
  public static Look look(int folder, String way) {
    try (var arena = Arena.ofConfined()) {
      SegmentAllocator memory = inOnePiece(arena, way);
      MemorySegment state = memory.allocate(Linker.Option.captureStateLayout());
      // Without O_NOFOLLOW, by which O_PATH would hold a link at the end in place of refusing it.
      int descriptor = tried(memory, state, folder, way, O_PATH | O_CLOEXEC, BENEATH_WITHOUT_LINKS);
      if (descriptor < 0) {
        return descriptor == -Errno.ENOENT ? Look.Other.NOTHING : Look.Other.UNCLEAR;
      }
      FileStatus status = status(memory, state, descriptor, "", AT_EMPTY_PATH);
      close(descriptor);
      return status == null ? Look.Other.UNCLEAR : new Look.Found(status);
    }
  }

  /** Memory for a walk and a look: a piece for each argument costs as much as a call. */
  private static SegmentAllocator inOnePiece(Arena arena, String way) {
    return SegmentAllocator.slicingAllocator(arena.allocate(SPARE + 3L * way.length(), Long.BYTES));
  }

  /** What becomes of an open file. */
  @FunctionalInterface
  interface Taking<T> {
    T take(int descriptor, FileStatus status);
  }

  /** Holds a folder wherever it is, links followed. */
  public static int folder(Path folder) throws FileSystemException {
    return folder(HERE, folder.toString());
  }

  /** The path by which Java's own calls reach what a descriptor holds. */
  public static Path way(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Gives a descriptor back. */
  public static void close(int descriptor) {
    try {
      int unused = (int) there(CLOSE).invokeExact(descriptor);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * What is known of a member of a folder without opening it; a link is not followed.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static FileStatus status(int folder, String name) throws FileSystemException {
    FileStatus found = find(folder, name);
    if (found == null) {
      throw Errno.failure(Errno.ENOENT, name, null);
    }
    return found;
  }

  /**
   * The same, and null where nothing has the name: an exception for that costs more than the call.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public static @Nullable FileStatus find(int folder, String name) throws FileSystemException {
    int errno;
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      FileStatus status = status(arena, state, folder, name, STATX_NOFOLLOW_NO_AUTOMOUNT);
      if (status != null) {
        return status;
      }
      errno = CFunction.errno(state);
    }
    if (errno == Errno.ENOENT) {
      return null;
    }
    throw Errno.failure(errno, name, null);
  }

  private static @Nullable FileStatus status(
      SegmentAllocator memory, MemorySegment state, int from, String name, int flags) {
    MemorySegment found = memory.allocate(FileStatus.BYTES, Long.BYTES);
    try {
      int failed =
          (int)
              there(STATX)
                  .invokeExact(
                      state, from, memory.allocateFrom(name), flags, STATX_BASIC_AND_BIRTH, found);
      return failed == 0 ? FileStatus.of(found) : null;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }
}
