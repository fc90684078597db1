package dev.staithe.perf.study;

import dev.staithe.perf.peers.CxfRelayPeer;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.GatewayServer;
import dev.staithe.perf.peers.NginxProxyPeer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.StaitheGatewayPeer;
import dev.staithe.perf.peers.StaitheGatewayPeer.Variant;
import dev.staithe.perf.peers.StaticBackEnd;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parties of the study of the gateway, each started when it is first asked for, to run until it
 * is dismissed: gateways on the server's core, what stands behind them on the driver's. Not
 * thread-safe.
 */
final class GatewayCast implements AutoCloseable {
  private static final String FLOOR = "floor";

  /** Who calls; with a key of RSA-2048. */
  private static final String CALLER = "ada";

  private final Bench bench;
  private final Map<Variant, Optional<GatewayServer>> gateways = new EnumMap<>(Variant.class);
  private @Nullable Optional<GatewayServer> relay;
  private @Nullable Optional<RunningPeer> proxy;
  private @Nullable RunningPeer backEnd;
  private @Nullable LeanClientProcess floor;
  private @Nullable Path caller;

  GatewayCast(Bench bench) {
    this.bench = bench;
  }

  /** One of our gateways, where it runs. */
  Optional<GatewayServer> gateway(Variant variant) throws IOException {
    Optional<GatewayServer> known = gateways.get(variant);
    if (known == null) {
      caller();
      URI behind = behind();
      Optional<Path> checkout =
          variant == Variant.BEFORE
              ? bench.site().before()
              : Optional.of(bench.site().repository());
      if (checkout.isEmpty()) {
        return Optional.empty();
      }
      var peer = new StaitheGatewayPeer(checkout.get(), variant);
      bench.progress().line("starting " + peer.name());
      known =
          bench.start(
              peer.name(),
              peer.readiness(),
              folder -> peer.start(bench.site(), folder, bench.cores().server(), behind),
              GatewayServer::command);
      gateways.put(variant, known);
    }
    return known;
  }

  /** Apache CXF, where it runs. */
  Optional<GatewayServer> relay() throws IOException {
    Optional<GatewayServer> known = relay;
    if (known == null) {
      caller();
      URI behind = behind();
      var peer = new CxfRelayPeer(bench.site().repository());
      bench.progress().line("starting " + CxfRelayPeer.NAME);
      known =
          bench.start(
              CxfRelayPeer.NAME,
              peer.readiness(),
              folder -> peer.start(bench.site(), folder, bench.cores().server(), behind),
              GatewayServer::command);
      relay = known;
    }
    return known;
  }

  /** nginx that only hands on, where it runs. */
  Optional<RunningPeer> proxy() throws IOException {
    Optional<RunningPeer> known = proxy;
    if (known == null) {
      known = bench.start(new NginxProxyPeer(behind()), bench.cores().server());
      proxy = known;
    }
    return known;
  }

  /** CPU seconds so far of what stands behind all gateways. */
  DoubleSupplier behindCpu() throws IOException {
    return Bench.cpu(backEnd());
  }

  /** Where messages go that have passed. */
  URI behind() throws IOException {
    return backEnd().door(Door.HTTP);
  }

  private RunningPeer backEnd() throws IOException {
    RunningPeer known = backEnd;
    if (known == null) {
      known =
          bench
              .start(new StaticBackEnd(), bench.cores().client())
              .orElseThrow(() -> new IOException("there is no back end: nginx does not run"));
      backEnd = known;
    }
    return known;
  }

  /** A bare process on the server's core, for what cryptography costs without a gateway. */
  LeanClientProcess floor() throws IOException {
    LeanClientProcess known = floor;
    if (known == null) {
      known =
          LeanClientProcess.start(bench.cores().server(), bench.newFolder(FLOOR).resolve("output"));
      floor = known;
      bench.note(
          new Results.Party(
              FLOOR, "Java " + Runtime.version(), "bare cryptography on one thread", ""));
    }
    return known;
  }

  /** Key and certificate of who calls, in one file. */
  Path caller() throws IOException {
    Path known = caller;
    if (known == null) {
      bench.site().addPerson(CALLER);
      bench.site().addPerson(StaitheGatewayPeer.GATEWAY);
      known =
          Files.writeString(
              bench.newFolder(CALLER).resolve("credential.pem"),
              Files.readString(bench.site().key(CALLER))
                  + Files.readString(bench.site().certificate(CALLER)));
      caller = known;
    }
    return known;
  }

  /** Ends one that nobody asks for any more: an idle Java service is never quite idle. */
  void dismiss(Variant variant) {
    Optional<GatewayServer> server = gateways.get(variant);
    if (server != null) {
      server.ifPresent(GatewayServer::close);
      gateways.remove(variant);
    }
  }

  /** One line for each of the parties that does not run. */
  List<String> missing() {
    var lines = new ArrayList<String>();
    var names = new ArrayList<String>(List.of(CxfRelayPeer.NAME, "nginx"));
    for (Variant variant : Variant.values()) {
      names.add(variant.peer());
    }
    for (String name : names) {
      bench.missing(name).ifPresent(reason -> lines.add(name + ": " + reason));
    }
    return lines;
  }

  @Override
  public void close() {
    gateways.values().forEach(server -> server.ifPresent(GatewayServer::close));
    if (relay != null) {
      relay.ifPresent(GatewayServer::close);
    }
    if (proxy != null) {
      proxy.ifPresent(RunningPeer::close);
    }
    if (backEnd != null) {
      backEnd.close();
    }
    if (floor != null) {
      floor.close();
    }
  }
}
