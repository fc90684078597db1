package dev.staithe.storage.linux;

import dev.staithe.http.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a folder in one pass: names by {@code getdents64}, and what is known of each member by its
 * name as it lies in the kernel's answer, with memory that is taken once. Java's own way makes a
 * path of each name, and of that path the name again for each look. For one thread.
 */
public final class FolderReader implements AutoCloseable {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  private static final @Nullable MethodHandle GETDENTS64 =
      CFunction.find(
          "getdents64", FunctionDescriptor.of(LONG, INT, POINTER, LONG), CFunction.ERRNO);
  private static final @Nullable MethodHandle STATX =
      CFunction.find(
          "statx", FunctionDescriptor.of(INT, INT, POINTER, INT, INT, POINTER), CFunction.ERRNO);
  private static final @Nullable MethodHandle GETXATTRAT =
      CFunction.find(
          "syscall",
          FunctionDescriptor.of(LONG, LONG, INT, POINTER, INT, POINTER, POINTER, LONG),
          Linker.Option.firstVariadicArg(1),
          CFunction.ERRNO);

  /** Whether it can be done. */
  public static final boolean AVAILABLE =
      Descriptors.AVAILABLE && CFunction.areThere(GETDENTS64, STATX, GETXATTRAT);

  private static final long GETXATTRAT_NUMBER = 464; // on every processor, from kernel 6.13 on

  private static final int NAMES = 32 << 10;

  /** Of a value; what is longer is looked for in the other way. */
  private static final int VALUE = 256;

  // Of the kernel's struct linux_dirent64.
  private static final int LENGTH_AT = 16;
  private static final int NAME_AT = 19;

  /** Until the kernel says that it does not know the call. */
  private static volatile boolean attributesByName = true;

  private final int descriptor;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment state = CFunction.state(arena);
  private final MemorySegment names = arena.allocate(NAMES, Long.BYTES);
  private final MemorySegment status = arena.allocate(FileStatus.BYTES, Long.BYTES);
  private final MemorySegment value = arena.allocate(VALUE);
  private final MemorySegment where = arena.allocate(LONG, 2);
  private final MemorySegment attribute;
  private long filled;
  private long next;
  private MemorySegment name = MemorySegment.NULL;

  /**
   * @param descriptor open for reading, and closed with this
   * @param attribute a name in the {@code user} namespace
   */
  public FolderReader(int descriptor, String attribute) {
    this.descriptor = descriptor;
    this.attribute = arena.allocateFrom("user." + attribute);
  }

  /**
   * The next name that is UTF-8, or null after the last; the folder itself and the one above it are
   * passed over.
   */
  public @Nullable String next() throws FileSystemException {
    while (next < filled || fill()) {
      long entry = next;
      next += Short.toUnsignedInt(names.get(ValueLayout.JAVA_SHORT, entry + LENGTH_AT));
      name = names.asSlice(entry + NAME_AT, next - entry - NAME_AT);
      int length = 0;
      while (name.get(ValueLayout.JAVA_BYTE, length) != 0) {
        length++;
      }
      byte[] bytes = new byte[length];
      MemorySegment.copy(name, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
      String text = new String(bytes, StandardCharsets.UTF_8);
      boolean utf8 =
          text.indexOf('\uFFFD') < 0 || Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
      if (utf8 && !text.equals(".") && !text.equals("..")) {
        return text;
      }
    }
    return null;
  }

  private boolean fill() throws FileSystemException {
    try {
      filled =
          (long) CFunction.there(GETDENTS64).invokeExact(state, descriptor, names, (long) NAMES);
    } catch (Throwable e) {
      throw CFunction.impossible(e);
    }
    next = 0;
    // The end of a folder that is removed meanwhile, as readdir(3) has it.
    if (filled < 0 && CFunction.errno(state) != Errno.ENOENT) {
      throw failure("the folder");
    }
    return filled > 0;
  }

  /**
   * What is known of the member whose name was given last; a link is not followed.
   *
   * @throws FileSystemException as those of {@code java.nio.file}
   */
  public FileStatus status() throws FileSystemException {
    int failed;
    try {
      failed =
          (int)
              CFunction.there(STATX)
                  .invokeExact(
                      state,
                      descriptor,
                      name,
                      Descriptors.STATX_NOFOLLOW_NO_AUTOMOUNT,
                      Descriptors.STATX_BASIC_AND_BIRTH,
                      status);
    } catch (Throwable e) {
      throw CFunction.impossible(e);
    }
    if (failed != 0) {
      throw failure(name.getString(0));
    }
    return FileStatus.of(status);
  }

  /**
   * The value of the extended attribute of the member whose name was given last.
   *
   * @return empty where it has none; null where that is to be found out in another way
   */
  public @Nullable String attribute() {
    if (!attributesByName) {
      return null;
    }
    long length;
    try {
      where.setAtIndex(LONG, 0, value.address());
      where.setAtIndex(LONG, 1, VALUE); // size, and no flags behind it
      length =
          (long)
              CFunction.there(GETXATTRAT)
                  .invokeExact(
                      state,
                      GETXATTRAT_NUMBER,
                      descriptor,
                      name,
                      Descriptors.AT_SYMLINK_NOFOLLOW,
                      attribute,
                      where,
                      where.byteSize());
    } catch (Throwable e) {
      throw CFunction.impossible(e);
    }
    if (length >= 0) {
      return new String(
          value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
    int errno = CFunction.errno(state);
    attributesByName = errno != Errno.ENOSYS;
    return errno == Errno.ENODATA ? "" : null;
  }

  private FileSystemException failure(String what) {
    return Errno.failure(CFunction.errno(state), what, null);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      Descriptors.close(descriptor);
    }
  }
}
