package dev.staithe.storage.linux;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Numbers of failures (errno(3)), and what Java throws for them. Stateless. */
@SuppressWarnings("restricted") // the text of an error is read at an address
final class Errno {
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final int EACCES = 13;
  static final int EEXIST = 17;
  static final int EXDEV = 18;
  static final int EINVAL = 22;
  static final int ENOSPC = 28;
  static final int ERANGE = 34;
  static final int ENOSYS = 38;
  static final int ELOOP = 40;
  static final int ENODATA = 61;
  static final int EOPNOTSUPP = 95;
  static final int EDQUOT = 122;

  static final @Nullable MethodHandle STRERROR =
      CFunction.find("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

  private Errno() {}

  /** A call that gives 0 where it succeeds. */
  @FunctionalInterface
  interface Call {
    int make(Arena arena, MemorySegment state) throws Throwable;
  }

  /** The number of its failure, 0 for none. */
  static int of(Call call) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      return call.make(arena, state) == 0 ? 0 : CFunction.errno(state);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static void check(Path file, Call call) throws FileSystemException {
    int errno = of(call);
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
