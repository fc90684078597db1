package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.CxfRelayPeer;
import dev.staithe.perf.services.GatewayServer;
import dev.staithe.perf.services.NginxProxyPeer;
import dev.staithe.perf.services.StaitheGatewayPeer;
import dev.staithe.perf.services.StaitheGatewayPeer.Variant;
import dev.staithe.perf.services.StaticBackEnd;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * The parties of the study of the gateway: gateways on the server's core, what stands behind them
 * on the driver's. Not thread-safe.
 */
final class GatewayCast extends Parties {
  private final Bench bench;

  GatewayCast(Bench bench) {
    super(bench);
    this.bench = bench;
  }

  /** One of our gateways, where it runs. */
  Optional<GatewayServer> gateway(Variant variant) throws IOException {
    Optional<Path> checkout =
        variant == Variant.BEFORE ? bench.site().before() : Optional.of(bench.site().repository());
    if (checkout.isEmpty()) {
      return Optional.empty();
    }
    caller();
    URI behind = behind();
    var peer = new StaitheGatewayPeer(checkout.get(), variant);
    return server(
        peer.name(),
        peer.readiness(),
        folder -> peer.start(bench.site(), folder, bench.cores().server(), behind));
  }

  /** Apache CXF, where it runs. */
  Optional<GatewayServer> relay() throws IOException {
    caller();
    URI behind = behind();
    var peer = new CxfRelayPeer(bench.site().repository());
    return server(
        peer.name(),
        peer.readiness(),
        folder -> peer.start(bench.site(), folder, bench.cores().server(), behind));
  }

  /** nginx that only hands on, where it runs. */
  Optional<RunningPeer> proxy() throws IOException {
    return server(new NginxProxyPeer(behind()), bench.cores().server());
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
    return server(new StaticBackEnd(), bench.cores().client())
        .orElseThrow(() -> new IOException("there is no back end: nginx does not run"));
  }

  /** A bare process on the server's core, for what cryptography costs without a gateway. */
  LeanClientProcess floor() throws IOException {
    return floor("floor", "bare cryptography on one thread");
  }

  /** Key and certificate of who calls, in one file. */
  Path caller() throws IOException {
    person(StaitheGatewayPeer.GATEWAY);
    return person("ada");
  }
}
