package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our sample of a service that acts for its callers, from its released jar. Its settings are in
 * {@code echo-service.yml} beside this class. Immutable.
 */
public final class StaitheEchoPeer extends ServicePeer {
  /** Short and unique. */
  public static final String NAME = "echo-service";

  private static final List<String> JAVA_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "-Xmx384m", "-XX:ActiveProcessorCount=1");

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   */
  public StaitheEchoPeer(Path repository) {
    super(ReleasedJar.of(repository, "samples/echo-service"), NAME);
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param folder an empty folder of its own
   * @param delegations the services that it acquires from, at least one
   * @throws IOException where it does not start, in one line
   */
  public CredentialServer start(Site site, Path folder, Core core, List<URI> delegations)
      throws IOException {
    ReleasedJar jar = jar();
    ManagedProcess process =
        jar.start(NAME, folder, core, JAVA_OPTIONS, port -> settings(site, port, delegations));
    URI url = URI.create("https://localhost:" + process.port(0));
    process.awaitAnswer(url.resolve("/"), site.authority());
    return new CredentialServer(
        url.toString(), process, jar.shown(JAVA_OPTIONS, "acts for its callers, P-256"));
  }

  private static String settings(Site site, int port, List<URI> delegations) throws IOException {
    var allowed = new StringBuilder();
    delegations.forEach(each -> allowed.append("\n        - url: ").append(each));
    return SettingsTemplate.filled(
        "echo-service.yml",
        Map.of(
            "port", port,
            "certificate", site.certificate(),
            "key", site.key(),
            "clients", site.clients(),
            "allowed", allowed));
  }
}
