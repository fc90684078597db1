package dev.staithe.storage.tape;

import dev.staithe.service.process.Chores;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.Locality;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.tape.RecallQueue.Recall;
import dev.staithe.storage.tape.RecallQueue.Subject;
import dev.staithe.storage.tape.RecallQueue.Waiter;
import dev.staithe.storage.tape.StageFile.State;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What callers asked to be staged, from the asking until it is forgotten: recalled a few files at
 * once, by turns of the callers, held on disk for as long as was asked, and let go. A request that
 * was acknowledged goes on after a restart. Safe for use by many threads.
 */
final class StageRequests implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StageRequests.class);

  /** The longest time between two looks at what is over; shorter where a setting promises less. */
  private static final Duration SWEEP = Duration.ofSeconds(30);

  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  /** What came of asking. */
  sealed interface Submitted {
    /** It is kept, and goes on. */
    record Accepted(String id) implements Submitted {}

    /** It is turned away with that status; {@code line} is safe to show. */
    record Refused(int status, String line) implements Submitted {}
  }

  private final TapeSettings settings;
  private final TapeFiles files;
  private final Clock clock;
  private final StageLog kept;
  private final RecallQueue queue;
  private final Map<String, StageRequest> requests = new LinkedHashMap<>();

  /** How many files of each caller have not ended, and how many are known in all. */
  private final Map<String, Integer> openOf = new HashMap<>();

  private final Map<String, Integer> filesOf = new HashMap<>();
  private int open;

  private final Pins pins;
  private final RecallCommand command;
  private boolean closed;
  private long failures;
  private final Chores chores = new Chores("tape-sweep");

  /** Goes on with what is kept in {@code folder}. */
  StageRequests(
      TapeSettings settings, MassStorage storage, TapeFiles files, AreaState folder, Clock clock)
      throws IOException {
    this.settings = settings;
    this.files = files;
    this.clock = new SteadyClock(clock);
    this.kept = new StageLog(folder);
    this.queue = new RecallQueue(settings.running(), settings.runningPerCaller());
    this.pins = new Pins(this, storage, files, kept, queue::has);
    this.command = new RecallCommand(storage, files, pins);
    resume();
    Duration between =
        Stream.of(SWEEP, settings.longestPin(), settings.keepFor())
            .min(Comparator.naturalOrder())
            .orElseThrow();
    chores.every(between, "forgetting requests that are over", this::sweep);
  }

  private synchronized void resume() {
    Instant now = clock.instant();
    for (StageRequest request : kept.found()) {
      Map<StageFile, String> failed = new HashMap<>();
      for (StageFile file : request.files()) {
        if (file.finished != null && file.finished.isAfter(now)) {
          file.finished = now; // The clock was ahead: what is promised begins now at the latest.
        }
        boolean held = file.state == State.COMPLETED && !file.released;
        if (!file.ended() || held && file.subject == null) {
          look(file).ifPresent(line -> failed.put(file, line));
        }
      }
      enter(request, failed);
    }
    int left = open;
    if (left > 0) {
      log.info("{} files that were asked to be staged are recalled now", left);
    }
    startMore();
    pins.goOn();
  }

  /** Finds out which file it is; gives why it cannot be staged. */
  private Optional<String> look(StageFile file) {
    try {
      return switch (files.find(file.path)) {
        case TapeFiles.Found.Refused refused -> Optional.of(refused.line());
        case TapeFiles.Found.There there -> {
          boolean onDiskAlone = there.locality() == Locality.DISK || !there.mayBeOnTape();
          file.subject = onDiskAlone ? null : there.subject();
          yield Optional.empty();
        }
      };
    } catch (IOException e) {
      log.warn("a file to be staged cannot be looked at: {}", e.toString());
      return Optional.of("the storage area cannot be read at present");
    }
  }

  /** Takes up a request, in which those files have failed already. */
  private void enter(StageRequest request, Map<StageFile, String> failed) {
    requests.put(request.id(), request);
    filesOf.merge(request.caller(), request.files().size(), Integer::sum);
    Instant now = clock.instant();
    for (StageFile file : request.files()) {
      if (file.ended()) {
        pins.hold(file, now);
        continue;
      }
      open++;
      openOf.merge(request.caller(), 1, Integer::sum);
      String line = failed.get(file);
      Subject subject = file.subject;
      if (line != null) {
        end(request, file, State.FAILED, line);
      } else if (subject == null) {
        end(request, file, State.COMPLETED, null);
      } else {
        file.state = State.SUBMITTED;
        if (queue.join(subject, new Waiter(request, file))) {
          file.state = State.STARTED;
          file.started = now;
        }
      }
    }
  }

  private void end(StageRequest request, StageFile file, State state, @Nullable String error) {
    file.state = state;
    file.error = error;
    Instant now = clock.instant();
    file.finished = now;
    open--;
    openOf.computeIfPresent(request.caller(), (caller, count) -> count > 1 ? count - 1 : null);
    if (state == State.FAILED) {
      failures++;
    }
    pins.hold(file, now);
    kept.changed(request, file);
  }

  /**
   * Takes a request.
   *
   * @param wanted the files in their order, those that are refused already with why
   * @throws IOException where it cannot be kept; then nothing was taken
   */
  Submitted submit(String caller, Map<StageFile, Optional<String>> wanted) throws IOException {
    Map<StageFile, String> failed = new HashMap<>();
    wanted.forEach(
        (file, refusal) -> refusal.or(() -> look(file)).ifPresent(line -> failed.put(file, line)));
    StageRequest request =
        new StageRequest(
            UUID.randomUUID().toString(), caller, clock.instant(), List.copyOf(wanted.keySet()));
    long line;
    synchronized (this) {
      if (closed) {
        return new Submitted.Refused(503, "the server is shutting down");
      }
      int more = request.files().size();
      if (openOf.getOrDefault(caller, 0) + more > settings.waitingPerCaller()) {
        return new Submitted.Refused(429, "too many files of yours are waiting to be staged");
      }
      if (open + more > settings.waiting()) {
        return new Submitted.Refused(503, "too many files are waiting to be staged");
      }
      if (!hasRoom(caller, more)) {
        return new Submitted.Refused(
            429, "too many of your requests are kept: release or delete some");
      }
      line = kept.add(request);
      enter(request, failed);
      startMore();
    }
    try {
      kept.await(line);
    } catch (IOException notKept) {
      // Who asked is told so, and does not know the id by which it could be let go.
      delete(caller, request.id());
      throw notKept;
    }
    return new Submitted.Accepted(request.id());
  }

  /** Forgets the oldest of the caller's ended requests that hold nothing, if there are too many. */
  private boolean hasRoom(String caller, int more) {
    Instant now = clock.instant();
    while (filesOf.getOrDefault(caller, 0) + more > 2 * settings.waitingPerCaller()) {
      Optional<StageRequest> oldest =
          requests.values().stream()
              .filter(each -> each.caller().equals(caller) && each.ended() && !each.holds(now))
              .findFirst();
      if (oldest.isEmpty()) {
        return false;
      }
      forget(oldest.get());
    }
    return true;
  }

  /** A look at a request, if it is the caller's. */
  synchronized <T> Optional<T> look(String caller, String id, Function<StageRequest, T> look) {
    return own(caller, id).map(look);
  }

  private Optional<StageRequest> own(String caller, String id) {
    return Optional.ofNullable(requests.get(id)).filter(each -> each.caller().equals(caller));
  }

  /** Ends what is not there yet of these files; what is ended stays as it is. */
  synchronized boolean cancel(String caller, String id, Set<String> paths) {
    Optional<StageRequest> request = own(caller, id);
    request.ifPresent(
        each -> {
          each.files().stream()
              .filter(file -> paths.contains(file.path))
              .forEach(f -> cancel(each, f));
          startMore();
        });
    return request.isPresent();
  }

  private void cancel(StageRequest request, StageFile file) {
    if (file.ended()) {
      return;
    }
    Subject subject = file.subject;
    if (subject != null) {
      Recall unwanted = queue.leave(subject, new Waiter(request, file));
      if (unwanted != null && unwanted.thread != null) {
        unwanted.thread.interrupt();
      }
    }
    end(request, file, State.CANCELLED, null);
  }

  /** Ends and forgets a request, and lets its files go. */
  synchronized boolean delete(String caller, String id) {
    Optional<StageRequest> request = own(caller, id);
    request.ifPresent(
        each -> {
          each.files().forEach(file -> cancel(each, file));
          forget(each);
          startMore();
        });
    return request.isPresent();
  }

  private void forget(StageRequest request) {
    requests.remove(request.id());
    filesOf.computeIfPresent(
        request.caller(),
        (caller, count) ->
            count > request.files().size()
                ? Integer.valueOf(count - request.files().size())
                : null);
    request.files().forEach(pins::drop);
    kept.forgotten(request);
  }

  /**
   * Lets files go that a request holds; where there is no such request of the caller's, that any of
   * the caller's does: gfal2 makes up a number where its user gives none.
   */
  synchronized void release(String caller, String id, Set<String> paths) {
    List<StageRequest> held =
        own(caller, id)
            .map(List::of)
            .orElseGet(
                () -> requests.values().stream().filter(r -> r.caller().equals(caller)).toList());
    for (StageRequest request : held) {
      for (StageFile file : request.files()) {
        if (paths.contains(file.path) && file.state == State.COMPLETED && !file.released) {
          file.released = true;
          pins.drop(file);
          kept.changed(request, file);
        }
      }
    }
  }

  private void startMore() {
    Recall next;
    while (!closed
        && (next =
                queue.next(
                    recall ->
                        Thread.ofVirtual().name("tape-recall").unstarted(() -> recall(recall))))
            != null) {
      Instant now = clock.instant();
      for (Waiter waiter : next.waiters) {
        waiter.file().state = State.STARTED;
        waiter.file().started = now;
        kept.changed(waiter.request(), waiter.file());
      }
      if (next.thread != null) {
        next.thread.start();
      }
    }
  }

  private void recall(Recall recall) {
    String error = command.run(recall.subject);
    boolean came = error == null || command.came(recall.subject);
    synchronized (this) {
      // Whoever interrupts does so under this guard, and what is written here must not break off.
      boolean unused = Thread.interrupted();
      if (closed) {
        return; // what is kept says that it goes on
      }
      queue.ended(recall);
      for (Waiter waiter : recall.waiters) {
        if (recall.abandoned && error != null) {
          waiter.file().state = State.SUBMITTED;
          queue.join(recall.subject, waiter);
        } else {
          end(
              waiter.request(),
              waiter.file(),
              error == null ? State.COMPLETED : State.FAILED,
              error);
        }
      }
      if (came && (recall.abandoned || error != null)) {
        pins.dropUnwanted(recall.subject);
      }
      startMore();
    }
  }

  /** Lets go what was held as long as was asked, and forgets what ended long ago. */
  private synchronized void sweep() {
    Instant now = clock.instant();
    pins.dropOver(now);
    for (StageRequest request : new ArrayList<>(requests.values())) {
      if (request.ended() && request.files().stream().allMatch(file -> isOver(file, now))) {
        forget(request);
      }
    }
    kept.tidy(requests.values());
  }

  private boolean isOver(StageFile file, Instant now) {
    return file.finished != null
        && file.finished.plus(settings.keepFor()).isBefore(now)
        && !file.isPinned(now);
  }

  /** Files that are recalled now. */
  synchronized int running() {
    return queue.running();
  }

  /** Files whose recall is to come. */
  synchronized int waiting() {
    return queue.waiting();
  }

  /** Files held on disk for requests. */
  synchronized int pinned() {
    return pins.count();
  }

  /** Files that could not be staged since the start, once for each request. */
  synchronized long failed() {
    return failures;
  }

  /** Ends the commands; what is not there yet is gone on with after a restart. */
  @Override
  public void close() throws IOException {
    List<Thread> ending = new ArrayList<>();
    synchronized (this) {
      closed = true;
      pins.close();
      for (Recall recall : queue.all()) {
        if (recall.thread != null) {
          recall.thread.interrupt();
          ending.add(recall.thread);
        }
      }
    }
    chores.close();
    try {
      for (Thread thread : ending) {
        thread.join(LONGEST_END);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kept.close();
  }
}
