package dev.staithe.authn.login;

import dev.staithe.authn.password.HashAnswer;
import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.users.Account;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.LdapAnswer;
import dev.staithe.authn.users.LdapUsers;
import dev.staithe.authn.users.StoredUser;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.authn.users.UserName;
import dev.staithe.authn.users.UsersUnavailable;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Judges logins. What is refused for their number is refused before a password is looked at; an
 * unknown name, a wrong password and a disabled user cost the same work and get the same answer.
 * Thread-safe; a call blocks until the answer is there, and is made for a virtual thread.
 */
public final class Logins {
  private final UserDirectory users;
  private final PasswordHash passwords;
  private final HashPool pool;
  private final LoginGuard guard;
  private final OneTimeCodes codes;
  private final LoginSettings settings;
  private final LoginEvents events;
  private final Map<LoginEvent.Outcome, LongAdder> outcomes =
      new EnumMap<>(LoginEvent.Outcome.class);
  private final Map<LoginReason, LongAdder> reasons = new EnumMap<>(LoginReason.class);
  private final LongAdder upgrades = new LongAdder();

  private record Ended(LoginResult result, LoginReason reason) {
    static final Ended WRONG = new Ended(new LoginResult.Refused(), LoginReason.WRONG_PASSWORD);
  }

  /** What the thread of the pool found. */
  private sealed interface Checked {
    record Verified(PasswordHash.Verdict verdict) implements Checked {}

    record LockedMeanwhile(Duration retryAfter) implements Checked {}
  }

  /** Puts the parts together. */
  public Logins(
      UserDirectory users,
      PasswordHash passwords,
      HashPool pool,
      LoginGuard guard,
      OneTimeCodes codes,
      LoginSettings settings,
      LoginEvents events) {
    this.users = users;
    this.passwords = passwords;
    this.pool = pool;
    this.guard = guard;
    this.codes = codes;
    this.settings = settings;
    this.events = events;
    for (LoginEvent.Outcome outcome : LoginEvent.Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
    for (LoginReason reason : LoginReason.values()) {
      reasons.put(reason, new LongAdder());
    }
  }

  /** Judges one. The caller closes the attempt's password afterwards. */
  public LoginResult login(Attempt attempt) {
    return ended(attempt.user(), attempt.address(), () -> judge(attempt));
  }

  /**
   * Judges the second step of a login whose password was found right in the first, as the caller
   * knows for sure.
   *
   * @param user the account's name
   * @param since as the first step told
   * @param code of the second factor, or a recovery code
   */
  public LoginResult secondFactor(
      String user, @Nullable Instant since, String code, InetAddress address) {
    return ended(
        user,
        address,
        () ->
            switch (guard.admit(user, address)) {
              case LoginGuard.Gate.Closed(Duration retryAfter, LoginReason reason) ->
                  new Ended(new LoginResult.Locked(retryAfter), reason);
              case LoginGuard.Gate.Open(LoginGuard.Pass pass) -> {
                Optional<Account> account = users.find(user);
                if (account.isEmpty() || code.isEmpty()) {
                  yield failed(pass, new Ended(new LoginResult.Refused(), LoginReason.WRONG_CODE));
                }
                try (Secret none = Secret.of("")) {
                  yield withPassword(
                      new Attempt(user, none, code, address, true), pass, account.get(), since);
                }
              }
            });
  }

  private interface Judge {
    Ended judge() throws UsersUnavailable;
  }

  private LoginResult ended(String user, InetAddress address, Judge judge) {
    long start = System.nanoTime();
    Ended ended;
    try {
      ended = judge.judge();
    } catch (UsersUnavailable e) {
      ended =
          new Ended(
              new LoginResult.Unavailable(String.valueOf(e.getMessage())), LoginReason.STORE_DOWN);
    }
    LoginEvent.Outcome outcome = outcome(ended.result());
    count(outcomes.get(outcome));
    count(reasons.get(ended.reason()));
    events.happened(
        new LoginEvent(
            UserName.of(user).orElse("?"),
            address,
            outcome,
            ended.reason(),
            Duration.ofNanos(System.nanoTime() - start)));
    return ended.result();
  }

  private Ended judge(Attempt attempt) throws UsersUnavailable {
    // Passwords that a directory checks need no place in the queue.
    Optional<Duration> full = users.ldap().isEmpty() ? pool.full() : Optional.empty();
    if (full.isPresent()) {
      // Before anything is asked of a store: under a flood this is what most attempts cost.
      pool.refuse();
      return new Ended(new LoginResult.Busy(full.get()), LoginReason.QUEUE_FULL);
    }
    switch (guard.admit(attempt.user(), attempt.address())) {
      case LoginGuard.Gate.Closed(Duration retryAfter, LoginReason reason) -> {
        return new Ended(new LoginResult.Locked(retryAfter), reason);
      }
      case LoginGuard.Gate.Open(LoginGuard.Pass pass) -> {
        // Says nothing about the user: it is the same for every name.
        int length = attempt.password().length();
        if (length == 0 || length > PasswordHash.LONGEST_BYTES) {
          return new Ended(new LoginResult.Refused(), LoginReason.NO_PASSWORD);
        }
        JdbcUsers local = users.local();
        Optional<StoredUser> stored = local.findWithHash(attempt.user());
        Optional<LdapUsers> ldap = users.ldap();
        return stored.isEmpty() && ldap.isPresent()
            ? byDirectory(attempt, pass, ldap.get())
            : byHash(attempt, pass, stored.orElse(null));
      }
    }
  }

  // --- passwords that we check -----------------------------------------------------------------

  private Ended byHash(Attempt attempt, LoginGuard.Pass pass, @Nullable StoredUser stored)
      throws UsersUnavailable {
    byte[] password = attempt.password().bytes();
    String hash = stored == null ? null : stored.passwordHash();
    return switch (pool.run(() -> check(pass, hash, password), settings.deadline())) {
      case HashAnswer.Busy<Checked>(Duration retryAfter) ->
          new Ended(new LoginResult.Busy(retryAfter), LoginReason.QUEUE_FULL);
      case HashAnswer.TooLate<Checked>(Duration retryAfter) ->
          new Ended(new LoginResult.Busy(retryAfter), LoginReason.TOO_LATE);
      case HashAnswer.Done<Checked>(Checked.LockedMeanwhile(Duration retryAfter)) ->
          new Ended(new LoginResult.Locked(retryAfter), LoginReason.USER_LOCKED);
      case HashAnswer.Done<Checked>(Checked.Verified(PasswordHash.Verdict verdict)) -> {
        if (verdict != PasswordHash.Verdict.MATCH || stored == null) {
          guard.failed(pass);
          yield stored == null
              ? new Ended(new LoginResult.Refused(), LoginReason.UNKNOWN_USER)
              : verdict == PasswordHash.Verdict.UNUSABLE
                  ? new Ended(new LoginResult.Refused(), LoginReason.UNUSABLE_HASH)
                  : Ended.WRONG;
        }
        Ended ended = withPassword(attempt, pass, stored.account(), stored.since());
        if (hash != null && ended.result() instanceof LoginResult.Accepted) {
          upgrade(stored.account().name(), hash, password);
        }
        yield ended;
      }
    };
  }

  /** On a thread of the pool. */
  private Checked check(LoginGuard.Pass pass, @Nullable String hash, byte[] password) {
    Duration locked = guard.begin(pass);
    if (!locked.isZero()) {
      return new Checked.LockedMeanwhile(locked);
    }
    try {
      PasswordHash.Verdict verdict = PasswordHash.Verdict.MISMATCH;
      if (hash == null) {
        passwords.burn(password);
      } else {
        verdict = passwords.verify(hash, password);
      }
      if (verdict != PasswordHash.Verdict.MATCH) {
        guard.failing(pass);
      }
      return new Checked.Verified(verdict);
    } finally {
      guard.over(pass);
    }
  }

  /** Renews a hash that the profile would not make; what does not work now does the next time. */
  private void upgrade(String user, String before, byte[] password) {
    if (!passwords.needsUpgrade(before) || pool.isLoaded()) {
      return;
    }
    try {
      if (pool.run(() -> passwords.make(password), settings.deadline())
              instanceof HashAnswer.Done<String>(String after)
          && users.local().upgradeHash(user, before, after)) {
        upgrades.increment();
      }
    } catch (UsersUnavailable e) {
      // The login is right all the same.
    }
  }

  // --- passwords that a directory checks -------------------------------------------------------

  private Ended byDirectory(Attempt attempt, LoginGuard.Pass pass, LdapUsers ldap)
      throws UsersUnavailable {
    Duration locked = guard.begin(pass);
    if (!locked.isZero()) {
      return new Ended(new LoginResult.Locked(locked), LoginReason.USER_LOCKED);
    }
    LdapAnswer answer;
    try {
      answer = ldap.check(attempt.user(), attempt.password().bytes());
      if (answer instanceof LdapAnswer.Unknown || answer instanceof LdapAnswer.Refused) {
        guard.failing(pass);
      }
    } finally {
      guard.over(pass);
    }
    return switch (answer) {
      case LdapAnswer.Busy busy ->
          new Ended(new LoginResult.Busy(Duration.ofSeconds(1)), LoginReason.QUEUE_FULL);
      case LdapAnswer.Unknown unknown -> {
        guard.failed(pass);
        yield new Ended(new LoginResult.Refused(), LoginReason.UNKNOWN_USER);
      }
      case LdapAnswer.Refused refused -> {
        guard.failed(pass);
        yield Ended.WRONG;
      }
      case LdapAnswer.Matched(Account account) ->
          users.hides(account, attempt.user())
              ? failed(pass, new Ended(new LoginResult.Refused(), LoginReason.UNKNOWN_USER))
              : withPassword(attempt, pass, account, null);
    };
  }

  // --- after the password ----------------------------------------------------------------------

  private Ended withPassword(
      Attempt attempt, LoginGuard.Pass pass, Account account, @Nullable Instant since)
      throws UsersUnavailable {
    if (!account.enabled()) {
      return failed(pass, new Ended(new LoginResult.Refused(), LoginReason.DISABLED));
    }
    String code = attempt.oneTimeCode();
    if (!account.hasSecondFactor()) {
      if (attempt.secondFactor()) {
        return new Ended(
            new LoginResult.SecondFactorNeeded(account, since), LoginReason.NOT_ENROLLED);
      }
      return accepted(
          pass, new LoginResult.Accepted(account, Assurance.PASSWORD, since), LoginReason.PASSWORD);
    }
    if (code == null || code.isEmpty()) {
      if (attempt.secondFactor() || settings.askEnrolled()) {
        // Failures stay: else who knows the password could guess codes for ever, forgiven each
        // time.
        return new Ended(
            new LoginResult.SecondFactorNeeded(account, since), LoginReason.CODE_MISSING);
      }
      return accepted(
          pass, new LoginResult.Accepted(account, Assurance.PASSWORD, since), LoginReason.PASSWORD);
    }
    return switch (guard.admitCode(pass)) {
      case LoginGuard.Gate.Closed(Duration retryAfter, LoginReason reason) ->
          new Ended(new LoginResult.Locked(retryAfter), reason);
      case LoginGuard.Gate.Open(LoginGuard.Pass toCode) -> withCode(toCode, account, since, code);
    };
  }

  private Ended withCode(
      LoginGuard.Pass pass, Account account, @Nullable Instant since, String code)
      throws UsersUnavailable {
    var both = new LoginResult.Accepted(account, Assurance.SECOND_FACTOR, since);
    return switch (judged(pass, account, code)) {
      case CODE -> accepted(pass, both, LoginReason.ONE_TIME_CODE);
      case RECOVERY -> accepted(pass, both, LoginReason.RECOVERY_CODE);
      // Removed since the account was read.
      case NONE ->
          new Ended(new LoginResult.SecondFactorNeeded(account, since), LoginReason.NOT_ENROLLED);
      case WRONG -> {
        guard.failed(pass);
        yield new Ended(new LoginResult.Refused(), LoginReason.WRONG_CODE);
      }
      case REPLAYED -> {
        guard.failed(pass);
        yield new Ended(new LoginResult.Refused(), LoginReason.REPLAYED_CODE);
      }
    };
  }

  /** A failure is noted before the attempt is over: nobody slips in between. */
  private OneTimeCodes.Judgement judged(LoginGuard.Pass pass, Account account, String code)
      throws UsersUnavailable {
    try {
      OneTimeCodes.Judgement judgement = codes.check(account.name(), code);
      if (judgement == OneTimeCodes.Judgement.WRONG
          || judgement == OneTimeCodes.Judgement.REPLAYED) {
        guard.failing(pass);
      }
      return judgement;
    } finally {
      guard.judged(pass);
    }
  }

  private Ended accepted(LoginGuard.Pass pass, LoginResult.Accepted accepted, LoginReason reason)
      throws UsersUnavailable {
    guard.succeeded(pass);
    return new Ended(accepted, reason);
  }

  private Ended failed(LoginGuard.Pass pass, Ended ended) throws UsersUnavailable {
    guard.failing(pass);
    guard.failed(pass);
    return ended;
  }

  // --- metrics ---------------------------------------------------------------------------------

  private static LoginEvent.Outcome outcome(LoginResult result) {
    return switch (result) {
      case LoginResult.Accepted accepted -> LoginEvent.Outcome.ACCEPTED;
      case LoginResult.SecondFactorNeeded needed -> LoginEvent.Outcome.SECOND_FACTOR_NEEDED;
      case LoginResult.Refused refused -> LoginEvent.Outcome.REFUSED;
      case LoginResult.Locked locked -> LoginEvent.Outcome.LOCKED;
      case LoginResult.Busy busy -> LoginEvent.Outcome.BUSY;
      case LoginResult.Unavailable unavailable -> LoginEvent.Outcome.UNAVAILABLE;
    };
  }

  private static void count(@Nullable LongAdder counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  /** How many ended so. */
  public long count(LoginEvent.Outcome outcome) {
    LongAdder counter = outcomes.get(outcome);
    return counter == null ? 0 : counter.sum();
  }

  /** How many ended for that reason. */
  public long count(LoginReason reason) {
    LongAdder counter = reasons.get(reason);
    return counter == null ? 0 : counter.sum();
  }

  /** How many hashes were renewed by the profile. */
  public long upgrades() {
    return upgrades.sum();
  }

  /** The pool, for its own figures. */
  public HashPool pool() {
    return pool;
  }
}
