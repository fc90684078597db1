package dev.staithe.perf.session;

import dev.staithe.peers.process.Core;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.peers.LoadBalancer;
import dev.staithe.perf.tokens.TokenPeer;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The session services of a study, each started when it is first asked for, to run until it is
 * dismissed. Not thread-safe.
 */
final class TokenCast implements AutoCloseable {
  private final Bench bench;
  private final Map<String, TokenPeer> peers = new LinkedHashMap<>();
  private final Map<String, TokenServer> running = new LinkedHashMap<>();
  private final Map<String, LoadBalancer> balancers = new LinkedHashMap<>();

  TokenCast(Bench bench, List<TokenPeer> peers) {
    this.bench = bench;
    peers.forEach(peer -> this.peers.put(peer.name(), peer));
  }

  /**
   * Those of the named that run. The ones that do not run yet are started beside each other on all
   * cores, for they take minutes; what is measured has the server's core only.
   */
  List<TokenServer> servers(String... names) throws IOException {
    var starting = new LinkedHashMap<String, Future<Optional<TokenServer>>>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String name : names) {
        TokenPeer unasked = running.containsKey(name) ? null : peers.get(name);
        if (unasked != null) {
          bench.progress().line("starting " + name);
          starting.put(name, threads.submit(() -> bench.start(unasked, Core.ANY)));
        }
      }
    }
    for (var started : starting.entrySet()) {
      try {
        Optional<TokenServer> server = started.getValue().get();
        if (server.isEmpty()) {
          peers.remove(started.getKey());
        } else {
          running.put(started.getKey(), server.get());
          bench.cores().move(server.get().processes(), bench.cores().server());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    var servers = new ArrayList<TokenServer>();
    for (String name : names) {
      Optional.ofNullable(running.get(name)).ifPresent(servers::add);
    }
    return servers;
  }

  /** One of them, where it runs. */
  Optional<TokenServer> server(String name) throws IOException {
    return servers(name).stream().findFirst();
  }

  /** A balancer in front of one of them, on the driver's core, where it runs. */
  Optional<LoadBalancer> balancer(String name) throws IOException {
    LoadBalancer known = balancers.get(name);
    Optional<TokenServer> server = server(name);
    if (known != null || server.isEmpty()) {
      return Optional.ofNullable(known);
    }
    var started =
        bench.start(
            "haproxy",
            LoadBalancer.readiness(),
            folder -> LoadBalancer.start(folder, bench.cores().client(), server.get().urls()),
            LoadBalancer::command);
    started.ifPresent(balancer -> balancers.put(name, balancer));
    return started;
  }

  /** What users of a server are to do at a point. */
  interface Behaviour {
    UserTask task(TokenServer server, Map<String, String> point) throws IOException;
  }

  /** Users of a server, as a contestant. */
  Contestant users(String name, TokenServer server, Behaviour behaviour) {
    return bench.visited(name, server, point -> behaviour.task(server, point));
  }

  /**
   * Users of each of the servers that run, ours first.
   *
   * @param servers contestants' names to those of their servers
   */
  List<Contestant> users(Map<String, String> servers, Behaviour behaviour) throws IOException {
    servers(servers.values().stream().sorted().toArray(String[]::new));
    var users = new ArrayList<Contestant>();
    for (var each : servers.entrySet()) {
      server(each.getValue())
          .ifPresent(server -> users.add(users(each.getKey(), server, behaviour)));
    }
    users.sort(
        Comparator.comparing((Contestant each) -> !each.name().startsWith("staithe"))
            .thenComparing(Contestant::name));
    return users;
  }

  /** Ends some that nobody asks for any more: an idle Java service is never quite idle. */
  void dismiss(String... names) {
    for (String name : names) {
      LoadBalancer balancer = balancers.remove(name);
      if (balancer != null) {
        balancer.close();
      }
      TokenServer server = running.remove(name);
      if (server != null) {
        server.close();
      }
    }
  }

  @Override
  public void close() {
    balancers.values().forEach(LoadBalancer::close);
    running.values().forEach(TokenServer::close);
  }
}
