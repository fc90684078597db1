package dev.staithe.perf.session;

import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.tokens.TokenServer;
import java.util.List;

/** The loads of the study. */
final class Loads {
  /** Of the paper: a request every 250 ms. */
  static final double PAUSE = 0.25;

  private static final long SEED = 20_261_121;

  private Loads() {}

  /** Tokens are validated again and again, as fast as answers come. */
  static Load validations(TokenServer server, int users) {
    return load("", Load.Kind.VALIDATIONS, server.protocol(), server.urls(), users, 0, 0, 0);
  }

  /** Tokens are validated so often in a second, whatever the service does. */
  static Load validationsAt(TokenServer server, int users, double perSecond) {
    return load(
        "", Load.Kind.VALIDATIONS, server.protocol(), server.urls(), users, 0, 0, perSecond);
  }

  /** One login after the other by each user. */
  static Load logins(TokenServer server, int users) {
    return load("", Load.Kind.LOGINS, server.protocol(), server.urls(), users, 0, 0, 0);
  }

  /** Logins that come whatever the service does, beside what is measured. */
  static Load flood(TokenServer server, int users, double perSecond) {
    return load(
        "flood", Load.Kind.LOGINS, server.protocol(), server.urls(), users, 0, 0, perSecond);
  }

  /**
   * The paper's users.
   *
   * @param q probability of a logout
   * @param pause seconds between an answer and the next request
   */
  static Load users(TokenProtocol protocol, List<String> urls, int users, double q, double pause) {
    return load("", Load.Kind.USERS, protocol, urls, users, q, pause, 0);
  }

  /** The paper's users beside what is measured. */
  static Load background(TokenServer server, int users, double q) {
    return load(
        "background", Load.Kind.USERS, server.protocol(), server.urls(), users, q, PAUSE, 0);
  }

  /** Trials of logouts, so many at a time. */
  static Load lag(TokenServer server, int users, double pause) {
    return load("", Load.Kind.LOGOUT_LAG, server.protocol(), server.urls(), users, 0, pause, 0);
  }

  private static Load load(
      String name,
      Load.Kind kind,
      TokenProtocol protocol,
      List<String> urls,
      int users,
      double q,
      double pause,
      double perSecond) {
    return new Load(
        name,
        kind,
        protocol,
        urls,
        users,
        q,
        pause,
        false,
        perSecond,
        Accounts.USUAL.count(),
        Accounts.USUAL.password());
  }

  /** Measured for some seconds after a short run-up. */
  static UserTask during(double seconds, Load... loads) {
    return new UserTask(List.of(loads), Math.min(1, seconds / 4), seconds, 0, 0, false, SEED);
  }

  /** The same with requests that are begun in time. */
  static UserTask exactly(double seconds, Load... loads) {
    return new UserTask(List.of(loads), Math.min(1, seconds / 4), seconds, 0, 0, true, SEED);
  }
}
