package dev.staithe.perf.session;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;

/**
 * Warms nodes of a service by requests, not by time: a node that shares its core with others gets
 * fewer of them in the same time, and its just-in-time compiler would still be at work when nodes
 * that have a core to themselves are through. Not thread-safe.
 */
final class Warmth {
  private static final double PIECE = 3;
  private static final int USERS = 32;
  private static final double LOGOUTS = 0.05;

  private final Bench bench;

  Warmth(Bench bench) {
    this.bench = bench;
  }

  /**
   * The paper's users without a pause, spread over the nodes, on all cores; what is measured later
   * has the server's core only.
   *
   * @param requests for each node
   * @param longest seconds for all of it
   */
  void byUsers(String name, TokenServer server, long requests, double longest) throws IOException {
    run(
        name,
        server,
        requests * server.urls().size(),
        longest,
        Loads.users(server.protocol(), server.urls(), USERS, LOGOUTS, 0));
  }

  /** Logins alone, where they are dear. */
  void byLogins(String name, TokenServer server, long logins, double longest) throws IOException {
    run(name, server, logins, longest, Loads.logins(server, 4));
  }

  private void run(String name, TokenServer server, long wanted, double longest, Load load)
      throws IOException {
    bench.progress().line("warming up " + name);
    bench.cores().move(server.processes(), bench.cores().all());
    long began = System.nanoTime();
    long done = 0;
    double rate = 0;
    try {
      while (done < wanted && (System.nanoTime() - began) / 1e9 < longest) {
        UserTask task = Loads.during(PIECE, load);
        Outcome outcome = bench.perform(task, LeanClientProcess.Watcher.NOBODY);
        rate = outcome.requests() / outcome.seconds();
        // Those before the measured phase warm as well.
        done += outcome.requests() + (long) (rate * task.warmUp());
      }
    } finally {
      bench.cores().move(server.processes(), bench.cores().server());
    }
    bench.remark(
        "%s was warmed up by about %,d requests to each node in %.0f s, at last %.0f/s on all cores."
            .formatted(name, done / server.urls().size(), (System.nanoTime() - began) / 1e9, rate));
  }
}
