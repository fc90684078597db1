package dev.staithe.storage.tape;

import dev.staithe.storage.tape.RecallQueue.Subject;
import dev.staithe.storage.tape.StageFile.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who holds which file on disk, and the letting go of what nobody holds any more. Its methods are
 * called under the guard that it is given, which it takes itself when it lets go in the background.
 */
final class Pins {
  private static final Logger log = LoggerFactory.getLogger(Pins.class);

  private final Object guard;
  private final MassStorage storage;
  private final TapeFiles files;
  private final StageLog kept;
  private final Predicate<Subject> wanted;
  private final Map<Subject, Set<StageFile>> holders = new HashMap<>();
  private final SequencedSet<Subject> toRelease = new LinkedHashSet<>();
  private boolean releasing;

  /** What a command lets go of now. */
  private @Nullable Subject leaving;

  private boolean closed;

  /**
   * @param kept what is still to be let go, over restarts
   * @param wanted whether somebody waits for a file, who is going to hold it
   */
  Pins(
      Object guard,
      MassStorage storage,
      TapeFiles files,
      StageLog kept,
      Predicate<Subject> wanted) {
    this.guard = guard;
    this.storage = storage;
    this.files = files;
    this.kept = kept;
    this.wanted = wanted;
  }

  /** Holds what is there, as long as was asked; what has run out while nobody looked is let go. */
  void hold(StageFile file, Instant now) {
    Subject subject = file.subject;
    if (subject == null || file.state != State.COMPLETED || file.released) {
      return;
    }
    if (file.isPinned(now)) {
      holders.computeIfAbsent(subject, s -> new HashSet<>()).add(file);
    } else {
      letGo(subject);
    }
  }

  /** Holds it for this request no longer. */
  void drop(StageFile file) {
    Subject subject = file.subject;
    Set<StageFile> others = subject == null ? null : holders.get(subject);
    if (subject == null || others == null || !others.remove(file) || !others.isEmpty()) {
      return;
    }
    holders.remove(subject);
    letGo(subject);
  }

  /** Lets go of what came to disk and nobody holds, being too late: nobody else ever would. */
  void dropUnwanted(Subject subject) {
    if (!holders.containsKey(subject) && !wanted.test(subject)) {
      letGo(subject);
    }
  }

  /** Drops what was held as long as was asked. */
  void dropOver(Instant now) {
    for (Set<StageFile> each : List.copyOf(holders.values())) {
      for (StageFile file : List.copyOf(each)) {
        if (!file.isPinned(now)) {
          drop(file);
        }
      }
    }
  }

  /** How many files are held. */
  int count() {
    return holders.size();
  }

  /** Waits while a command lets go of it: what came before its end would be taken away again. */
  void awaitLeft(Subject subject) throws InterruptedException {
    synchronized (guard) {
      while (subject.equals(leaving)) {
        guard.wait();
      }
    }
  }

  /** Lets go what an earlier run had still to let go. */
  void goOn() {
    kept.owed().forEach(this::letGo);
  }

  /** Lets go of nothing more; the next run does. */
  void close() {
    closed = true;
  }

  private void letGo(Subject subject) {
    toRelease.add(subject);
    kept.owes(subject);
    if (!releasing) {
      releasing = true;
      Thread.ofVirtual().name("tape-release").start(this::releaseAll);
    }
  }

  private void releaseAll() {
    Subject next;
    while ((next = next()) != null) {
      try {
        Optional<Path> name = files.name(next);
        if (name.isPresent()) {
          storage.release(name.get());
        }
      } catch (IOException | RuntimeException e) {
        log.warn("{} of area {} is not released: {}", next.place(), next.area(), e.toString());
      }
      told(next);
    }
  }

  private void told(Subject subject) {
    synchronized (guard) {
      if (!closed && !toRelease.contains(subject)) {
        kept.told(subject);
      }
    }
  }

  private @Nullable Subject next() {
    synchronized (guard) {
      leaving = null;
      guard.notifyAll();
      // Who wants it meanwhile holds it.
      toRelease.removeIf(subject -> holders.containsKey(subject) || wanted.test(subject));
      if (toRelease.isEmpty() || closed) {
        releasing = false;
        return null;
      }
      Subject next = toRelease.removeFirst();
      leaving = next;
      return next;
    }
  }
}
