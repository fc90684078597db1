package dev.staithe.perf.user;

import dev.staithe.perf.lean.AnswerReader;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.perf.lean.RequestTally.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * How long a token that was logged out at one node is still good at the others: from the answer to
 * the logout to the last answer that accepts the token, zero where none comes after it. Since a
 * node is asked again and again, the true time is longer by one pause between questions at most.
 * Not thread-safe.
 */
final class LagTrials {
  /** Values by trial and node that does not log out. */
  static final String LAG = "logout lag";

  /** A node that has refused so often in a row has learned of the logout. */
  private static final int REFUSALS = 3;

  /** A node that has not learned of it by then never will. */
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(30);

  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

  private final Load load;
  private final UserLoop loop;
  private final PhaseClock clock;
  private final Random random;
  private final Consumer<String> failures;
  private final List<TokenRequests> nodes;
  private final int wanted;
  private final RequestTally lag = new RequestTally();
  private final List<Trial> trials = new ArrayList<>();
  private int begun;
  private int done;

  /**
   * @param wanted how many trials
   */
  LagTrials(
      Load load,
      int wanted,
      UserLoop loop,
      PhaseClock clock,
      Random random,
      Consumer<String> failures) {
    this.load = load;
    this.loop = loop;
    this.clock = clock;
    this.random = random;
    this.failures = failures;
    this.wanted = wanted;
    nodes = load.urls().stream().map(url -> new TokenRequests(load.protocol(), url)).toList();
    IntStream.range(0, load.users()).forEach(i -> trials.add(new Trial()));
  }

  /** Begins once the warm-up is over. */
  void begin() {
    trials.forEach(trial -> loop.at(clock.measureFrom(), trial::begin));
  }

  boolean busy() {
    return trials.stream().anyMatch(trial -> trial.connections.stream().anyMatch(c -> c.busy()));
  }

  Map<String, RequestTally> tallies() {
    var tallies = new LinkedHashMap<String, RequestTally>();
    tallies.put(LAG, lag);
    return tallies;
  }

  private interface Step {
    void take(AnswerReader answer, long now);
  }

  /** One at a time of each user. */
  private final class Trial {
    private final List<UserConnection> connections =
        nodes.stream().map(node -> new UserConnection(loop, node.address())).toList();
    private final long[] accepted = new long[nodes.size()];
    private final int[] refusals = new int[nodes.size()];
    private Map<String, String> kept = Map.of();
    private String account = "";
    private int home;
    private int open;
    private long loggedOut;
    private boolean gaveUp;

    void begin() {
      if (begun >= wanted || clock.over(System.nanoTime())) {
        return;
      }
      begun++;
      home = random.nextInt(nodes.size());
      account = "user-" + random.nextInt(load.accounts());
      ask(home, nodes.get(home).login(account, load.password()), this::loggedIn);
    }

    private void loggedIn(AnswerReader answer, long now) {
      Map<String, String> found =
          answer.status() / 100 == 2 ? nodes.get(home).kept(account, answer) : null;
      if (found == null) {
        if (answer.status() != 503 && answer.status() != 429) {
          failed("login was answered " + answer.status() + " " + answer.beginning());
        } else {
          lag.refused(Phase.MEASURE);
          begun--;
          loop.at(now + AGAIN, this::begin);
        }
        return;
      }
      kept = found;
      open = nodes.size();
      for (int node = 0; node < nodes.size(); node++) {
        untilAccepted(node, now + LONGEST);
      }
    }

    private void untilAccepted(int node, long end) {
      ask(
          node,
          nodes.get(node).validate(kept),
          (answer, now) -> {
            if (accepts(answer)) {
              if (--open == 0) {
                ask(home, nodes.get(home).logout(kept), this::loggedOut);
              }
            } else if (now - end > 0) {
              failed("a node never accepts a session that another has made");
            } else {
              loop.at(now + PhaseClock.nanos(load.pause()), () -> untilAccepted(node, end));
            }
          });
    }

    private void loggedOut(AnswerReader answer, long now) {
      if (answer.status() / 100 != 2) {
        failed("logout was answered " + answer.status() + " " + answer.beginning());
        return;
      }
      loggedOut = now;
      open = nodes.size() - 1;
      for (int node = 0; node < nodes.size(); node++) {
        accepted[node] = now;
        refusals[node] = 0;
        if (node != home) {
          untilRefused(node);
        }
      }
    }

    private void untilRefused(int node) {
      ask(
          node,
          nodes.get(node).validate(kept),
          (answer, now) -> {
            if (accepts(answer)) {
              accepted[node] = now;
              refusals[node] = 0;
            } else if (++refusals[node] == REFUSALS) {
              lag.good(Phase.MEASURE, accepted[node] - loggedOut);
              if (--open == 0) {
                ended();
              }
              return;
            }
            if (now - loggedOut > LONGEST) {
              failed("a node accepts a session long after its logout");
            } else {
              loop.at(now + PhaseClock.nanos(load.pause()), () -> untilRefused(node));
            }
          });
    }

    private boolean accepts(AnswerReader answer) {
      return answer.status() == 200 && answer.isTrue(load.protocol().valid());
    }

    private void ask(int node, byte[] request, Step next) {
      connections
          .get(node)
          .send(
              request,
              new UserConnection.Receiver() {
                @Override
                public void answered(AnswerReader answer) {
                  next.take(answer, System.nanoTime());
                }

                @Override
                public void failed(IOException reason) {
                  Trial.this.failed("" + reason.getMessage());
                }
              });
    }

    /** It is no trial then, and this user makes no more: what is wrong must be seen. */
    private void failed(String reason) {
      lag.bad(Phase.MEASURE);
      failures.accept("trial of a logout: " + reason);
      gaveUp = true;
      count();
    }

    private void ended() {
      count();
      begin();
    }

    private void count() {
      done++;
      if (done >= wanted || trials.stream().allMatch(each -> each.gaveUp)) {
        clock.endMeasure(System.nanoTime());
      }
    }
  }
}
