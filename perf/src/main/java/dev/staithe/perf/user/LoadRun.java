package dev.staithe.perf.user;

import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.perf.lean.RequestTally.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A {@link Load} that is being carried out: what its users share. Not thread-safe. */
final class LoadRun {
  static final String LOGIN = "login";
  static final String VALIDATE = "validate";
  static final String LOGOUT = "logout";
  static final String SCHEDULED = "validate from its beat";

  /** How long after its time a request of the open model was begun: the driver's own share. */
  static final String BEGUN_LATE = "begun late";

  /** Logins at a time before the clock begins: what a small machine's hashing bears. */
  private static final int LOGINS_AT_ONCE = 2;

  /** Requests that wait for a free user, beyond which more would tell nothing new. */
  private static final int MOST_WAITING = 100_000;

  private final Load load;
  private final UserLoop loop;
  private final PhaseClock clock;
  private final Random random;
  private final Consumer<String> failures;
  private final Map<String, RequestTally> tallies = new LinkedHashMap<>();
  private final List<VirtualUser> users = new ArrayList<>();
  private final Deque<VirtualUser> unprepared = new ArrayDeque<>();
  private final Deque<VirtualUser> free = new ArrayDeque<>();
  private final Deque<Long> waiting = new ArrayDeque<>();
  private final Deque<byte[]> logouts = new ArrayDeque<>();
  private int preparing;
  private long arrivals;
  private long begun;

  /**
   * @param failures takes what went wrong, one line each
   */
  LoadRun(Load load, UserLoop loop, PhaseClock clock, Random random, Consumer<String> failures) {
    this.load = load;
    this.loop = loop;
    this.clock = clock;
    this.random = random;
    this.failures = failures;
    for (String type : List.of(LOGIN, VALIDATE, LOGOUT, SCHEDULED, BEGUN_LATE)) {
      tallies.put(type, new RequestTally());
    }
    var nodes = load.urls().stream().map(url -> new TokenRequests(load.protocol(), url)).toList();
    for (int i = 0; i < load.users(); i++) {
      String account = "user-" + random.nextInt(load.accounts());
      users.add(new VirtualUser(this, nodes.get(i % nodes.size()), account));
    }
  }

  Load load() {
    return load;
  }

  UserLoop loop() {
    return loop;
  }

  PhaseClock clock() {
    return clock;
  }

  Random random() {
    return random;
  }

  RequestTally tally(String type) {
    RequestTally tally = tallies.get(type);
    if (tally == null) {
      throw new IllegalArgumentException("no such type: " + type);
    }
    return tally;
  }

  Map<String, RequestTally> tallies() {
    return tallies;
  }

  void failed(String reason) {
    failures.accept(reason);
  }

  /** Has users log in that must have a token before the time begins. */
  void prepare() {
    if (load.kind() == Load.Kind.VALIDATIONS) {
      unprepared.addAll(users);
      for (int i = 0; i < LOGINS_AT_ONCE; i++) {
        prepareNext();
      }
    }
  }

  private void prepareNext() {
    VirtualUser next = unprepared.poll();
    if (next != null) {
      preparing++;
      next.request(System.nanoTime());
    }
  }

  /** A user has its token, or has given up. */
  void prepared() {
    preparing--;
    prepareNext();
  }

  boolean isPrepared() {
    return preparing == 0 && unprepared.isEmpty();
  }

  /** The time begins: each user begins somewhere in its pause, or requests arrive. */
  void begin() {
    begun = System.nanoTime();
    if (load.perSecond() > 0) {
      free.addAll(users);
      loop.at(begun, this::arrive);
      return;
    }
    for (VirtualUser user : users) {
      long offset = (long) (random.nextDouble() * load.pause() * 1e9);
      loop.at(begun + offset, () -> user.request(begun + offset));
    }
  }

  private void arrive() {
    long due = begun + (long) (arrivals * 1e9 / load.perSecond());
    if (clock.over(due)) {
      return;
    }
    arrivals++;
    VirtualUser user = free.poll();
    if (user != null) {
      user.request(due);
    } else if (waiting.size() < MOST_WAITING) {
      waiting.add(due);
    }
    loop.at(begun + (long) (arrivals * 1e9 / load.perSecond()), this::arrive);
  }

  /** A user of the open model has its answer. What waits at the end goes on to be waiting. */
  void free(VirtualUser user) {
    if (waiting.isEmpty() || clock.over(System.nanoTime())) {
      free.add(user);
    } else {
      user.request(waiting.remove());
    }
  }

  /** A session that nobody uses is to be ended when all is over. */
  void endLater(byte[] logout) {
    logouts.add(logout);
  }

  /**
   * Ends the sessions that nobody uses, once nothing is measured any more: services keep so many of
   * them and no more.
   */
  void endSessions() {
    users.stream().filter(user -> !user.busy()).forEach(VirtualUser::endNext);
  }

  byte @Nullable [] nextLogout() {
    return logouts.poll();
  }

  /** Whether a request is on the way. */
  boolean busy() {
    return users.stream().anyMatch(VirtualUser::busy);
  }

  /** Requests that should have been begun in the measured phase and never were. */
  long neverBegun() {
    return waiting.stream().filter(due -> clock.at(due) == Phase.MEASURE).count();
  }
}
