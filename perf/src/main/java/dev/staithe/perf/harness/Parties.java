package dev.staithe.perf.harness;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Party;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The parties of a study, each started when it is first asked for, to run until it is dismissed or
 * until the end, the last one started ended first. Not thread-safe.
 */
public class Parties implements AutoCloseable {
  private final Bench bench;
  private final SequencedMap<String, Optional<? extends Party>> known = new LinkedHashMap<>();
  private final Map<String, Path> credentials = new LinkedHashMap<>();
  private @Nullable LeanClientProcess floor;

  /** Of one run. */
  public Parties(Bench bench) {
    this.bench = bench;
  }

  /** A party that is known by its name, where it runs. */
  @SuppressWarnings("unchecked") // what has a name is started in one place, and is of one type
  public <T extends Party> Optional<T> server(
      String name, Readiness readiness, Bench.Starter<T> starter) {
    Optional<? extends Party> party = known.get(name);
    if (party == null) {
      bench.progress().line("starting " + name);
      party = bench.start(name, readiness, starter, Party::command);
      known.put(name, party);
    }
    return (Optional<T>) party;
  }

  /** The same of a server of files. */
  public Optional<RunningPeer> server(Peer peer, Core core) {
    return server(peer.name(), peer.readiness(), folder -> peer.start(bench.site(), folder, core));
  }

  /** Ends one that nobody asks for any more: an idle Java service is never quite idle. */
  public void dismiss(String name) {
    Optional<? extends Party> party = known.replace(name, Optional.empty());
    if (party != null) {
      party.ifPresent(Party::close);
    }
  }

  /** A bare process on the server's core, for what work costs without a service. */
  public LeanClientProcess floor(String name, String about) throws IOException {
    LeanClientProcess running = floor;
    if (running == null) {
      running =
          LeanClientProcess.start(bench.cores().server(), bench.newFolder(name).resolve("output"));
      floor = running;
      bench.note(new Results.Party(name, "Java " + Runtime.version(), about, ""));
    }
    return running;
  }

  /** Certificate and key of a person of RSA-2048, as people have them, in one file. */
  public Path person(String name) throws IOException {
    if (!credentials.containsKey(name)) {
      bench.site().addPerson(name);
    }
    return credential(name);
  }

  /** Certificate and key of P-256 in one file. */
  public Path host(String name) throws IOException {
    if (!credentials.containsKey(name)) {
      bench.site().addHost(name);
    }
    return credential(name);
  }

  private Path credential(String name) throws IOException {
    Path file = credentials.get(name);
    if (file == null) {
      file =
          Files.writeString(
              bench.newFolder(name).resolve("credential.pem"),
              Files.readString(bench.site().key(name))
                  + Files.readString(bench.site().certificate(name)));
      credentials.put(name, file);
    }
    return file;
  }

  @Override
  public void close() {
    known.sequencedValues().reversed().forEach(party -> party.ifPresent(Party::close));
    if (floor != null) {
      floor.close();
    }
  }
}
