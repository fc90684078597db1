package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Errand;
import dev.staithe.perf.lean.GatewayTask.Protection;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Party;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess.Watcher;
import dev.staithe.perf.services.GatewayServer;
import dev.staithe.perf.services.StaitheGatewayPeer;
import dev.staithe.perf.services.StaitheGatewayPeer.Variant;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Calls through gateways, as contestants and as loads of their own. Not thread-safe. */
final class GatewayCalls {
  /** Enough for one core without a pause. */
  static final int CLIENTS = 8;

  /** About two kilobytes of small elements. */
  static final int PAYLOAD = 2_000;

  /** Contexts that calls are spread over. */
  private static final int CONTEXTS = 200;

  /** Of the article: the same messages go round. */
  private static final int CIRCLE = 64;

  /** Made ahead where nothing is known of the rate yet. */
  private static final int FIRST = 400;

  /** They are in the memory of the client, seven kilobytes each. */
  private static final int MOST = 90_000;

  /** More than are sent in the time, so that it is the time that ends the piece of work. */
  private static final double RESERVE = 1.25;

  private final Bench bench;
  private final GatewayCast cast;
  private final Map<String, Double> rates = new HashMap<>();

  GatewayCalls(Bench bench, GatewayCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /**
   * How calls are made.
   *
   * @param unique whether no message is sent twice
   * @param perSecond 0 for as many as possible
   * @param calls of a session, where the point does not say
   */
  record Manner(
      Errand errand,
      boolean unique,
      int clients,
      double seconds,
      double perSecond,
      int payload,
      int calls,
      boolean keepAlive) {
    /** Closed model, each message once. */
    static Manner honest(double seconds) {
      return new Manner(Errand.CALL, true, CLIENTS, seconds, 0, PAYLOAD, 1, true);
    }

    /** Closed model, few messages again and again. */
    static Manner ofTheArticle(double seconds) {
      return new Manner(Errand.CALL, false, CLIENTS, seconds, 0, PAYLOAD, 1, true);
    }

    /** Something else than calls. */
    Manner errand(Errand other) {
      return new Manner(other, unique, clients, seconds, perSecond, payload, calls, keepAlive);
    }

    /** At fixed times. */
    Manner at(double rate, int most) {
      return new Manner(errand, unique, most, seconds, rate, payload, calls, keepAlive);
    }

    /** A connection for each call. */
    Manner connecting() {
      return new Manner(errand, unique, clients, seconds, perSecond, payload, calls, false);
    }

    /** One client with calls of that size, each secured when the one before was answered. */
    static Manner large(int bytes, double seconds) {
      return new Manner(Errand.SESSION, true, 1, seconds, 0, bytes, 1, true);
    }
  }

  /**
   * Who serves.
   *
   * @param address of the endpoint
   * @param server whose CPU time it is
   */
  record Served(String address, Party server, Protection protection) {}

  /** An endpoint of one of our gateways, where it runs. */
  Optional<Served> ours(Variant variant, String endpoint, Protection protection)
      throws IOException {
    return cast.gateway(variant).map(server -> served(server, endpoint, protection));
  }

  /** An endpoint of Apache CXF, where it runs. */
  Optional<Served> relay(String endpoint, Protection protection) throws IOException {
    return cast.relay().map(server -> served(server, endpoint, protection));
  }

  private static Served served(GatewayServer server, String endpoint, Protection protection) {
    return new Served(server.endpoint(endpoint), server, protection);
  }

  /** nginx that only hands on, where it runs. */
  Optional<Served> proxy() throws IOException {
    return cast.proxy()
        .map(server -> new Served(server.door(Door.HTTP).toString(), server, Protection.PLAIN));
  }

  /** One of them as a contestant. It is warmed first. */
  Optional<Contestant> contestant(String name, Optional<Served> server, Manner manner)
      throws IOException {
    if (server.isEmpty()) {
      return Optional.empty();
    }
    Served served = server.get();
    warm(name, served, manner.unique());
    var calls = Contestant.watched((point, watcher) -> perform(served, manner, point, watcher));
    return Optional.of(bench.contestant(name, served.server(), calls).between(cast.behindCpu()));
  }

  /** Has messages sent, and remembers how fast they were answered. */
  Outcome perform(Served served, Manner manner, Map<String, String> point, Watcher watcher)
      throws IOException {
    Outcome outcome = bench.perform(task(served, manner, point), watcher);
    if (manner.errand() == Errand.CALL && manner.perSecond() == 0 && manner.keepAlive()) {
      reached(served, outcome.requests() / Math.max(0.1, outcome.seconds()));
    }
    return outcome;
  }

  /** The most counts: what a neighbour slowed down says little of the next piece of work. */
  private void reached(Served served, double rate) {
    rates.merge(served.address(), rate, Math::max);
  }

  /** The most calls in a second that it had; 0 where it never had any. */
  double rate(Served served) {
    return rates.getOrDefault(served.address(), 0.0);
  }

  private GatewayTask task(Served served, Manner manner, Map<String, String> point)
      throws IOException {
    boolean plain = served.protection() == Protection.PLAIN;
    return new GatewayTask(
        manner.errand(),
        served.protection(),
        served.address(),
        manner.unique(),
        messages(served, manner),
        manner.clients(),
        manner.seconds(),
        manner.perSecond(),
        manner.payload(),
        Math.max(manner.clients(), bench.form() == Form.SMOKE ? 0 : CONTEXTS),
        Integer.parseInt(point.getOrDefault("calls", "" + manner.calls())),
        manner.keepAlive(),
        "" + bench.site().authority(),
        plain ? "" : "" + cast.caller(),
        plain ? "" : "" + bench.site().certificate(StaitheGatewayPeer.GATEWAY));
  }

  private int messages(Served served, Manner manner) {
    if (manner.errand() != Errand.CALL) {
      return 0;
    }
    if (!manner.unique()) {
      return CIRCLE;
    }
    double rate = manner.perSecond() > 0 ? manner.perSecond() : rate(served);
    return rate == 0
        ? FIRST
        : (int) Math.clamp(rate * manner.seconds() * RESERVE, manner.clients(), MOST);
  }

  /**
   * Has an endpoint serve calls that nobody measures, on all cores, so that it is as warm as one
   * that has run for a while. It is their number that counts, as a slow gateway gets fewer of them
   * in the same time. A second time nothing is done.
   */
  private void warm(String name, Served served, boolean unique) throws IOException {
    if (rates.containsKey(served.address())) {
      return;
    }
    long wanted = bench.form().choose(20_000, 20_000, 200, 20);
    int brief = served.protection() == Protection.PLAIN ? 5 : 15;
    double longest = bench.form().choose(300, brief, 5, 5);
    bench.progress().line("warming " + name + " at " + served.address());
    Errand errand = unique ? Errand.SESSION : Errand.CALL;
    double seconds = bench.form() == Form.SMOKE ? 0.5 : 2;
    Manner warming = new Manner(errand, unique, CLIENTS, seconds, 0, PAYLOAD, 50, true);
    bench.cores().move(served.server().processes(), bench.cores().all());
    long began = System.nanoTime();
    long done = 0;
    try {
      while (done < wanted && (System.nanoTime() - began) / 1e9 < longest) {
        Outcome outcome = perform(served, warming, Map.of(), Watcher.NOBODY);
        if (outcome.requests() == 0) {
          throw new IOException("no call works: " + outcome.failure());
        }
        long answered = outcome.requests() * (unique ? warming.calls() : 1);
        reached(served, answered / Math.max(0.1, outcome.seconds()));
        done += answered;
      }
    } finally {
      bench.cores().move(served.server().processes(), bench.cores().server());
    }
    bench.remark(
        "%s was warmed up by %,d calls in %.0f s on all cores."
            .formatted(name, done, (System.nanoTime() - began) / 1e9));
  }
}
