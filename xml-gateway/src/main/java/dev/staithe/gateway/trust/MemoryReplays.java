package dev.staithe.gateway.trust;

import dev.staithe.wss.Findings;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one gateway has seen. Marks lie in parts by their first byte, each with a lock of its own,
 * and within a part by the second in which they may be forgotten; each new mark forgets a few old
 * ones, so that no message pays for all. None is forgotten before so much time has passed as it had
 * when it came: a clock that is ahead for a while makes no message good again. A mark takes about
 * 180 bytes.
 */
public final class MemoryReplays implements ReplayCache {
  private static final int PARTS = 64;
  private static final int FORGOTTEN_AT_ONCE = 4;

  /** Whatever a message says of its age, and wherever the clock goes: so long at least. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /**
   * A mark.
   *
   * @param untilNanos by elapsed time
   */
  private record Kept(ByteBuffer key, long untilNanos) {}

  private static final class Part {
    // Guarded by the part.
    final Set<ByteBuffer> marks = new HashSet<>();
    final TreeMap<Long, ArrayDeque<Kept>> bySecond = new TreeMap<>();

    /** How many it forgot that may be forgotten at that second, and by elapsed time. */
    int forget(long now, long nanos, int most) {
      int forgotten = 0;
      while (forgotten < most) {
        Map.Entry<Long, ArrayDeque<Kept>> first = bySecond.firstEntry();
        if (first == null || first.getKey() >= now) {
          return forgotten;
        }
        ArrayDeque<Kept> old = first.getValue();
        while (forgotten < most && !old.isEmpty()) {
          if (old.getFirst().untilNanos() - nanos > 0) {
            return forgotten;
          }
          marks.remove(old.removeFirst().key());
          forgotten++;
        }
        if (old.isEmpty()) {
          bySecond.remove(first.getKey());
        }
      }
      return forgotten;
    }
  }

  private final int most;
  private final Clock clock;
  private final LongSupplier elapsed;
  private final Instant start;
  private final long startNanos;
  private final AtomicInteger size = new AtomicInteger();
  private final List<Part> parts = Stream.generate(Part::new).limit(PARTS).toList();

  /**
   * An empty cache.
   *
   * @param most marks, at least 1
   */
  public MemoryReplays(int most, Clock clock) {
    this(most, clock, System::nanoTime);
  }

  MemoryReplays(int most, Clock clock, LongSupplier elapsed) {
    if (most < 1) {
      throw new IllegalArgumentException("a replay cache has room");
    }
    this.most = most;
    this.clock = clock;
    this.elapsed = elapsed;
    this.start = clock.instant();
    this.startNanos = elapsed.getAsLong();
  }

  @Override
  public Mark mark(List<Findings.Once> once) {
    for (Findings.Once each : once) {
      Mark mark = mark(each);
      if (!(mark instanceof Mark.First)) {
        return mark;
      }
    }
    return new Mark.First();
  }

  private Mark mark(Findings.Once once) {
    Instant now = clock.instant();
    Instant least = now.plus(LEAST);
    Instant until = once.until().isBefore(least) ? least : once.until();
    long nanos = elapsed.getAsLong();
    ByteBuffer key = ByteBuffer.wrap(once.digest());
    Kept kept = new Kept(key, nanos + Duration.between(now, until).toNanos());
    Part part = parts.get(Math.floorMod(key.get(0), PARTS));
    synchronized (part) {
      size.addAndGet(-part.forget(now.getEpochSecond(), nanos, FORGOTTEN_AT_ONCE));
      if (part.marks.contains(key)) {
        return new Mark.Replay();
      }
      if (reserve()) {
        remember(part, kept, until.getEpochSecond());
        return new Mark.First();
      }
    }
    // Locks are taken one at a time.
    for (Part each : parts) {
      synchronized (each) {
        size.addAndGet(-each.forget(now.getEpochSecond(), nanos, Integer.MAX_VALUE));
      }
    }
    synchronized (part) {
      if (part.marks.contains(key)) {
        return new Mark.Replay();
      }
      if (!reserve()) {
        return new Mark.Unavailable("the replay cache is full with " + most);
      }
      remember(part, kept, until.getEpochSecond());
      return new Mark.First();
    }
  }

  private boolean reserve() {
    if (size.incrementAndGet() <= most) {
      return true;
    }
    size.decrementAndGet();
    return false;
  }

  private static void remember(Part part, Kept kept, long until) {
    part.marks.add(kept.key());
    part.bySecond.computeIfAbsent(until, second -> new ArrayDeque<>(4)).add(kept);
  }

  /**
   * Its start as the clock has it now: one that is set right afterwards tells another time of it.
   */
  @Override
  public Instant since() {
    Instant expected = start.plusNanos(elapsed.getAsLong() - startNanos);
    Duration set = Duration.between(expected, clock.instant());
    // Clients write times in whole seconds.
    return (set.abs().compareTo(LEAST) < 0 ? start : start.plus(set))
        .truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public int size() {
    return size.get();
  }

  @Override
  public @Nullable String trouble() {
    return size.get() < most ? null : "the replay cache is full with " + most;
  }

  @Override
  public void close() {}
}
