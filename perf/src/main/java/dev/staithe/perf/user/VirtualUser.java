package dev.staithe.perf.user;

import dev.staithe.perf.lean.AnswerReader;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.perf.lean.RequestTally.Phase;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One user of a {@link LoadRun}, with its own connection and its own session. */
final class VirtualUser implements UserConnection.Receiver {
  /** A user gives up after so many failures in a row. */
  private static final int PATIENCE = 20;

  /** So that a service that refuses everything does not make a user spin. */
  private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long AFTER_REFUSAL = TimeUnit.MILLISECONDS.toNanos(10);

  private enum Asked {
    LOGIN(LoadRun.LOGIN),
    VALIDATE(LoadRun.VALIDATE),
    LOGOUT(LoadRun.LOGOUT);

    private final String type;

    Asked(String type) {
      this.type = type;
    }
  }

  private final LoadRun run;
  private final Load load;
  private final TokenRequests requests;
  private final UserConnection connection;
  private final String account;
  private final byte[] login;
  private final RequestTally[] tallies;
  private final RequestTally scheduled;
  private final long pause;
  private TokenRequests.@Nullable Session session;
  private Asked asked = Asked.LOGIN;
  private Phase phase = Phase.WARM;
  private long due;
  private long sent;
  private int failuresInARow;

  VirtualUser(LoadRun run, TokenRequests requests, String account) {
    this.run = run;
    this.load = run.load();
    this.requests = requests;
    this.connection = new UserConnection(run.loop(), requests.address());
    this.account = account;
    this.login = requests.login(account, load.password());
    this.tallies =
        new RequestTally[] {
          run.tally(LoadRun.LOGIN), run.tally(LoadRun.VALIDATE), run.tally(LoadRun.LOGOUT)
        };
    this.scheduled = run.tally(LoadRun.SCHEDULED);
    this.pause = PhaseClock.nanos(load.pause());
  }

  boolean busy() {
    return connection.busy();
  }

  /**
   * Makes its next request.
   *
   * @param time when it should have been made
   */
  void request(long time) {
    long now = System.nanoTime();
    if (run.clock().over(now)) {
      return;
    }
    TokenRequests.Session current = session;
    byte[] whole;
    if (current == null || load.kind() == Load.Kind.LOGINS) {
      asked = Asked.LOGIN;
      whole = login;
    } else if (load.logout() > 0 && run.random().nextDouble() < load.logout()) {
      asked = Asked.LOGOUT;
      whole = current.logout();
    } else {
      asked = Asked.VALIDATE;
      whole = current.validate();
    }
    due = time;
    sent = load.perSecond() > 0 ? time : now;
    phase = run.clock().at(sent);
    if (load.perSecond() > 0) {
      run.tally(LoadRun.BEGUN_LATE).good(phase, now - time);
    }
    connection.send(whole, this);
  }

  /** Ends sessions that nobody uses, one after the other; what becomes of it is not told. */
  void endNext() {
    byte[] logout = run.nextLogout();
    if (logout != null) {
      connection.send(
          logout,
          new UserConnection.Receiver() {
            @Override
            public void answered(AnswerReader answer) {
              endNext();
            }

            @Override
            public void failed(IOException reason) {
              endNext();
            }
          });
    }
  }

  @Override
  public void answered(AnswerReader answer) {
    long now = System.nanoTime();
    int status = answer.status();
    if (status == 429 || status == 503) {
      tally().refused(phase);
      next(now, AFTER_REFUSAL);
      return;
    }
    String objection = take(answer, status);
    if (objection.isEmpty()) {
      failuresInARow = 0;
      tally().good(phase, now - sent);
      if (load.pace() && asked == Asked.VALIDATE) {
        scheduled.good(phase, now - due, pause);
      }
      next(now, 0);
    } else {
      missed(now, objection);
    }
  }

  /** Empty where the answer is as it should be. */
  private String take(AnswerReader answer, int status) {
    boolean good = status / 100 == 2;
    switch (asked) {
      case LOGIN -> {
        session = good ? requests.session(account, answer) : null;
        good = session != null;
        if (session != null && load.kind() == Load.Kind.LOGINS) {
          run.endLater(session.logout());
        }
      }
      case VALIDATE -> {
        good = good && answer.isTrue(load.protocol().valid());
        if (!good) {
          session = null; // whatever has become of it, another is needed
        }
      }
      case LOGOUT -> session = null;
    }
    return good ? "" : asked.type + " was answered " + status + " " + answer.beginning();
  }

  @Override
  public void failed(IOException reason) {
    missed(System.nanoTime(), asked.type + " failed: " + reason.getMessage());
  }

  private void missed(long now, String reason) {
    tally().bad(phase);
    run.failed(reason);
    failuresInARow++;
    next(now, AFTER_FAILURE);
  }

  private RequestTally tally() {
    return tallies[asked.ordinal()];
  }

  /**
   * @param least nanoseconds until the next request, however short the pause is
   */
  private void next(long now, long least) {
    boolean patient = failuresInARow < PATIENCE;
    if (!run.clock().begun()) {
      if (session != null || !patient) {
        run.prepared();
      } else {
        run.loop().at(now + Math.max(least, AFTER_REFUSAL), () -> request(now));
      }
    } else if (load.perSecond() > 0) {
      if (patient) {
        run.free(this);
      }
    } else if (patient) {
      long then;
      if (load.pace() && pause > 0) {
        // Beats that have passed meanwhile are left out.
        then = due + pause * (1 + Math.max(0, (now - due - 1) / pause));
      } else {
        then = now + pause;
      }
      long at = Math.max(then, now + least);
      if (at <= now) {
        request(now);
      } else {
        run.loop().at(at, () -> request(at));
      }
    }
  }
}
