package dev.staithe.perf.stores;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.ShortProgram;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program without any configuration but the port. A service of ours makes an authority, a
 * certificate, and what else it needs in its working folder. Only its start is measured, so that no
 * token is minted; {@link RunningPeer#token()} is empty although it may want one.
 */
public final class DevelopmentPeer implements Peer {
  private static final List<String> CACHED_OPTIONS =
      // No option that speaks of native access: Java would leave the cache aside.
      List.of("-Xmx512m", "-Xlog:aot=off", "-Xlog:cds=off");

  private final String name;
  private final Path repository;
  private final ReleasedJar jar;
  private final String data;
  private final boolean cached;

  private DevelopmentPeer(
      String name, Path repository, ReleasedJar jar, String data, boolean cached) {
    this.name = name;
    this.repository = repository;
    this.jar = jar;
    this.data = data;
    this.cached = cached;
  }

  /**
   * The storage element by its jar alone.
   *
   * @param repository the checkout, in which its jar is built
   */
  public static DevelopmentPeer storage(Path repository) {
    return new DevelopmentPeer(
        "staithe-development",
        repository,
        StaithePeer.jar(repository),
        data("storage-webdav"),
        false);
  }

  /**
   * A service with the cache of classes beside its jar, as its unit starts it.
   *
   * @param module its folder in the checkout
   */
  public static DevelopmentPeer cached(Path repository, String module) {
    return new DevelopmentPeer(
        module + "-cached", repository, ReleasedJar.of(repository, module), data(module), true);
  }

  /**
   * The emptiest Spring Boot web application with Jetty, built by {@code perf/empty-app}: what a
   * start costs before anybody has written a line. It answers 404 to everything, without TLS.
   *
   * @param repository the checkout, in which its jar is built
   */
  public static DevelopmentPeer emptyBoot(Path repository) {
    return new DevelopmentPeer(
        "empty-boot", repository, ReleasedJar.of(repository, "perf/empty-app"), "", false);
  }

  /** The folder in which a service without a configuration makes its authority. */
  private static String data(String module) {
    return switch (module) {
      case "storage-webdav" -> "staithe-data";
      case "xml-gateway" -> "gateway-data";
      default -> module.replace("-service", "-data");
    };
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Readiness readiness() {
    return jar.readiness();
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    List<String> javaOptions = cached ? CACHED_OPTIONS : StaithePeer.JAVA_OPTIONS;
    List<String> cache = cached ? List.of("-XX:AOTCache=" + cache()) : List.of();
    ManagedProcess process =
        ManagedProcess.start(
            name(),
            folder,
            1,
            core,
            ports -> {
              List<String> command =
                  jar.command(
                      javaOptions,
                      List.of("--server.address=127.0.0.1", "--server.port=" + ports.getFirst()));
              command.addAll(1, cache);
              return command;
            });
    boolean empty = data.isEmpty();
    return RunningPeer.await(
        process,
        empty
            ? Map.of(Door.HTTP, URI.create("http://localhost:%d/".formatted(process.port(0))))
            : Map.of(
                Door.HTTPS, URI.create("https://localhost:%d/data/".formatted(process.port(0)))),
        empty ? "/" : "/.staithe/health",
        folder.resolve(data).resolve("ca.pem"),
        folder.resolve(data),
        "",
        jar.shown(
            javaOptions,
            "no configuration, %s%s"
                .formatted(
                    empty ? "no access log" : "access log on",
                    cached ? ", with its cache of classes" : "")));
  }

  /** The cache, made where it is missing or older than the jar: by a start that does not count. */
  private Path cache() throws IOException {
    ShortProgram.run(
        new ProcessBuilder("bash", "" + repository.resolve("deploy/class-cache"), "" + jar.path()),
        said -> said.lines().reduce((one, next) -> next).orElse("no class cache"));
    Path made = jar.cache();
    if (!Files.exists(made)) {
      throw new IOException("there is no " + made);
    }
    return made;
  }
}
