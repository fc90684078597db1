package dev.staithe.storage.files;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The few calls of Linux that Java does not make, or makes at several times their cost. Elsewhere,
 * and where the Java runtime forbids them, {@link #AVAILABLE} is false and nothing here is to be
 * called. Stateless.
 */
@SuppressWarnings("restricted") // calls of the C library, whose signatures are right
final class LinuxCalls {
  private static final String USER = "user.";
  private static final int O_WRONLY_NOFOLLOW_CLOEXEC = 1 | 0400000 | 02000000;
  private static final int KEEP_SIZE = 1;
  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_OF =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final @Nullable Calls CALLS = calls();

  /** Whether the calls can be made. */
  static final boolean AVAILABLE = CALLS != null;

  private record Calls(
      MethodHandle open, MethodHandle close, MethodHandle fallocate, MethodHandle lgetxattr) {}

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

  private static @Nullable Calls calls() {
    if (!System.getProperty("os.name").equals("Linux")
        || !LinuxCalls.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    try {
      Linker linker = Linker.nativeLinker();
      SymbolLookup library = linker.defaultLookup();
      return new Calls(
          linker.downcallHandle(
              library.findOrThrow("open"),
              FunctionDescriptor.of(INT, POINTER, INT),
              Linker.Option.firstVariadicArg(2)),
          linker.downcallHandle(library.findOrThrow("close"), FunctionDescriptor.of(INT, INT)),
          linker.downcallHandle(
              library.findOrThrow("fallocate"),
              FunctionDescriptor.of(INT, INT, INT, LONG, LONG),
              ERRNO),
          linker.downcallHandle(
              library.findOrThrow("lgetxattr"),
              FunctionDescriptor.of(LONG, POINTER, POINTER, POINTER, LONG)));
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static Calls known() {
    Calls calls = CALLS;
    if (calls == null) {
      throw new IllegalStateException("there are no such calls here");
    }
    return calls;
  }

  /**
   * Sets disk space aside for a file without changing its length: writing then finds its blocks
   * there, and cannot fail for want of room.
   *
   * @param file exists, and is no link
   * @param bytes from its beginning, more than 0
   */
  static Room allocate(Path file, long bytes) {
    Calls calls = known();
    try (var arena = Arena.ofConfined()) {
      int descriptor =
          (int)
              calls
                  .open()
                  .invokeExact(arena.allocateFrom(file.toString()), O_WRONLY_NOFOLLOW_CLOEXEC);
      if (descriptor < 0) {
        return Room.UNKNOWN;
      }
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      int failed = (int) calls.fallocate().invokeExact(state, descriptor, KEEP_SIZE, 0L, bytes);
      int errno = (int) ERRNO_OF.get(state, 0L);
      int unused = (int) calls.close().invokeExact(descriptor);
      if (failed == 0) {
        return Room.SET_ASIDE;
      }
      return errno == ENOSPC || errno == EDQUOT ? Room.FULL : Room.UNKNOWN;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /**
   * The value of an extended attribute in the {@code user} namespace; links are not followed.
   *
   * @param longest how many bytes are looked for
   * @return absent where there is none, where it is longer, and where it cannot be read
   */
  static byte @Nullable [] attribute(Path file, String name, int longest) {
    Calls calls = known();
    try (var arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(longest);
      long length =
          (long)
              calls
                  .lgetxattr()
                  .invokeExact(
                      arena.allocateFrom(file.toString()),
                      arena.allocateFrom(USER + name),
                      value,
                      (long) longest);
      return length < 0 ? null : value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static IllegalStateException impossible(Throwable e) {
    return new IllegalStateException("a system call could not be made", e);
  }
}
