package dev.staithe.http;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library, by Java's foreign function interface ({@code docs/adr/0009}). A
 * handle is best kept in a constant of its own: the compiler looks through it and makes each call a
 * plain one. Stateless.
 */
public final class CFunction {
  /** For functions whose errors are asked for: {@link #errno} of the state that a call is given. */
  public static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

  private static final VarHandle ERRNO_OF =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private CFunction() {}

  /** The first argument of calls that were found with {@link #ERRNO}. */
  public static MemorySegment state(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  /** The number of the error that a call left, errno(3). */
  public static int errno(MemorySegment state) {
    return (int) ERRNO_OF.get(state, 0L);
  }

  /**
   * Finds one.
   *
   * @param type its signature, for which whoever asks answers
   * @return null on other systems than Linux, where the library has none of that name, or where the
   *     runtime forbids native calls
   */
  @SuppressWarnings("restricted") // the signatures are right
  public static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    if (!System.getProperty("os.name").equals("Linux")
        || !CFunction.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(symbol -> linker.downcallHandle(symbol, type, options))
        .orElse(null);
  }

  /** Whether all of them were found. */
  public static boolean areThere(@Nullable MethodHandle... functions) {
    return Arrays.stream(functions).allMatch(Objects::nonNull);
  }

  /**
   * One that is known to have been found.
   *
   * @throws IllegalStateException where it was not
   */
  public static MethodHandle there(@Nullable MethodHandle function) {
    if (function == null) {
      throw new IllegalStateException("there are no such calls here");
    }
    return function;
  }

  /** For what {@link MethodHandle#invokeExact} declares and a right signature never throws. */
  public static IllegalStateException impossible(Throwable e) {
    return new IllegalStateException("a system call could not be made", e);
  }
}
