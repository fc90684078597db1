package dev.staithe.storage.linux;

import dev.staithe.http.CFunction;
import java.io.Closeable;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel for the bytes of a file that are read next (posix_fadvise(2), {@code
 * POSIX_FADV_WILLNEED}), so that a file system of other machines fetches them while those before
 * are encrypted and sent. Nothing but a hint: what fails is as if it had not been asked. For one
 * reader at a time.
 */
public final class ReadAhead implements Closeable {
  private static final int WILL_NEED = 3;

  /**
   * More by one call is cut off: the kernel reads as much ahead as its device or FUSE's is set to.
   */
  private static final int STEP = 128 << 10;

  private static final @Nullable MethodHandle FADVISE =
      CFunction.find(
          "posix_fadvise",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private final int descriptor;
  private final long window;
  private long asked;
  private long end;

  private ReadAhead(int descriptor, long window) {
    this.descriptor = descriptor;
    this.window = window;
  }

  /**
   * For a file that is open already by another descriptor.
   *
   * @param window bytes that are asked for before they are read, at least 2
   * @return null where the kernel cannot be asked
   */
  public static @Nullable ReadAhead of(Path file, long window) {
    if (FADVISE == null || !Descriptors.AVAILABLE) {
      return null;
    }
    try {
      return new ReadAhead(Descriptors.readable(file), window);
    } catch (FileSystemException goneMeanwhile) {
      return null;
    }
  }

  /** Begins with a range; {@code to} is after its last byte. */
  public void expect(long from, long to) {
    asked = from;
    end = to;
    reached(from);
  }

  /** Asks for more once half of what was asked for has been read. */
  public void reached(long position) {
    if (asked < end && asked - position <= window / 2) {
      long next = Math.min(end, position + window);
      for (; asked < next; asked += STEP) {
        advise(asked, Math.min(STEP, next - asked));
      }
    }
  }

  private void advise(long from, long bytes) {
    try {
      int unused = (int) CFunction.there(FADVISE).invokeExact(descriptor, from, bytes, WILL_NEED);
    } catch (Throwable e) {
      throw CFunction.impossible(e);
    }
  }

  @Override
  public void close() {
    Descriptors.close(descriptor);
  }
}
