package dev.staithe.storage.linux;

import static dev.staithe.http.CFunction.impossible;
import static dev.staithe.http.CFunction.there;

import dev.staithe.http.CFunction;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open for reading, held by its descriptor: found by one call from a held folder on,
 * and asked for what the file system knows of it without its name, which may be another's by now.
 * Java's way costs three times as much. Safe for use by many threads.
 */
public final class HeldFile implements Closeable {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  private static final @Nullable MethodHandle PREAD =
      CFunction.find(
          "pread64", FunctionDescriptor.of(LONG, INT, POINTER, LONG, LONG), CFunction.ERRNO);
  private static final @Nullable MethodHandle FGETXATTR =
      CFunction.find(
          "fgetxattr", FunctionDescriptor.of(LONG, INT, POINTER, POINTER, LONG), CFunction.ERRNO);

  private static final @Nullable MethodHandle PREADV2 =
      CFunction.find(
          "preadv2", FunctionDescriptor.of(LONG, INT, POINTER, INT, LONG, INT), CFunction.ERRNO);
  private static final int RWF_NOWAIT = 8;

  /** Whether what is in memory can be read without waiting for what is not. */
  private static final boolean READS_AT_ONCE = CFunction.areThere(PREADV2);

  /** Whether the calls can be made. */
  public static final boolean AVAILABLE =
      Descriptors.AVAILABLE && CFunction.areThere(PREAD, FGETXATTR);

  private final int descriptor;
  private final FileStatus status;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Reads under way, and one more until it is closed: whoever leaves last gives it back. */
  private final AtomicInteger uses = new AtomicInteger(1);

  private HeldFile(int descriptor, FileStatus status) {
    this.descriptor = descriptor;
    this.status = status;
  }

  /**
   * Opens a regular file; neither the way to it nor its own name may be a link. A pipe that
   * somebody put there is not waited for.
   *
   * @param folder the descriptor of the folder that the way begins in, and does not leave
   * @return null where it is none or cannot be opened so; by {@link Descriptors} one finds out why
   */
  public static @Nullable HeldFile open(int folder, String way) {
    return Descriptors.readable(folder, way, false, HeldFile::new);
  }

  /**
   * The same where the kernel finds it without waiting for a disk: on a file system of this
   * machine, where all names of the way were looked up before.
   */
  public static @Nullable HeldFile openAtOnce(int folder, String way) {
    return READS_AT_ONCE ? Descriptors.readable(folder, way, true, HeldFile::new) : null;
  }

  /** Whether nobody has closed it. */
  public boolean isOpen() {
    return !closed.get();
  }

  /** What the file system said of it when it was opened. */
  public FileStatus status() {
    return status;
  }

  /** The path by which Java's own calls reach it while it is open. */
  public Path way() {
    return Descriptors.way(descriptor);
  }

  /**
   * The value of an extended attribute in the {@code user} namespace.
   *
   * @param longest how many bytes are looked for
   * @return absent where there is none, where it is longer, and where it cannot be read, as after
   *     {@link #close}
   */
  public byte @Nullable [] attribute(String name, int longest) {
    if (!enter()) {
      return null;
    }
    try {
      return LinuxFiles.value(
          name,
          longest,
          (state, attribute, value) ->
              (long)
                  there(FGETXATTR)
                      .invokeExact(state, descriptor, attribute, value, value.byteSize()));
    } catch (FileSystemException cannotBeRead) {
      return null;
    } finally {
      leave();
    }
  }

  /**
   * Reads into a direct buffer's remaining space.
   *
   * @return bytes read, -1 at the end
   * @throws ClosedChannelException where it is closed
   */
  public int read(ByteBuffer into, long position) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    if (!enter()) {
      throw new ClosedChannelException();
    }
    long n;
    int errno;
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      MemorySegment space = MemorySegment.ofBuffer(into);
      do {
        n = (long) there(PREAD).invokeExact(state, descriptor, space, space.byteSize(), position);
        errno = n < 0 ? CFunction.errno(state) : 0;
      } while (errno == Errno.EINTR);
    } catch (Throwable e) {
      throw impossible(e);
    } finally {
      leave();
    }
    if (n < 0) {
      throw Errno.failure(errno, "an open file", null);
    }
    into.position(into.position() + (int) n);
    return n == 0 ? -1 : (int) n;
  }

  /**
   * Reads into a direct buffer's remaining space what is in memory.
   *
   * @return bytes read; less than were asked for where the file ends, or the rest would have to be
   *     waited for
   */
  public int readAtOnce(ByteBuffer into, long position) {
    if (!into.hasRemaining() || !enter()) {
      return 0;
    }
    try (var arena = Arena.ofConfined()) {
      MemorySegment space = MemorySegment.ofBuffer(into);
      MemorySegment piece = arena.allocate(POINTER, 2);
      piece.setAtIndex(ValueLayout.ADDRESS, 0, space);
      piece.setAtIndex(LONG, 1, space.byteSize());
      long n =
          (long)
              there(PREADV2)
                  .invokeExact(CFunction.state(arena), descriptor, piece, 1, position, RWF_NOWAIT);
      into.position(into.position() + (int) Math.max(0, n));
      return (int) Math.max(0, n);
    } catch (Throwable e) {
      throw impossible(e);
    } finally {
      leave();
    }
  }

  private boolean enter() {
    return uses.getAndUpdate(now -> now == 0 ? 0 : now + 1) > 0;
  }

  private void leave() {
    if (uses.decrementAndGet() == 0) {
      Descriptors.close(descriptor);
    }
  }

  /** Takes effect when the last read is over: the number is another file's right after. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      leave();
    }
  }
}
