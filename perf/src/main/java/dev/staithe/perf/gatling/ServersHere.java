package dev.staithe.perf.gatling;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Party;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.stores.StaithePeer;
import dev.staithe.perf.tokens.StaitheTokenPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Our own servers for a scenario, on free loopback ports and on all cores, beside Gatling. Not
 * thread-safe.
 */
final class ServersHere implements AutoCloseable {
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<Party> running = new ArrayList<>();

  private ServersHere() {}

  /**
   * Starts what the scenario needs.
   *
   * @param repository the checkout with the jars
   * @param work an empty folder
   * @throws IOException in one line, where something is missing or does not start; nothing runs
   *     then
   */
  static ServersHere start(Scenario scenario, Path repository, Path work) throws IOException {
    var servers = new ServersHere();
    try {
      switch (scenario.servers()) {
        case STORAGE -> servers.storage(repository, work, false);
        case TWO_STORAGES -> servers.storage(repository, work, true);
        case SESSIONS -> servers.sessions(repository, work);
        case OTHERS ->
            throw new IOException(
                scenario + " needs servers that are not started here: say where they are by --url");
      }
      return servers;
    } catch (IOException e) {
      servers.close();
      throw e;
    }
  }

  private void storage(Path repository, Path work, boolean two) throws IOException {
    var peer = new StaithePeer(repository, StaithePeer.Variant.CONSCRYPT);
    require(peer.readiness());
    Site site = Site.make(repository, work.resolve("site"));
    settings.put("perf.ca", site.authority().toString());
    endpoint("", peer.start(site, Files.createDirectory(work.resolve("first")), Core.ANY), work);
    if (two) {
      endpoint(
          "second-",
          peer.start(site, Files.createDirectory(work.resolve("second")), Core.ANY),
          work);
    }
  }

  private void endpoint(String prefix, RunningPeer peer, Path work) throws IOException {
    running.add(peer);
    Path token =
        Files.createFile(
            work.resolve(prefix + "token"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(token, peer.token());
    settings.put("perf." + prefix + "url", peer.door(Door.HTTPS).toString());
    settings.put("perf." + prefix + "token-file", token.toString());
  }

  private void sessions(Path repository, Path work) throws IOException {
    var peer =
        new StaitheTokenPeer(
            repository,
            "staithe",
            1,
            StaitheTokenPeer.Hash.OWASP,
            StaitheTokenPeer.Persistence.BEST_EFFORT,
            0);
    require(peer.readiness());
    var service = peer.start(Files.createDirectory(work.resolve("sessions")), Core.ANY);
    running.add(service);
    settings.put("perf.url", String.join(",", service.urls()));
  }

  private static void require(Readiness readiness) throws IOException {
    if (readiness instanceof Readiness.Missing(String reason)) {
      throw new IOException(reason);
    }
  }

  /** The storage element that is measured, where it is one. */
  Optional<RunningPeer> storage() {
    return running.stream()
        .filter(RunningPeer.class::isInstance)
        .map(RunningPeer.class::cast)
        .findFirst();
  }

  /** Where they are, and by what they are asked, as simulations are told. */
  Map<String, String> settings() {
    return Collections.unmodifiableMap(settings);
  }

  /** Ends all of them, the last one first. */
  @Override
  public void close() {
    running.reversed().forEach(Party::close);
  }
}
