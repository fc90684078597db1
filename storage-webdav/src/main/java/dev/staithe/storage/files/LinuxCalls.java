package dev.staithe.storage.files;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
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

  /** Bytes of the values that are met most. */
  private static final int USUAL = 256;

  private static final int ENOSPC = 28;
  private static final int ERANGE = 34;
  private static final int EDQUOT = 122;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_OF =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  // Constants, one by one: the compiler looks through them and makes each call a plain one.
  private static final @Nullable MethodHandle OPEN =
      call("open", FunctionDescriptor.of(INT, POINTER, INT), Linker.Option.firstVariadicArg(2));
  private static final @Nullable MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(INT, INT));
  private static final @Nullable MethodHandle FALLOCATE =
      call("fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG), ERRNO);
  private static final @Nullable MethodHandle LGETXATTR =
      call("lgetxattr", FunctionDescriptor.of(LONG, POINTER, POINTER, POINTER, LONG), ERRNO);

  /** Whether the calls can be made. */
  static final boolean AVAILABLE =
      OPEN != null && CLOSE != null && FALLOCATE != null && LGETXATTR != null;

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

  private static @Nullable MethodHandle call(
      String function, FunctionDescriptor type, Linker.Option... options) {
    if (!System.getProperty("os.name").equals("Linux")
        || !LinuxCalls.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(function)
        .map(symbol -> linker.downcallHandle(symbol, type, options))
        .orElse(null);
  }

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
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      int failed = (int) there(FALLOCATE).invokeExact(state, descriptor, KEEP_SIZE, 0L, bytes);
      int errno = (int) ERRNO_OF.get(state, 0L);
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
   * The value of an extended attribute in the {@code user} namespace; links are not followed.
   *
   * @param longest how many bytes are looked for
   * @return absent where there is none, where it is longer, and where it cannot be read
   */
  static byte @Nullable [] attribute(Path file, String name, int longest) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      MemorySegment attribute = arena.allocateFrom(USER + name);
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      // Most values are short, and memory costs more than the call: it is cleared first.
      for (int room = Math.min(USUAL, longest); ; room = longest) {
        MemorySegment value = arena.allocate(room);
        long length =
            (long) there(LGETXATTR).invokeExact(state, path, attribute, value, (long) room);
        if (length >= 0) {
          return value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }
        if (room == longest || (int) ERRNO_OF.get(state, 0L) != ERANGE) {
          return null;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static MethodHandle there(@Nullable MethodHandle call) {
    if (call == null) {
      throw new IllegalStateException("there are no such calls here");
    }
    return call;
  }

  private static IllegalStateException impossible(Throwable e) {
    return new IllegalStateException("a system call could not be made", e);
  }
}
