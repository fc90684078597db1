package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Our sample of a service that acts for its callers, from its released jar. Its settings are in
 * {@code echo-service.yml} beside this class. Immutable.
 */
public final class StaitheEchoPeer extends ServicePeer {
  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   */
  public StaitheEchoPeer(Path repository) {
    super(repository, "samples/echo-service", "echo-service", true, "384m");
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
    String allowed =
        delegations.stream().map("\n        - url: %s"::formatted).collect(Collectors.joining());
    ManagedProcess process = start(site, folder, core, Map.of("allowed", allowed), List.of());
    URI url = URI.create(url(process.port(0)));
    process.awaitAnswer(url.resolve("/"), site.authority());
    return new CredentialServer(url.toString(), process, shown("acts for its callers, P-256"));
  }
}
