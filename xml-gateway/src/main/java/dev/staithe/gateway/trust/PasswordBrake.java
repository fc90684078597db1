package dev.staithe.gateway.trust;

import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Slows guesses of passwords down, as {@code authn-service} does: five wrong ones of a user, or
 * fifty from an address, hold that one for half a minute, and each further one for twice as long,
 * up to a quarter of an hour. A user that nobody is is treated like any other, and the right
 * password ends what was counted for its user. Passwords in the clear, digests and derived keys
 * count alike. No more attempts are under way at once than may fail; further ones wait for these,
 * so that many guesses at once are no more than one after the other. Each gateway counts for
 * itself. Thread-safe.
 */
public final class PasswordBrake {
  private static final Rule USER = new Rule(5, Duration.ofHours(12));
  private static final Rule ADDRESS = new Rule(50, Duration.ofMinutes(10));
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final int REMEMBERED = 20_000;

  /** How long one waits for those before it. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Which attempt an engine asks for a password in, whatever thread it runs on. */
  private static final ScopedValue<Attempt> ATTEMPT = ScopedValue.newInstance();

  /**
   * When there is a hold.
   *
   * @param failures that lead to the first
   * @param window after which they are forgotten, from the last of them on
   */
  private record Rule(int failures, Duration window) {}

  private record Failures(int count, long last) {}

  /** A message that is judged. Its fields but the address are guarded by the lock. */
  private static final class Attempt {
    private final String address;
    // Null where no password was asked for yet.
    private @Nullable String user;

    private Attempt(String address) {
      this.address = address;
    }
  }

  /** The attempts of one user or address at this moment. Guarded by the lock. */
  private static final class UnderWay {
    private final Condition change;
    private int places;
    private int waiting;

    private UnderWay(Condition change) {
      this.change = change;
    }
  }

  /** A user who is held; an engine lets it through. */
  private static final class Throttled extends RuntimeException {
    private static final long serialVersionUID = 1;

    Throttled(String line) {
      super(line, null, false, false);
    }
  }

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  // Both guarded by the lock; the first has the oldest first.
  private final Map<String, Failures> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > REMEMBERED;
        }
      };
  private final Map<String, UnderWay> underWay = new HashMap<>();

  /** Nobody has failed yet. */
  public PasswordBrake(Clock clock) {
    this.clock = clock;
  }

  /**
   * Opens a message that may be a guess.
   *
   * @param from where it came from
   * @param opening judges it, and asks {@link #before} for passwords
   */
  public Opening open(InetAddress from, Supplier<Opening> opening) {
    var attempt = new Attempt(address(from));
    Opening opened = null;
    try {
      lookAt(attempt.address, ADDRESS);
      opened = ScopedValue.where(ATTEMPT, attempt).call(opening::get);
      return opened;
    } catch (Throttled e) {
      return new Opening.Refused(Refusal.HELD, String.valueOf(e.getMessage()));
    } finally {
      end(attempt, opened);
    }
  }

  /** A wrong password in a digest or a derived key shows as what does not fit. */
  private static boolean isOfPassword(Refusal reason) {
    return reason == Refusal.AUTHENTICATION
        || reason == Refusal.SIGNATURE
        || reason == Refusal.DECRYPTION;
  }

  /** The same work on another thread, in the same attempt. */
  public static <T> Supplier<T> carried(Supplier<T> work) {
    if (!ATTEMPT.isBound()) {
      return work;
    }
    Attempt attempt = ATTEMPT.get();
    return () -> ScopedValue.where(ATTEMPT, attempt).call(work::get);
  }

  /** Passwords that are told only to who is not held. */
  public Surroundings.Passwords before(Surroundings.Passwords passwords) {
    return new Surroundings.Passwords() {
      @Override
      public boolean check(String username, char[] password) {
        tried(username);
        return passwords.check(username, password);
      }

      @Override
      public byte @Nullable [] of(String username) {
        tried(username);
        return passwords.of(username);
      }
    };
  }

  private void tried(String username) {
    String user = user(username);
    if (ATTEMPT.isBound()) {
      begin(ATTEMPT.get(), user);
    } else {
      lookAt(user, USER);
    }
  }

  private void lookAt(String subject, Rule rule) {
    lock.lock();
    try {
      refuseHeld(subject, rule);
    } finally {
      lock.unlock();
    }
  }

  private void begin(Attempt attempt, String user) {
    lock.lock();
    try {
      if (user.equals(attempt.user)) {
        return;
      }
      if (attempt.user != null) {
        throw new Throttled("a second user in one message");
      }
      long end = System.nanoTime() + PATIENCE.toNanos();
      // Who has a place of an address never waits for one of a user.
      takePlace(user, USER, end);
      try {
        takePlace(attempt.address, ADDRESS, end);
        attempt.user = user;
      } finally {
        if (attempt.user == null) {
          givePlace(user, false);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void end(Attempt attempt, @Nullable Opening opened) {
    lock.lock();
    try {
      String user = attempt.user;
      if (user == null) {
        return;
      }
      boolean right = opened instanceof Opening.Opened;
      boolean wrong = opened instanceof Opening.Refused refused && isOfPassword(refused.reason());
      boolean forgiven = right && known.remove(user) != null;
      if (wrong) {
        failed(user, USER);
        failed(attempt.address, ADDRESS);
      }
      givePlace(user, wrong || forgiven);
      givePlace(attempt.address, wrong);
    } finally {
      lock.unlock();
    }
  }

  /** Waits where all that are under way would use up the failures. */
  private void takePlace(String subject, Rule rule, long end) {
    UnderWay own = underWay.computeIfAbsent(subject, name -> new UnderWay(lock.newCondition()));
    boolean taken = false;
    own.waiting++;
    try {
      refuseHeld(subject, rule);
      while (own.places >= places(subject, rule)) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          throw new Surroundings.Unavailable("too many passwords at once", null);
        }
        own.change.awaitNanos(left);
        refuseHeld(subject, rule);
      }
      own.places++;
      taken = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Surroundings.Unavailable("ended while waiting for other passwords", e);
    } finally {
      own.waiting--;
      if (!taken) {
        // It may have been woken in another's stead.
        leave(subject, own, false);
      }
    }
  }

  private void givePlace(String subject, boolean all) {
    UnderWay own = underWay.get(subject);
    if (own != null) {
      own.places--;
      leave(subject, own, all);
    }
  }

  private void leave(String subject, UnderWay own, boolean all) {
    if (all) {
      own.change.signalAll();
    } else {
      own.change.signal();
    }
    if (own.places == 0 && own.waiting == 0) {
      underWay.remove(subject);
    }
  }

  /** How many may be under way: one, where all failures are used up and the hold is over. */
  private int places(String subject, Rule rule) {
    return Math.max(1, rule.failures() - failures(subject, rule, clock.millis()));
  }

  private void refuseHeld(String subject, Rule rule) {
    Failures failures = known.get(subject);
    if (failures != null && isWithin(hold(failures.count(), rule), failures, clock.millis())) {
      throw new Throttled(
          rule == USER
              ? "too many wrong passwords of the user"
              : "too many wrong passwords from this address");
    }
  }

  private void failed(String subject, Rule rule) {
    long now = clock.millis();
    known.put(subject, new Failures(failures(subject, rule, now) + 1, now));
  }

  private int failures(String subject, Rule rule, long now) {
    Failures failures = known.get(subject);
    return failures != null && isWithin(rule.window(), failures, now) ? failures.count() : 0;
  }

  /** In either direction: a clock that was set back holds nobody until it has caught up. */
  private static boolean isWithin(Duration time, Failures failures, long now) {
    return Math.abs(now - failures.last()) < time.toMillis();
  }

  private static Duration hold(int failures, Rule rule) {
    int over = failures - rule.failures();
    if (over < 0) {
      return Duration.ZERO;
    }
    Duration doubled = FIRST.multipliedBy(1L << Math.min(over, 10));
    return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
  }

  /** RFC 4291 section 2.5.4: the lower 64 bits of IPv6 are the host's own to choose. */
  private static String address(InetAddress from) {
    byte[] bytes = from.getAddress();
    return "a:" + Base64.getEncoder().encodeToString(bytes.length == 16 ? half(bytes) : bytes);
  }

  private static byte[] half(byte[] address) {
    return Arrays.copyOf(address, 8);
  }

  /** A hash: what was typed as a name may have been a password, and may be long. */
  private static String user(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return "u:" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
