package dev.staithe.storage.posix;

import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.StagedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The room in a file system, less what running writers have announced and not yet written, so that
 * two uploads that fit one by one but not together are not both begun. Nobody waits here.
 */
final class Space {
  /** Bytes that a writer who announced none sets aside at once. */
  private static final long STEP = 8 << 20;

  /**
   * Where a copy by the kernel shares the blocks of the file that it is of, as it is made today.
   */
  private static final Set<String> SHARING = Set.of("xfs", "btrfs", "bcachefs");

  /** File systems that one machine has for itself. */
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "bcachefs", "f2fs", "zfs", "tmpfs", "overlay");

  /**
   * A copy that shares goes on in multiples of this, which those of every file system's blocks are.
   */
  private static final long STRIDE = 1 << 20;

  private static final String SHARE =
      "your uploads under way have all the space that one caller's may: end some, or wait";

  private final java.nio.file.FileStore fileSystem;
  private final AtomicLong announced = new AtomicLong();
  private final boolean sharing;
  private final String device;
  private final long keepFree;
  private final StagedBytes staged;
  private final AreaUsage usage;

  Space(Path folder, long keepFree, StagedBytes staged, AreaUsage usage) throws IOException {
    this.fileSystem = Files.getFileStore(folder);
    this.sharing = SHARING.contains(fileSystem.type());
    this.device = device(Files.readAttributes(folder, BasicFileAttributes.class));
    this.keepFree = keepFree;
    this.staged = staged;
    this.usage = usage;
  }

  /** The part of a file's key that says on which device it is. */
  private static String device(BasicFileAttributes file) {
    return String.valueOf(file.fileKey()).replaceFirst(",.*", "");
  }

  /** Bytes that an upload could still announce. */
  long available() throws IOException {
    return Math.max(
        0, Math.min(fileSystem.getUsableSpace() - keepFree - announced.get(), usage.left()));
  }

  /** Bytes that running writers have announced and not yet written. */
  long announced() {
    return announced.get();
  }

  /** The kind of file system, where no other machine can have it too. */
  Optional<String> local() {
    return Optional.of(fileSystem.type()).filter(LOCAL::contains);
  }

  /** Bytes of the file system, in use or not. */
  long total() throws IOException {
    return fileSystem.getTotalSpace();
  }

  /**
   * Sets {@code bytes} aside, where they fit and are within the caller's share. An upload that
   * announces nothing needs room for one byte.
   *
   * @param caller for whom, unique; null where it is for nobody's upload
   */
  Outcome<Reservation> reserve(@Nullable String caller, long bytes) throws IOException {
    Refusal why = take(caller, Math.max(1, bytes), bytes);
    if (why == null) {
      return new Outcome.Done<>(new Reservation(caller, bytes));
    }
    return why == Refusal.TOO_MANY && !staged.fits(bytes, room())
        ? new Outcome.Refused<>(Refusal.NO_SPACE, "more than one caller may have under way here")
        : new Outcome.Refused<>(why, why == Refusal.TOO_MANY ? SHARE : why.text());
  }

  private long room() throws IOException {
    return fileSystem.getUsableSpace() - keepFree - announced.get();
  }

  /** Why {@code needed} bytes may not be used; null where {@code bytes} are counted from now on. */
  private @Nullable Refusal take(@Nullable String caller, long needed, long bytes)
      throws IOException {
    long most = Math.max(needed, bytes);
    if (!usage.reserve(most)) {
      return Refusal.NO_SPACE;
    }
    long held = 0;
    try {
      Refusal why = takeRoom(caller, needed, bytes);
      held = why == null ? bytes : 0;
      return why;
    } finally {
      usage.hold(held - most);
    }
  }

  private @Nullable Refusal takeRoom(@Nullable String caller, long needed, long bytes)
      throws IOException {
    while (true) {
      long before = announced.get();
      long room = fileSystem.getUsableSpace() - keepFree - before;
      if (needed > room) {
        return Refusal.NO_SPACE;
      }
      if (!staged.take(caller, bytes, room)) {
        return Refusal.TOO_MANY;
      }
      if (announced.compareAndSet(before, before + bytes)) {
        return null;
      }
      staged.give(caller, bytes);
    }
  }

  /** What one writer has announced and not yet written. Safe for use by many threads. */
  final class Reservation implements AutoCloseable {
    private final @Nullable String caller;

    /** Set aside and not yet written. */
    private final AtomicLong left;

    /** Of these, for which the file has its blocks: the file system counts them already. */
    private final AtomicLong blocks = new AtomicLong();

    /** Of the caller's share, written or not. */
    private final AtomicLong staging;

    /** Of the quota alone. */
    private final AtomicLong shared = new AtomicLong();

    private Reservation(@Nullable String caller, long bytes) {
      this.caller = caller;
      this.left = new AtomicLong(bytes);
      this.staging = new AtomicLong(bytes);
    }

    /**
     * Sees to it that so many bytes, about to be written, are set aside. What was not announced is
     * taken in steps, so that the file system is not asked for each buffer.
     *
     * @throws NoSpaceException where they do not fit, or are more than the caller's share
     */
    void need(long bytes) throws IOException {
      long missing = bytes - left.get();
      if (missing <= 0) {
        return;
      }
      long step = Math.max(missing, STEP);
      if (take(caller, step, step) == null) {
        taken(step);
        return;
      }
      Refusal why = take(caller, missing, missing);
      if (why != null) {
        throw new NoSpaceException(why == Refusal.TOO_MANY ? SHARE : NoSpaceException.NONE_LEFT);
      }
      taken(missing);
    }

    /** Whether a copy of this file, made by the kernel, takes next to none of the room here. */
    boolean shares(BasicFileAttributes file) {
      return sharing && device.equals(device(file));
    }

    /**
     * Sets so many bytes of the area's quota aside and none of its room, for a copy that {@link
     * #shares}.
     *
     * @throws NoSpaceException where they are more than is left of the quota
     */
    void share(long bytes) throws NoSpaceException {
      if (bytes > 0 && !usage.reserve(bytes)) {
        throw new NoSpaceException(NoSpaceException.NONE_LEFT);
      }
      shared.addAndGet(bytes);
    }

    /**
     * How much of a copy that {@link #shares} may be made next. Each step is no longer than what is
     * free, so that one which shares nothing after all (a file system made without it) ends where
     * what is kept free begins.
     *
     * @param most bytes, positive
     * @throws NoSpaceException where not even the file system's own records have room
     */
    long step(long most) throws IOException {
      long strides = room() / STRIDE;
      if (strides <= 0) {
        throw new NoSpaceException(NoSpaceException.NONE_LEFT);
      }
      return Math.min(most, strides * STRIDE);
    }

    private void taken(long bytes) {
      left.addAndGet(bytes);
      staging.addAndGet(bytes);
    }

    /** So many that are written are counted elsewhere from now on. */
    void passOn(long bytes) {
      long before = staging.getAndUpdate(s -> Math.max(0, s - bytes));
      staged.give(caller, Math.min(before, bytes));
      usage.hold(-Math.min(before, bytes));
    }

    /**
     * The file has got its blocks for so many, which it is yet to be given: the file system counts
     * them from now on. Once, before any is written.
     *
     * @param bytes no more than are set aside
     */
    void allocated(long bytes) {
      blocks.set(bytes);
      announced.addAndGet(-bytes);
    }

    /** They are written: from now on the file system counts them, if it did not before. */
    void used(long bytes) {
      long before = left.getAndUpdate(l -> Math.max(0, l - bytes));
      long written = Math.min(before, bytes);
      long counted = blocks.getAndUpdate(b -> Math.max(0, b - written));
      announced.addAndGet(Math.min(counted, written) - written);
    }

    @Override
    public void close() {
      announced.addAndGet(blocks.getAndSet(0) - left.getAndSet(0));
      long mine = staging.getAndSet(0);
      staged.give(caller, mine);
      usage.hold(-mine - shared.getAndSet(0));
    }
  }
}
