package dev.staithe.perf.peers;

import dev.staithe.peers.Core;
import dev.staithe.peers.ManagedProcess;
import dev.staithe.peers.Readiness;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our storage element without any configuration but the port: it makes an authority, a certificate,
 * an issuer and an area in its working folder. Only its start is measured, so that no token is
 * minted; {@link RunningPeer#token()} is empty although it wants one.
 */
public final class DevelopmentStaithePeer implements Peer {
  private final Path repository;

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   */
  public DevelopmentStaithePeer(Path repository) {
    this.repository = repository;
  }

  @Override
  public String name() {
    return "staithe-development";
  }

  @Override
  public Readiness readiness() {
    return StaithePeer.jar(repository).readiness();
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    ReleasedJar jar = StaithePeer.jar(repository);
    List<String> javaOptions = StaithePeer.JAVA_OPTIONS;
    ManagedProcess process =
        ManagedProcess.start(
            name(),
            folder,
            1,
            core,
            ports -> jar.command(javaOptions, List.of("--server.port=" + ports.getFirst())));
    Path made = folder.resolve("staithe-data");
    return RunningPeer.await(
        process,
        Map.of(Door.HTTPS, URI.create("https://localhost:%d/data/".formatted(process.port(0)))),
        "/.staithe/health",
        made.resolve("ca.pem"),
        made.resolve("area"),
        "",
        jar.shown(javaOptions, "no configuration, access log on"));
  }
}
