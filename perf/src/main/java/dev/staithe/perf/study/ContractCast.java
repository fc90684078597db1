package dev.staithe.perf.study;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Listening;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.stores.StaithePartner;
import dev.staithe.perf.stores.StaithePeer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The parties of the study of contracts: a receiver on the server's core, a sender on the driver's,
 * and the same two without TLS. Not thread-safe.
 */
final class ContractCast extends Parties {
  private final Bench bench;
  private final Path repository;

  /** Of receiver and sender, who are told of each other before both are there. */
  private final List<Integer> ports = Listening.freePorts(2);

  ContractCast(Bench bench) {
    super(bench);
    this.bench = bench;
    this.repository = bench.site().repository();
  }

  /** The one that pulls, where it runs. */
  Optional<RunningPeer> receiver() {
    return server(
        new StaithePartner(repository, "staithe-receiver", ports.getFirst(), ports.getLast()),
        bench.cores().server());
  }

  /** The one that has the files, where it runs. */
  Optional<RunningPeer> sender() {
    return server(
        new StaithePartner(repository, "staithe-sender", ports.getLast(), ports.getFirst()),
        bench.cores().client());
  }

  /** One that pulls without TLS, where it runs. */
  Optional<RunningPeer> plainReceiver() {
    return plain("staithe-receiver-plain", bench.cores().server());
  }

  /** One that has the files, without TLS, where it runs. */
  Optional<RunningPeer> plainSender() {
    return plain("staithe-sender-plain", bench.cores().client());
  }

  private Optional<RunningPeer> plain(String name, Core core) {
    return server(
        new StaithePeer(repository, StaithePeer.Variant.PLAIN, name, "server.address: 127.0.0.1"),
        core);
  }

  /** A bare process on the receiver's core, for what hashes and the log cost without a server. */
  LeanClientProcess floor() throws IOException {
    return floor(
        ContractTrials.HASH, "SHA-256 of as many bytes, and the log of contracts by its library");
  }
}
