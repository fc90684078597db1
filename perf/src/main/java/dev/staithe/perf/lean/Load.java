package dev.staithe.perf.lean;

import java.util.List;

/**
 * One stream of requests of a {@link UserTask}.
 *
 * @param name stands before the names of its request types in the outcome, as {@code flood}; empty
 *     for the main stream
 * @param kind what its users do
 * @param protocol how the service is asked
 * @param urls addresses of nodes, without a slash at the end; users are spread over them in turn
 * @param users how many at once, 1 to 10,000, each with a connection of its own
 * @param logout the probability that a user with a token logs out instead of having it validated
 * @param pause seconds between an answer and the next request of its user (think time), or between
 *     beats with {@code pace}; 0 for at once
 * @param pace whether requests are due at fixed beats; a beat that comes before the answer to the
 *     last one is left out
 * @param perSecond requests that are due in a second, whatever became of earlier ones (open model,
 *     users take turns); 0 for the closed model
 * @param accounts there are {@code user-0} to {@code user-(accounts-1)}
 * @param password of each of them
 */
public record Load(
    String name,
    Kind kind,
    TokenProtocol protocol,
    List<String> urls,
    int users,
    double logout,
    double pause,
    boolean pace,
    double perSecond,
    int accounts,
    String password) {

  /** What the users of a load do. */
  public enum Kind {
    /** Log in, have the token validated, log out at random, log in again: the paper's user. */
    USERS,
    /** Log in before the time begins, then have the token validated again and again. */
    VALIDATIONS,
    /** Log in again and again; the sessions are ended when nothing is measured any more. */
    LOGINS,
    /**
     * Trials, one after the other by each user: log in at one node, have all nodes say that the
     * token is good, log out at the first, and ask all others every {@code pause} until they say
     * that it is not.
     */
    LOGOUT_LAG
  }

  /** Refuses what cannot be done. */
  public Load {
    urls = List.copyOf(urls);
    if (urls.isEmpty() || users < 1 || accounts < 1 || !(logout >= 0 && logout <= 1)) {
      throw new IllegalArgumentException("a load needs addresses, users and accounts");
    }
    if (kind == Kind.LOGOUT_LAG && urls.size() < 2) {
      throw new IllegalArgumentException("the lag of logouts needs two nodes");
    }
  }

  /** The name of a request type in the outcome. */
  public String label(String type) {
    return name.isEmpty() ? type : name + " " + type;
  }
}
