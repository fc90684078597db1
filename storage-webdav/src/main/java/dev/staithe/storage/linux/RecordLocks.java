package dev.staithe.storage.linux;

import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Locks of open file descriptions (fcntl(2)), which a file system of several machines shares.
 * Java's own are of the process, and gone with any descriptor of the file. Stateless.
 */
public final class RecordLocks {
  private static final int READ_AND_WRITE = 2; // O_RDWR
  private static final int F_OFD_SETLK = 37;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;
  private static final int FLOCK_BYTES = 32;

  private static final @Nullable MethodHandle FCNTL =
      CFunction.find(
          "fcntl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2),
          CFunction.ERRNO);

  /** Whether there are such locks. */
  public static final boolean AVAILABLE =
      Descriptors.OPENED_AND_CLOSED && CFunction.areThere(FCNTL);

  private RecordLocks() {}

  /**
   * Opens a file, which is no link, to hold locks by; its descriptor is to be closed.
   *
   * @throws FileSystemException where that cannot be
   */
  public static int open(Path file) throws FileSystemException {
    int descriptor = Descriptors.open(file, READ_AND_WRITE);
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
  public static boolean lock(int descriptor, long at, boolean alone) throws FileSystemException {
    int errno = setLock(descriptor, alone ? F_WRLCK : F_RDLCK, at, 1);
    if (errno != 0 && errno != Errno.EAGAIN && errno != Errno.EACCES) {
      throw Errno.failure(errno, "a lock", null);
    }
    return errno == 0;
  }

  /** Gives back all locks of a descriptor, and the descriptor. */
  public static void unlock(int descriptor) {
    // Some file systems of user space free them a moment after the last close only.
    int unused = setLock(descriptor, F_UNLCK, 0, 0);
    Descriptors.close(descriptor);
  }

  /** The number of the failure; a length of 0 reaches to the end of whatever there may be. */
  private static int setLock(int descriptor, short type, long at, long bytes) {
    return Errno.of(
        (arena, state) -> {
          MemorySegment lock = arena.allocate(FLOCK_BYTES, Long.BYTES);
          lock.set(ValueLayout.JAVA_SHORT, 0, type);
          lock.set(ValueLayout.JAVA_LONG, 8, at);
          lock.set(ValueLayout.JAVA_LONG, 16, bytes);
          return (int) there(FCNTL).invokeExact(state, descriptor, F_OFD_SETLK, lock);
        });
  }
}
