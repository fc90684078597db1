package dev.staithe.perf.harness;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.cpu.Cores;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.Assignment;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Party;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Machine;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.tokens.TokenPeer;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;

/**
 * What a study works with: a site, a warm lean client, the files of the servers, and the notes of
 * what was found. One thread measures; {@link #results} may be asked for by another at any time.
 */
public final class Bench implements AutoCloseable {
  private final Site site;
  private final TestFiles files;
  private final Form form;
  private final Cores cores;
  private final Progress progress;
  private final LeanClientProcess client;
  private final Journal journal;
  private final double budget;
  private final Map<String, String> machine;
  private final long startedNanos = System.nanoTime();
  private final Map<String, Results.Party> parties = new LinkedHashMap<>();
  private final SequencedMap<String, Experiment> experiments = new LinkedHashMap<>();
  private final List<Target> targets = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final SequencedMap<List<String>, Results.Profile> profiles = new LinkedHashMap<>();
  private final SequencedMap<List<String>, Results.Series> series = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();
  private double secondsBefore;
  private boolean leftOut;
  private int folders;
  private volatile boolean abandoned;

  /**
   * @param journal what runs before this one had found, and where this one's is kept
   * @param budget seconds after which nothing more is begun; infinite for none
   */
  public Bench(
      Site site,
      Path work,
      Form form,
      Cores cores,
      Progress progress,
      Journal journal,
      double budget)
      throws IOException {
    this.site = site;
    this.files = new TestFiles(work);
    this.form = form;
    this.cores = cores;
    this.progress = progress;
    this.journal = journal;
    this.budget = budget;
    this.machine = Machine.facts(site.repository(), work);
    this.client = LeanClientProcess.start(cores.client(), work.resolve("lean-client.log"));
    journal.found().forEach(this::restore);
    if (!journal.remark().isEmpty()) {
      progress.line(journal.remark());
      remark(journal.remark());
    }
    cores.remarks().forEach(this::remark);
  }

  private void restore(Journal.Entry entry) {
    if (entry.party() != null) {
      parties.put(entry.party().name(), entry.party());
    }
    if (entry.experiment() != null) {
      put(entry.experiment());
    }
    if (entry.sample() != null) {
      samples.add(entry.sample());
      secondsBefore = entry.seconds() == null ? secondsBefore : entry.seconds();
    }
    if (entry.profile() != null) {
      put(entry.profile());
    }
    if (entry.series() != null) {
      put(entry.series());
    }
    if (entry.remark() != null) {
      remarks.add(entry.remark());
    }
  }

  /** Seconds since this run began. */
  private double elapsed() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  /** Whether there is a budget. */
  boolean isBudgeted() {
    return Double.isFinite(budget);
  }

  /** Whether the budget has as many seconds left. */
  boolean affords(double seconds) {
    return elapsed() + seconds <= budget;
  }

  /** Notes that not all that was asked for is measured. */
  synchronized void leaveOut(String what, String why) {
    leftOut = true;
    progress.skip(what, why);
  }

  /** Notes why an experiment was given up; in no journal, as whoever goes on tries it again. */
  synchronized void giveUp(String experiment, String why) {
    remarks.add(experiment + " was given up: " + why);
    progress.skip(experiment, why);
  }

  /** Whether a run before this one has measured an experiment to its end. */
  boolean has(String experiment) {
    return journal.has(experiment);
  }

  /** Notes that an experiment was measured to its end. */
  public void done(String experiment) {
    journal.write(Map.of("done", experiment));
  }

  /** How often a piece of work was measured before, and whether it need not be again. */
  synchronized boolean has(
      String experiment, String contestant, int round, Map<String, String> point) {
    List<Sample> before =
        samples.stream()
            .filter(
                each ->
                    each.experiment().equals(experiment)
                        && each.contestant().equals(contestant)
                        && each.round() == round
                        && each.point().equals(point))
            .toList();
    return before.size() > form.again()
        || before.stream().anyMatch(each -> each.counts() || each.requests() == 0);
  }

  /** Keys and certificates of all servers. */
  public Site site() {
    return site;
  }

  /** What is sent and fetched. */
  public TestFiles files() {
    return files;
  }

  /** How much of the study is carried out. */
  public Form form() {
    return form;
  }

  /** Which core is whose. */
  public Cores cores() {
    return cores;
  }

  /** What a person who waits is told. */
  public Progress progress() {
    return progress;
  }

  /** Nothing is to be begun any more. Any thread may say so. */
  public void abandon() {
    abandoned = true;
  }

  /** Whether something can be measured still: not without the lean client. */
  public boolean usable() {
    return !abandoned && client.runs();
  }

  /** CPU seconds of the lean client so far. */
  public CpuTime clientCpu() {
    return cpu(client);
  }

  /** CPU seconds so far of a party. */
  public static CpuTime cpu(Party party) {
    return CpuTime.of(party.processes());
  }

  /** CPU seconds so far of a bare process. */
  public static CpuTime cpu(LeanClientProcess bare) {
    return CpuTime.of(Set.of(bare.pid()));
  }

  /** A server that the lean client drives, as a contestant. */
  public Contestant contestant(String name, Party server, Contestant.Work work) {
    return new Contestant(name, cpu(server), clientCpu(), work, () -> {});
  }

  /** What users are to do at a point. */
  public interface Tasks {
    Assignment at(Map<String, String> point) throws IOException;
  }

  /** A server that users visit, as a contestant, measured while their requests count. */
  public Contestant visited(String name, Party server, Tasks tasks) {
    return contestant(
        name, server, Contestant.watched((point, watcher) -> perform(tasks.at(point), watcher)));
  }

  /** A bare process at work, as a contestant. */
  public Contestant contestant(String name, LeanClientProcess bare, Contestant.Work work) {
    return new Contestant(name, cpu(bare), clientCpu(), work, () -> {});
  }

  /**
   * Starts a session service, or notes why it takes no part. Any thread may ask.
   *
   * @return empty where it does not run
   */
  public Optional<TokenServer> start(TokenPeer peer, Core core) {
    return start(
        peer.name(), peer.readiness(), folder -> peer.start(folder, core), TokenServer::command);
  }

  /** Starts something in an empty folder of its own. */
  public interface Starter<T> {
    T start(Path folder) throws IOException;
  }

  /**
   * Starts anything else, or notes why it takes no part. Any thread may ask.
   *
   * @param command how it was started, for the report
   * @return empty where it does not run
   */
  public <T> Optional<T> start(
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
  public synchronized Path newFolder(String name) throws IOException {
    return files.newFolder(++folders + "-" + name);
  }

  private synchronized void absent(String name, String reason) {
    progress.line(name + " takes no part: " + reason);
    note(new Results.Party(name, "", "", reason));
  }

  /** Notes who takes part besides the peers that were started here. */
  public synchronized void note(Results.Party party) {
    parties.put(party.name(), party);
    journal.write(Map.of("party", party));
  }

  /** Why a peer takes no part, where it does not. */
  synchronized Optional<String> missing(String peer) {
    return Optional.ofNullable(parties.get(peer))
        .map(Results.Party::missing)
        .filter(reason -> !reason.isEmpty());
  }

  /** One line for each of the named parties that takes no part. */
  public List<String> missing(Collection<String> names) {
    return names.stream()
        .flatMap(name -> missing(name).stream().map(reason -> name + ": " + reason))
        .toList();
  }

  /** One that is begun again takes the place of the first. */
  public synchronized void note(Experiment experiment) {
    put(experiment);
    journal.write(Map.of("experiment", experiment));
  }

  private void put(Experiment experiment) {
    experiments.putLast(experiment.id(), experiment);
  }

  /** Keeps a target, to be judged at the end. */
  public synchronized void note(Target target) {
    targets.add(target);
  }

  /** Keeps a sample. */
  public synchronized void note(Sample sample) {
    samples.add(sample);
    journal.write(Map.of("sample", sample, "seconds", secondsBefore + elapsed()));
  }

  /** Keeps a profile. */
  public synchronized void note(Results.Profile profile) {
    put(profile);
    journal.write(Map.of("profile", profile));
  }

  private void put(Results.Profile profile) {
    profiles.putLast(List.of(profile.experiment(), profile.contestant()), profile);
  }

  /** A figure that is followed again takes the place of the first. */
  public synchronized void note(Results.Series followed) {
    put(followed);
    journal.write(Map.of("series", followed));
  }

  private void put(Results.Series followed) {
    series.putLast(List.of(followed.experiment(), followed.name()), followed);
  }

  /** Keeps a line that the page tells. */
  public synchronized void remark(String line) {
    if (!remarks.contains(line)) {
      remarks.add(line);
      journal.write(Map.of("remark", line));
    }
  }

  /** Has the lean client do something, and waits for the outcome. */
  public Outcome perform(TaskDraft task) throws IOException {
    return client.perform(task.task());
  }

  /** Has users do something, and waits for the outcome. */
  public Outcome perform(Assignment task, LeanClientProcess.Watcher watcher) throws IOException {
    return client.perform(task, watcher);
  }

  /**
   * Has users do something that is not measured.
   *
   * @throws IOException where nothing of it works
   */
  public void unmeasured(Assignment task) throws IOException {
    Outcome outcome = client.perform(task);
    if (outcome.requests() == 0) {
      throw new IOException("no visit works: " + outcome.failure());
    }
  }

  /**
   * A request to a server, once, over one connection.
   *
   * @param file below what it serves
   */
  public TaskDraft request(RunningPeer server, Door door, String method, String file) {
    URI address = server.door(door).resolve(file.replace("{n}", "NUMBER"));
    var task = new TaskDraft(address.toString().replace("NUMBER", "{n}"), method, site.authority());
    return server.token().isEmpty()
        ? task
        : task.header("Authorization", "Bearer " + server.token());
  }

  /**
   * Puts a server and the lean client on cores.
   *
   * @param affinity {@code different}, {@code same} or {@code free}
   */
  public void place(RunningPeer server, String affinity) throws IOException {
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
  public synchronized void merge(Results found) {
    found.parties().forEach(this::note);
    found.experiments().forEach(this::note);
    found.samples().forEach(this::note);
    found.remarks().forEach(this::remark);
  }

  /** What has been found so far. */
  public synchronized Results results(String study, boolean complete) {
    return new Results(
        study,
        form.toString(),
        journal.started(),
        secondsBefore + elapsed(),
        complete && !leftOut,
        machine,
        List.copyOf(parties.values()),
        List.copyOf(experiments.values()),
        List.copyOf(targets),
        List.copyOf(samples),
        List.copyOf(profiles.values()),
        List.copyOf(series.values()),
        List.copyOf(remarks),
        List.of());
  }

  @Override
  public void close() {
    client.close();
  }
}
