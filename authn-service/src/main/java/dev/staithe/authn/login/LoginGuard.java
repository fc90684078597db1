package dev.staithe.authn.login;

import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.UserName;
import dev.staithe.authn.users.UsersUnavailable;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Slows guesses down: failures are counted in the store of all nodes, and who has too many waits
 * for a time that doubles. A name that nobody has is treated like any other. What this node knows
 * by itself makes it stricter for a moment, never milder. Thread-safe.
 *
 * <p>A lock by name alone would let anybody keep a user out. So failures of a name count at the
 * address that they come from, and few of them close that address for that name and nobody else.
 * Against guesses from many addresses those of a name count together too, but many more are
 * allowed, and an address from which the user has logged in is not asked about them. Wrong one-time
 * codes count by name alone, and few are allowed: who gets that far has the password. What is being
 * judged counts as wrong until it is known, or many who come at once would all be judged.
 */
public final class LoginGuard {
  /** How far the clocks of nodes may differ. */
  static final long SKEW_MILLIS = 60_000;

  /** How long a lock is believed without another look at the store, where it may be lifted. */
  private static final long BELIEVED_MILLIS = 5_000;

  /** For whoever comes while another is judged on whom a lock depends. */
  private static final Duration NEXT = Duration.ofSeconds(1);

  private static final int REMEMBERED = 20_000;
  private static final int LONGEST_SUBJECT = 256;
  private static final long DAY_MILLIS = 86_400_000;

  /** How long an address is a user's after the last login from it. */
  private static final long PLACE_MILLIS = 90 * DAY_MILLIS;

  private final GuardSettings settings;
  private final FailureStore store;
  private final AttemptBuckets buckets;
  private final RecentMap<Known> known = new RecentMap<>(REMEMBERED);
  private final Clock clock;

  /** What this node knows of a subject. */
  private static final class Known {
    private int stored;
    private int unstored;
    private int underWay;
    private long since;
    private long writes;
    private long lockedUntil;
    private long lookedAt = Long.MIN_VALUE / 2;
    private long lastLogin;
  }

  /** Failures of what are counted, and when they lock. */
  record Counted(String subject, GuardSettings.Rule rule) {}

  /**
   * Somebody who may try.
   *
   * @param counted where a failure counts
   * @param forgiven what a success forgives
   * @param newPlace whether a success from there is worth a note
   */
  record Pass(
      String user,
      String place,
      String address,
      List<Counted> counted,
      List<String> forgiven,
      boolean newPlace) {}

  /** Whether somebody may try. */
  sealed interface Gate {
    /** Yes. */
    record Open(Pass pass) implements Gate {}

    /** Not now. */
    record Closed(Duration retryAfter, LoginReason reason) implements Gate {}
  }

  /** On the tables of {@code db/users}. */
  public LoginGuard(GuardSettings settings, Database database, Clock clock) {
    this.settings = settings;
    this.store = new FailureStore(database);
    this.buckets = new AttemptBuckets(settings, REMEMBERED, clock);
    this.clock = clock;
  }

  /**
   * Asks for an attempt; costs one read of the store, or nothing where it is known to be locked.
   */
  Gate admit(String name, InetAddress from) throws UsersUnavailable {
    String address = AddressPrefix.of(from);
    Duration wait = buckets.take(address);
    if (!wait.isZero()) {
      return new Gate.Closed(wait, LoginReason.ADDRESS_LIMITED);
    }
    String user = hash(name);
    var here = new Counted("p:" + user + "@" + address.substring(2), settings.user());
    var anywhere = new Counted("u:" + user, settings.strangers());
    var anybody = new Counted(address, settings.address());
    long now = clock.millis();
    Duration byName = believed(here, now);
    if (isStrange(here.subject(), now)) {
      byName = longer(byName, believed(anywhere, now));
    }
    Gate.Closed closed = closed(byName, believed(anybody, now));
    if (closed != null) {
      return closed;
    }
    List<Counted> all = List.of(here, anywhere, anybody);
    List<Long> writes = all.stream().map(each -> writes(each.subject())).toList();
    FailureStore.Found found =
        store.find(all.stream().map(Counted::subject).toList(), here.subject());
    boolean strange = now - lastLogin(here.subject(), found.lastLogin()) > PLACE_MILLIS;
    byName = learn(here, found, writes.getFirst(), now);
    Duration byStrangers = learn(anywhere, found, writes.get(1), now);
    closed =
        closed(
            strange ? longer(byName, byStrangers) : byName,
            learn(anybody, found, writes.getLast(), now));
    if (closed != null) {
      return closed;
    }
    return new Gate.Open(
        new Pass(
            user,
            here.subject(),
            address,
            strange ? all : List.of(here, anybody),
            found.of(here.subject()).failures() > 0 ? List.of(here.subject()) : List.of(),
            now - found.lastLogin() > DAY_MILLIS));
  }

  /**
   * Asks for an attempt at a one-time code, after a password that was right: one more read of the
   * store. Who is let in is to say {@link #judged} afterwards, whatever came of it.
   */
  Gate admitCode(Pass pass) throws UsersUnavailable {
    Counted codes = codes(pass);
    long writes = writes(codes.subject());
    FailureStore.Found found = store.find(List.of(codes.subject()), pass.place());
    long now = clock.millis();
    Gate.Closed closed = closed(learn(codes, found, writes, now), lockedMeanwhile(pass));
    if (closed == null) {
      closed = closed(beginCode(codes, now), Duration.ZERO);
    }
    return closed != null
        ? closed
        : new Gate.Open(
            new Pass(
                pass.user(),
                pass.place(),
                pass.address(),
                List.of(codes, new Counted(pass.address(), settings.address())),
                Stream.concat(pass.forgiven().stream(), found.failures().keySet().stream())
                    .toList(),
                pass.newPlace()));
  }

  private Counted codes(Pass pass) {
    return new Counted("c:" + pass.user(), settings.user());
  }

  /** How long to wait; where that is not at all, one more attempt is under way. */
  private Duration beginCode(Counted counted, long now) {
    GuardSettings.Rule rule = counted.rule();
    return known.with(
        counted.subject(),
        Known::new,
        entry -> {
          // As if all before it that are not known yet had failed.
          int failures = entry.stored + entry.unstored + entry.underWay;
          Duration wait =
              longer(
                  remaining(entry.lockedUntil, rule, now),
                  entry.underWay == 0 ? Duration.ZERO : rule.lock(failures));
          if (wait.isZero()) {
            entry.underWay++;
          }
          return wait;
        });
  }

  /**
   * An attempt at a code that {@link #admitCode} let in is over, and a failure was noted by {@link
   * #failing} before.
   *
   * @param pass that it gave
   */
  void judged(Pass pass) {
    over(codes(pass));
  }

  private static Gate.@Nullable Closed closed(Duration byName, Duration byAddress) {
    if (byAddress.compareTo(byName) > 0) {
      return new Gate.Closed(byAddress, LoginReason.ADDRESS_LOCKED);
    }
    return byName.isZero() ? null : new Gate.Closed(byName, LoginReason.USER_LOCKED);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * Looks once more, in memory only, just before the work: those who were let in together must not
   * all guess although the first few of them have used up the failures.
   */
  Duration lockedMeanwhile(Pass pass) {
    long now = clock.millis();
    Duration longest = Duration.ZERO;
    for (Counted each : pass.counted()) {
      longest = longer(longest, remaining(each, now));
    }
    return longest;
  }

  /**
   * Begins the work of an attempt that was let in, unless there is a lock meanwhile. Once there was
   * one, attempts for a user are judged one at a time: else all who wait together for its end would
   * be. Whoever begins is to say {@link #over} afterwards, whatever came of it.
   *
   * @return how long to wait; zero where it has begun
   */
  Duration begin(Pass pass) {
    long now = clock.millis();
    List<Counted> begun = new ArrayList<>();
    for (Counted each : pass.counted()) {
      // Many come from one address, with right passwords too: that is a matter of its rate.
      Duration wait = beginInTurn(each, !each.subject().equals(pass.address()), now);
      if (!wait.isZero()) {
        begun.forEach(this::over);
        return wait;
      }
      begun.add(each);
    }
    return Duration.ZERO;
  }

  private Duration beginInTurn(Counted counted, boolean oneAtATime, long now) {
    GuardSettings.Rule rule = counted.rule();
    return known.with(
        counted.subject(),
        Known::new,
        entry -> {
          boolean taken =
              oneAtATime && entry.underWay > 0 && entry.stored + entry.unstored >= rule.failures();
          Duration wait =
              longer(remaining(entry.lockedUntil, rule, now), taken ? NEXT : Duration.ZERO);
          if (wait.isZero()) {
            entry.underWay++;
          }
          return wait;
        });
  }

  /**
   * An attempt that has begun is over, and a failure was noted by {@link #failing} before.
   *
   * @param pass with which it began
   */
  void over(Pass pass) {
    pass.counted().forEach(this::over);
  }

  private void over(Counted counted) {
    known.with(
        counted.subject(), Known::new, entry -> entry.underWay = Math.max(0, entry.underWay - 1));
  }

  /** Notes a failure at once, in memory; {@link #failed} writes it down. */
  void failing(Pass pass) {
    long now = clock.millis();
    pass.counted().forEach(each -> note(each.subject(), each.rule(), now));
  }

  private void note(String subject, GuardSettings.Rule rule, long now) {
    known.with(
        subject,
        Known::new,
        entry -> {
          entry.unstored++;
          long lock = rule.lock(entry.stored + entry.unstored).toMillis();
          if (lock > 0) {
            entry.lockedUntil = Math.max(entry.lockedUntil, now + lock);
            entry.lookedAt = now;
          }
          return entry;
        });
  }

  /** Writes down a failure that was noted before. */
  void failed(Pass pass) throws UsersUnavailable {
    for (Counted each : pass.counted()) {
      write(each.subject(), each.rule());
    }
  }

  private void write(String subject, GuardSettings.Rule rule) throws UsersUnavailable {
    long now = clock.millis();
    FailureStore.Failures counted;
    try {
      counted = store.count(subject, rule, now);
    } catch (UsersUnavailable e) {
      // Nobody is let in until the store is back.
      known.with(subject, Known::new, entry -> entry.unstored = Math.max(0, entry.unstored - 1));
      throw e;
    }
    known.with(
        subject,
        Known::new,
        entry -> {
          entry.writes++;
          entry.unstored = Math.max(0, entry.unstored - 1);
          // Of writes that overtake each other the higher count is the newer one.
          boolean newer = counted.since() != entry.since || counted.failures() > entry.stored;
          entry.stored = newer ? counted.failures() : entry.stored;
          entry.since = counted.since();
          entry.lockedUntil = Math.max(entry.lockedUntil, counted.lockedUntil());
          entry.lookedAt = now;
          return entry;
        });
  }

  /**
   * Forgets the failures of the name at that address; those from elsewhere and those of other names
   * stay, or each login of a user would give everybody else new guesses.
   */
  void succeeded(Pass pass) throws UsersUnavailable {
    for (String subject : pass.forgiven()) {
      store.forget(subject);
      forgetHere(subject);
    }
    if (pass.newPlace()) {
      long now = clock.millis();
      store.remember(pass.place(), now);
      lastLogin(pass.place(), now);
    }
  }

  /** Removes what is forgotten anyway; for one node at a time to call, now and then. */
  public int deleteOld() throws UsersUnavailable {
    long longest =
        Stream.of(settings.user(), settings.strangers(), settings.address())
            .mapToLong(rule -> rule.window().plus(rule.longest()).toMillis())
            .max()
            .orElseThrow();
    return store.forgetBefore(clock.millis() - longest)
        + store.forgetPlacesBefore(clock.millis() - PLACE_MILLIS);
  }

  private void forgetHere(String subject) {
    known.with(
        subject,
        Known::new,
        entry -> {
          entry.stored = 0;
          entry.unstored = 0;
          entry.lockedUntil = 0;
          return entry;
        });
  }

  /** The lock that is known here, where that was looked up lately. */
  private Duration believed(Counted counted, long now) {
    return known.with(
        counted.subject(),
        Known::new,
        entry ->
            isNew(entry, now) ? remaining(entry.lockedUntil, counted.rule(), now) : Duration.ZERO);
  }

  private static boolean isNew(Known entry, long now) {
    return Math.abs(now - entry.lookedAt) <= BELIEVED_MILLIS;
  }

  /** Whether it was looked up lately that nobody logs in there. */
  private boolean isStrange(String place, long now) {
    return known.with(
        place, Known::new, entry -> isNew(entry, now) && now - entry.lastLogin > PLACE_MILLIS);
  }

  /** The later one of what is known here and what is told, kept for the next time. */
  private long lastLogin(String place, long told) {
    return known.with(
        place, Known::new, entry -> entry.lastLogin = Math.max(entry.lastLogin, told));
  }

  private Duration remaining(Counted counted, long now) {
    return known.with(
        counted.subject(), Known::new, entry -> remaining(entry.lockedUntil, counted.rule(), now));
  }

  private long writes(String subject) {
    return known.with(subject, Known::new, entry -> entry.writes);
  }

  /**
   * Takes over what the store says, unless that was read before a write of this node which is known
   * already; where failures wait to be written, the stricter of both.
   */
  private Duration learn(Counted counted, FailureStore.Found all, long writesBefore, long now) {
    GuardSettings.Rule rule = counted.rule();
    FailureStore.Failures found = all.of(counted.subject());
    int failures = FailureStore.isForgotten(found, rule, now) ? 0 : found.failures();
    return known.with(
        counted.subject(),
        Known::new,
        entry -> {
          if (entry.writes == writesBefore) {
            entry.stored = failures;
            entry.since = found.since();
            entry.lockedUntil =
                entry.unstored == 0
                    ? found.lockedUntil()
                    : Math.max(entry.lockedUntil, found.lockedUntil());
            entry.lookedAt = now;
          }
          return remaining(entry.lockedUntil, rule, now);
        });
  }

  /** A lock that is longer than any is from a clock that was wrong. */
  private static Duration remaining(long lockedUntil, GuardSettings.Rule rule, long now) {
    long left = lockedUntil - now;
    return left <= 0 || left > rule.longest().toMillis() + SKEW_MILLIS
        ? Duration.ZERO
        : Duration.ofMillis(left);
  }

  /** A hash: what was typed as a name may have been a password. */
  private static String hash(String name) {
    String kept =
        UserName.of(name)
            .orElseGet(() -> name.substring(0, Math.min(name.length(), LONGEST_SUBJECT)));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(("user\0" + kept).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 24));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
