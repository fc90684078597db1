package dev.staithe.storage.tpc;

import dev.staithe.storage.remote.CopyResult;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All third-party copies of this server that wait or run, and the last ones that have ended. As
 * many as may wait and run, and no more than {@code kept} others, are held. Safe for use by many
 * threads.
 */
public final class Transfers {
  private final int kept;
  private final Clock clock;
  private final Map<String, Transfer> live = new ConcurrentHashMap<>();
  private final Deque<TransferView> ended = new ArrayDeque<>();

  /**
   * Has none.
   *
   * @param kept how many that have ended are remembered, 0 or more
   */
  public Transfers(int kept, Clock clock) {
    this.kept = kept;
    this.clock = clock;
  }

  Clock clock() {
    return clock;
  }

  void begin(Transfer transfer) {
    live.put(transfer.about().id(), transfer);
  }

  /** It was turned away at the door. */
  void forget(Transfer transfer) {
    live.remove(transfer.about().id());
  }

  void end(Transfer transfer, CopyResult result) {
    TransferView last = transfer.view(result, clock.instant());
    synchronized (ended) {
      // In this order nobody sees neither.
      ended.addFirst(last);
      if (ended.size() > kept) {
        ended.removeLast();
      }
    }
    live.remove(transfer.about().id());
  }

  /** Those that wait or run; the collection may change while it is read. */
  Collection<Transfer> live() {
    return live.values();
  }

  Optional<Transfer> live(String id) {
    return Optional.ofNullable(live.get(id));
  }

  /** Those that have ended, the last one first. */
  List<TransferView> ended() {
    synchronized (ended) {
      return List.copyOf(ended);
    }
  }
}
