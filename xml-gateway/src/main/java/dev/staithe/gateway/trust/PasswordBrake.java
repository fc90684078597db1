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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Slows guesses of passwords down, as {@code authn-service} does: five wrong ones of a user, or
 * fifty from an address, hold that one for half a minute, and each further one for twice as long,
 * up to a quarter of an hour. A user that nobody is is treated like any other, and the right
 * password ends what was counted for its user. Passwords in the clear, digests and derived keys
 * count alike. Each gateway counts for itself. Thread-safe.
 */
public final class PasswordBrake {
  private static final Rule USER = new Rule(5, Duration.ofHours(12));
  private static final Rule ADDRESS = new Rule(50, Duration.ofMinutes(10));
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final int REMEMBERED = 20_000;

  /** Which attempt an engine asks for a password in, whatever thread it runs on. */
  private static final ScopedValue<AtomicReference<String>> ATTEMPT = ScopedValue.newInstance();

  /**
   * When there is a hold.
   *
   * @param failures that lead to the first
   * @param window after which they are forgotten, from the last of them on
   */
  private record Rule(int failures, Duration window) {}

  private record Failures(int count, long last) {}

  /** A user who is held; an engine lets it through. */
  private static final class Held extends RuntimeException {
    private static final long serialVersionUID = 1;

    Held(String line) {
      super(line, null, false, false);
    }
  }

  private final Clock clock;

  // Guarded by itself; the oldest first.
  private final Map<String, Failures> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > REMEMBERED;
        }
      };

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
    String address = address(from);
    if (isHeld(address, ADDRESS)) {
      return new Opening.Refused(Refusal.HELD, "too many wrong passwords from this address");
    }
    var user = new AtomicReference<String>();
    Opening opened;
    try {
      opened = ScopedValue.where(ATTEMPT, user).call(opening::get);
    } catch (Held e) {
      return new Opening.Refused(Refusal.HELD, String.valueOf(e.getMessage()));
    }
    String tried = user.get();
    if (tried != null) {
      if (opened instanceof Opening.Opened) {
        forget(tried);
      } else if (opened instanceof Opening.Refused refused && isOfPassword(refused.reason())) {
        failed(tried, USER);
        failed(address, ADDRESS);
      }
    }
    return opened;
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
    AtomicReference<String> attempt = ATTEMPT.get();
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
    if (isHeld(user, USER)) {
      throw new Held("too many wrong passwords of the user");
    }
    if (ATTEMPT.isBound()) {
      ATTEMPT.get().set(user);
    }
  }

  private boolean isHeld(String subject, Rule rule) {
    synchronized (known) {
      Failures failures = known.get(subject);
      return failures != null
          && clock.millis() < failures.last() + hold(failures.count(), rule).toMillis();
    }
  }

  private void failed(String subject, Rule rule) {
    long now = clock.millis();
    synchronized (known) {
      Failures before = known.get(subject);
      boolean goesOn = before != null && now - before.last() < rule.window().toMillis();
      int count = before != null && goesOn ? before.count() + 1 : 1;
      known.put(subject, new Failures(count, now));
    }
  }

  private void forget(String subject) {
    synchronized (known) {
      known.remove(subject);
    }
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
