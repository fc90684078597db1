package dev.staithe.perf.study;

import dev.staithe.peers.Core;
import dev.staithe.peers.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.peers.TokenPeer;
import dev.staithe.perf.peers.TokenServer;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.scenario.Outcome;
import dev.staithe.perf.scenario.Task;
import dev.staithe.perf.scenario.WatchedTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * What a study works with: a site, a warm lean client, the files of the servers, and the notes of
 * what was found. One thread measures; {@link #results} may be asked for by another at any time.
 */
final class Bench implements AutoCloseable {
  private final Site site;
  private final TestFiles files;
  private final Form form;
  private final Cores cores;
  private final Progress progress;
  private final LeanClientProcess client;
  private final Instant started;
  private final Map<String, String> machine;
  private final long startedNanos = System.nanoTime();
  private final Map<String, Results.Party> parties = new LinkedHashMap<>();
  private final List<Experiment> experiments = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Results.Profile> profiles = new ArrayList<>();
  private final List<Results.Series> series = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int folders;
  private volatile boolean abandoned;

  Bench(Site site, Path work, Form form, Cores cores, Progress progress, Instant started)
      throws IOException {
    this.site = site;
    this.files = new TestFiles(work);
    this.form = form;
    this.cores = cores;
    this.progress = progress;
    this.started = started;
    this.machine = Machine.facts(site.repository(), work);
    this.client = LeanClientProcess.start(cores.client(), work.resolve("lean-client.log"));
    remarks.addAll(cores.remarks());
  }

  Site site() {
    return site;
  }

  TestFiles files() {
    return files;
  }

  Form form() {
    return form;
  }

  Cores cores() {
    return cores;
  }

  Progress progress() {
    return progress;
  }

  /** Nothing is to be begun any more. Any thread may say so. */
  void abandon() {
    abandoned = true;
  }

  /** Whether something can be measured still: not without the lean client. */
  boolean usable() {
    return !abandoned && client.runs();
  }

  /** CPU seconds of the lean client so far. */
  DoubleSupplier clientCpu() {
    return cpu(client.pid());
  }

  /** CPU seconds so far of a server. */
  static DoubleSupplier cpu(RunningPeer server) {
    return () -> CpuClock.ofTrees(server.processes());
  }

  private static DoubleSupplier cpu(long process) {
    return () -> CpuClock.ofTrees(Set.of(process));
  }

  /**
   * Starts a peer on the server's core, or notes why it takes no part.
   *
   * @return empty where it does not run
   */
  Optional<RunningPeer> start(Peer peer) {
    return start(peer, cores.server());
  }

  /** Starts a peer on some cores, or notes why it takes no part. */
  Optional<RunningPeer> start(Peer peer, Core core) {
    return start(
        peer.name(),
        peer.readiness(),
        folder -> peer.start(site, folder, core),
        RunningPeer::command);
  }

  /**
   * Starts a session service, or notes why it takes no part. Any thread may ask.
   *
   * @return empty where it does not run
   */
  Optional<TokenServer> start(TokenPeer peer, Core core) {
    return start(
        peer.name(), peer.readiness(), folder -> peer.start(folder, core), TokenServer::command);
  }

  /** Starts something in an empty folder of its own. */
  interface Starter<T> {
    T start(Path folder) throws IOException;
  }

  /**
   * Starts anything else, or notes why it takes no part. Any thread may ask.
   *
   * @param command how it was started, for the report
   * @return empty where it does not run
   */
  <T> Optional<T> start(
      String name, Readiness readiness, Starter<T> starter, Function<T, String> command) {
    switch (readiness) {
      case Readiness.Missing missing -> absent(name, missing.reason());
      case Readiness.Ready ready -> {
        try {
          T running = starter.start(newFolder(name));
          note(new Results.Party(name, ready.version(), command.apply(running), ""));
          return Optional.of(running);
        } catch (IOException e) {
          if (!usable()) {
            return Optional.empty();
          }
          absent(name, "" + e.getMessage());
        }
      }
    }
    return Optional.empty();
  }

  /** A folder of its own for something that is started. */
  synchronized Path newFolder(String name) throws IOException {
    return files.newFolder(++folders + "-" + name);
  }

  private synchronized void absent(String name, String reason) {
    progress.line(name + " takes no part: " + reason);
    note(new Results.Party(name, "", "", reason));
  }

  /** Notes who takes part besides the peers that were started here. */
  synchronized void note(Results.Party party) {
    parties.put(party.name(), party);
  }

  /** Why a peer takes no part, where it does not. */
  synchronized Optional<String> missing(String peer) {
    return Optional.ofNullable(parties.get(peer))
        .map(Results.Party::missing)
        .filter(reason -> !reason.isEmpty());
  }

  /** One line for each of the named parties that takes no part. */
  List<String> missing(Collection<String> names) {
    return names.stream()
        .flatMap(name -> missing(name).stream().map(reason -> name + ": " + reason))
        .toList();
  }

  synchronized void note(Experiment experiment) {
    experiments.add(experiment);
  }

  synchronized void note(Target target) {
    targets.add(target);
  }

  synchronized void note(Sample sample) {
    samples.add(sample);
  }

  synchronized void note(Results.Profile profile) {
    profiles.add(profile);
  }

  /** A figure that is followed again takes the place of the first. */
  synchronized void note(Results.Series followed) {
    series.removeIf(
        each ->
            each.experiment().equals(followed.experiment()) && each.name().equals(followed.name()));
    series.add(followed);
  }

  synchronized void remark(String line) {
    remarks.add(line);
  }

  /** Has the lean client do something, and waits for the outcome. */
  Outcome perform(Task task) throws IOException {
    return client.perform(task);
  }

  /** Has users do something, and waits for the outcome. */
  Outcome perform(WatchedTask task, LeanClientProcess.Watcher watcher) throws IOException {
    return client.perform(task, watcher);
  }

  /** CPU seconds so far of some processes. */
  static DoubleSupplier cpu(Set<Long> processes) {
    return () -> CpuClock.ofTrees(processes);
  }

  /**
   * A request to a server, once, over one connection.
   *
   * @param file below what it serves
   */
  Task request(RunningPeer server, Door door, String method, String file) {
    URI address = server.door(door);
    return new Task(
        address.resolve(file.replace("{n}", "NUMBER")).toString().replace("NUMBER", "{n}"),
        method,
        server.token().isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + server.token()),
        -1,
        1,
        true,
        1,
        600,
        0,
        site.authority().toString(),
        "conscrypt",
        "",
        "");
  }

  /**
   * Puts a server and the lean client on cores.
   *
   * @param affinity {@code different}, {@code same} or {@code free}
   */
  void place(RunningPeer server, String affinity) throws IOException {
    switch (affinity) {
      case "same" -> {
        cores.move(server.processes(), cores.server());
        cores.move(Set.of(client.pid()), cores.server());
      }
      case "free" -> {
        cores.move(server.processes(), cores.all());
        cores.move(Set.of(client.pid()), cores.all());
      }
      default -> {
        cores.move(server.processes(), cores.server());
        cores.move(Set.of(client.pid()), cores.client());
      }
    }
  }

  /** Takes over what a study in another process found out. */
  synchronized void merge(Results found) {
    found.parties().forEach(this::note);
    experiments.addAll(found.experiments());
    samples.addAll(found.samples());
    remarks.addAll(found.remarks());
  }

  /** What has been found so far. */
  synchronized Results results(String study, boolean complete) {
    return new Results(
        study,
        form.toString(),
        started,
        (System.nanoTime() - startedNanos) / 1e9,
        complete,
        machine,
        List.copyOf(parties.values()),
        List.copyOf(experiments),
        List.copyOf(targets),
        List.copyOf(samples),
        List.copyOf(profiles),
        List.copyOf(series),
        List.copyOf(remarks),
        List.of());
  }

  @Override
  public void close() {
    client.close();
  }
}
