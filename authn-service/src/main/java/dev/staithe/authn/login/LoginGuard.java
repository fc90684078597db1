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
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Slows guesses down: failures are counted by name and by address in the store of all nodes, and a
 * name or address with too many is locked for a time that doubles. A name that nobody has is
 * treated like any other. What this node knows by itself makes it stricter for a moment, never
 * milder. Thread-safe.
 *
 * <p>A lock by name lets others keep a user out for as long as they go on failing; that is why it
 * is short, and why it ends by itself.
 */
public final class LoginGuard {
  /** How far the clocks of nodes may differ. */
  static final long SKEW_MILLIS = 60_000;

  /** How long a lock is believed without another look at the store, where it may be lifted. */
  private static final long BELIEVED_MILLIS = 5_000;

  private static final int REMEMBERED = 20_000;
  private static final int LONGEST_SUBJECT = 256;

  private final GuardSettings settings;
  private final FailureStore store;
  private final AttemptBuckets buckets;
  private final RecentMap<Known> known = new RecentMap<>(REMEMBERED);
  private final Clock clock;

  /** What this node knows of a subject. */
  private static final class Known {
    private int stored;
    private int unstored;
    private long since;
    private long writes;
    private long lockedUntil;
    private long lookedAt = Long.MIN_VALUE / 2;
  }

  /** Somebody who may try. */
  record Pass(String user, String address, boolean userHasFailures) {}

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
    String user = subject(name);
    long now = clock.millis();
    Duration byUser = believed(user, settings.user(), now);
    Duration byAddress = believed(address, settings.address(), now);
    boolean failures = false;
    if (byUser.isZero() && byAddress.isZero()) {
      long userWrites = writes(user);
      long addressWrites = writes(address);
      Map<String, FailureStore.Failures> found = store.find(user, address);
      FailureStore.Failures ofUser = found.getOrDefault(user, FailureStore.Failures.NONE);
      byUser = learn(user, settings.user(), ofUser, userWrites, now);
      byAddress =
          learn(
              address,
              settings.address(),
              found.getOrDefault(address, FailureStore.Failures.NONE),
              addressWrites,
              now);
      failures = ofUser.failures() > 0;
    }
    if (byAddress.compareTo(byUser) > 0) {
      return new Gate.Closed(byAddress, LoginReason.ADDRESS_LOCKED);
    }
    if (!byUser.isZero()) {
      return new Gate.Closed(byUser, LoginReason.USER_LOCKED);
    }
    return new Gate.Open(new Pass(user, address, failures));
  }

  /**
   * Looks once more, in memory only, just before the work: those who were let in together must not
   * all guess although the first few of them have used up the failures.
   */
  Duration lockedMeanwhile(Pass pass) {
    long now = clock.millis();
    Duration user = remaining(pass.user(), settings.user(), now);
    Duration address = remaining(pass.address(), settings.address(), now);
    return user.compareTo(address) > 0 ? user : address;
  }

  /** Notes a failure at once, in memory; {@link #failed} writes it down. */
  void failing(Pass pass) {
    long now = clock.millis();
    note(pass.user(), settings.user(), now);
    note(pass.address(), settings.address(), now);
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
    write(pass.user(), settings.user());
    write(pass.address(), settings.address());
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

  /** Forgets the failures of the name; those from the address stay. */
  void succeeded(Pass pass) throws UsersUnavailable {
    if (pass.userHasFailures()) {
      store.forget(pass.user());
      forgetHere(pass.user());
    }
  }

  /** Lets a user try again at once; other nodes follow within seconds. */
  public void unlock(String name) throws UsersUnavailable {
    store.forget(subject(name));
    forgetHere(subject(name));
  }

  /** Removes what is forgotten anyway; for one node at a time to call, now and then. */
  public int deleteOld() throws UsersUnavailable {
    long longest =
        Math.max(settings.user().window().toMillis(), settings.address().window().toMillis())
            + Math.max(
                settings.user().longest().toMillis(), settings.address().longest().toMillis());
    return store.forgetBefore(clock.millis() - longest);
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
  private Duration believed(String subject, GuardSettings.Rule rule, long now) {
    return known.with(
        subject,
        Known::new,
        entry ->
            Math.abs(now - entry.lookedAt) <= BELIEVED_MILLIS
                ? remaining(entry.lockedUntil, rule, now)
                : Duration.ZERO);
  }

  private Duration remaining(String subject, GuardSettings.Rule rule, long now) {
    return known.with(subject, Known::new, entry -> remaining(entry.lockedUntil, rule, now));
  }

  private long writes(String subject) {
    return known.with(subject, Known::new, entry -> entry.writes);
  }

  /**
   * Takes over what the store says, unless that was read before a write of this node which is known
   * already; where failures wait to be written, the stricter of both.
   */
  private Duration learn(
      String subject,
      GuardSettings.Rule rule,
      FailureStore.Failures found,
      long writesBefore,
      long now) {
    int failures = FailureStore.isForgotten(found, rule, now) ? 0 : found.failures();
    return known.with(
        subject,
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
  private static String subject(String name) {
    String kept =
        UserName.of(name)
            .orElseGet(() -> name.substring(0, Math.min(name.length(), LONGEST_SUBJECT)));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(("user\0" + kept).getBytes(StandardCharsets.UTF_8));
      return "u:"
          + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 24));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
