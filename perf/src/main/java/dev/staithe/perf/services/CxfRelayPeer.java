package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Apache CXF as a gateway: {@code perf/cxf-relay}, which takes the protection off, hands the plain
 * message on, and protects the answer, by the same policies. Immutable.
 */
public final class CxfRelayPeer extends ServicePeer {
  /** Short and unique. */
  public static final String NAME = "cxf";

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   */
  public CxfRelayPeer(Path repository) {
    super(repository, "perf/cxf-relay", NAME, false, "512m");
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param site as for {@link StaitheGatewayPeer}
   * @param folder an empty folder of its own
   * @param backEnd what it stands before
   * @throws IOException where it does not start, in one line
   */
  public GatewayServer start(Site site, Path folder, Core core, URI backEnd) throws IOException {
    Files.copy(site.certificate(StaitheGatewayPeer.GATEWAY), folder.resolve("host.pem"));
    Files.copy(site.key(StaitheGatewayPeer.GATEWAY), folder.resolve("host-key.pem"));
    Files.copy(site.clients(), folder.resolve("ca.pem"));
    ManagedProcess process =
        ManagedProcess.start(
            NAME,
            folder,
            2,
            core,
            ports ->
                command(List.of("" + folder, "" + ports.get(0), "" + ports.get(1), "" + backEnd)));
    try {
      URI url = URI.create(url(process.port(0)) + "/echo/");
      process.await("answer at " + url, () -> Files.exists(folder.resolve("ready")));
      return new GatewayServer(url, process, folder, shown("plain HTTP"));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }
}
