package dev.staithe.perf.stores;

import dev.staithe.peers.Core;
import dev.staithe.peers.ManagedProcess;
import dev.staithe.peers.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The emptiest Spring Boot web application with Jetty, built by {@code perf/empty-app}: what a
 * start costs before anybody has written a line. It answers 404 to everything.
 */
public final class EmptyBootPeer implements Peer {
  private final ReleasedJar jar;

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   */
  public EmptyBootPeer(Path repository) {
    jar =
        new ReleasedJar(
            repository.resolve("perf/empty-app/target/empty-app.jar"),
            "run mvn -pl perf/empty-app package");
  }

  @Override
  public String name() {
    return "empty-boot";
  }

  @Override
  public Readiness readiness() {
    return jar.readiness();
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    List<String> javaOptions = StaithePeer.JAVA_OPTIONS;
    ManagedProcess process =
        ManagedProcess.start(
            name(),
            folder,
            1,
            core,
            ports ->
                jar.command(
                    javaOptions,
                    List.of("--server.address=127.0.0.1", "--server.port=" + ports.getFirst())));
    return RunningPeer.await(
        process,
        Map.of(Door.HTTP, URI.create("http://localhost:%d/".formatted(process.port(0)))),
        "/",
        site.authority(),
        folder,
        "",
        jar.shown(javaOptions, "no configuration, no access log"));
  }
}
