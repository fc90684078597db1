package dev.staithe.storage.objects;

import dev.staithe.storage.files.FileStore.Room;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.StagedBytes;
import org.jspecify.annotations.Nullable;

/**
 * What files take, and what uploads under way hold. No engine tells what room it has: one pebibyte
 * more is told, and that it is full is known when it says so. Safe for use by many threads.
 */
final class ObjectRoom {
  private static final long ASSUMED = 1L << 50;

  private final StagedBytes staged;
  private final AreaUsage usage;

  /**
   * @param percent of the room that the uploads under way of one caller may take
   */
  ObjectRoom(int percent, AreaUsage.Count remembered) {
    this.staged = new StagedBytes(percent);
    this.usage = new AreaUsage(Long.MAX_VALUE, remembered);
  }

  AreaUsage usage() {
    return usage;
  }

  /** What one upload holds; for one thread. */
  final class Share implements AutoCloseable {
    private final @Nullable String caller;
    private long held;

    private Share(@Nullable String caller, long held) {
      this.caller = caller;
      this.held = held;
    }

    /** Whose it is; all that are nobody's are one caller's. */
    String caller() {
      return caller == null ? "" : caller;
    }

    /** So many bytes in all have come. */
    void reach(long written) throws NoSpaceException {
      if (!announce(written)) {
        throw new NoSpaceException("the caller's uploads under way hold its share of the room");
      }
    }

    /** So many bytes in all will come, and are held from now on; false where they are too many. */
    boolean announce(long bytes) {
      if (bytes > held) {
        if (!staged.take(caller, bytes - held, ASSUMED)) {
          return false;
        }
        held = bytes;
      }
      return true;
    }

    /** So many bytes there are, and no others are on their way. */
    void settle(long bytes) {
      if (caller != null) {
        staged.add(caller, bytes - held);
      }
      held = bytes;
    }

    @Override
    public void close() {
      settle(0);
    }
  }

  /** Holds so many bytes for a caller; null where they are more than its share. */
  @Nullable Share share(@Nullable String caller, long bytes) {
    return staged.take(caller, bytes, ASSUMED) ? new Share(caller, bytes) : null;
  }

  /** What a caller holds already, whatever its share is. */
  Share left(String caller, long bytes) {
    Share share = new Share(caller, 0);
    share.settle(bytes);
    return share;
  }

  Room room() {
    AreaUsage.Count count = usage.count();
    return new Room(
        ASSUMED,
        0,
        staged.all(),
        staged.most(),
        count.used(),
        count.files(),
        count.used() + ASSUMED);
  }
}
