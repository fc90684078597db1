package dev.staithe.authn.session;

import dev.staithe.authn.persistence.SessionId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A set of 128-bit ids that only grows: open addressing in one array, 16 bytes a slot. One writer
 * at a time; any number of readers without locks, who see an id at the latest when {@link #add} has
 * returned.
 */
final class RevocationTable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int FIRST = 8;

  private volatile long[] slots = new long[2 * FIRST];

  // A first half of zero marks a free slot; an id that begins so (one in 2^64) is kept here.
  private volatile Set<SessionId> odd = Set.of();

  private int size;

  boolean contains(SessionId id) {
    if (id.high() == 0) {
      return odd.contains(id);
    }
    long[] table = slots;
    int mask = table.length / 2 - 1;
    for (int i = start(id, mask); ; i = i + 1 & mask) {
      long high = (long) SLOT.getAcquire(table, 2 * i);
      if (high == 0) {
        return false;
      }
      if (high == id.high() && table[2 * i + 1] == id.low()) {
        return true;
      }
    }
  }

  /** Whether it is new. */
  boolean add(SessionId id) {
    if (contains(id)) {
      return false;
    }
    if (id.high() == 0) {
      Set<SessionId> more = new HashSet<>(odd);
      more.add(id);
      odd = Set.copyOf(more);
    } else {
      int room = slots.length / 2;
      // At most two thirds full: probes stay short.
      if (3 * (size + 1L) > 2L * room) {
        slots = doubled();
      }
      put(slots, id);
    }
    size++;
    return true;
  }

  int size() {
    return size;
  }

  long bytes() {
    return 8L * slots.length + 32;
  }

  void forEach(Consumer<SessionId> action) {
    odd.forEach(action);
    long[] table = slots;
    for (int i = 0; i < table.length; i += 2) {
      if (table[i] != 0) {
        action.accept(new SessionId(table[i], table[i + 1]));
      }
    }
  }

  private long[] doubled() {
    long[] table = new long[slots.length * 2];
    forEach(
        id -> {
          if (id.high() != 0) {
            put(table, id);
          }
        });
    return table;
  }

  private static void put(long[] table, SessionId id) {
    int mask = table.length / 2 - 1;
    int i = start(id, mask);
    while (table[2 * i] != 0) {
      i = i + 1 & mask;
    }
    // The second half first: who sees the first half sees both.
    table[2 * i + 1] = id.low();
    SLOT.setVolatile(table, 2 * i, id.high());
  }

  private static int start(SessionId id, int mask) {
    long mixed = (id.high() ^ Long.rotateLeft(id.low(), 32)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & mask;
  }
}
