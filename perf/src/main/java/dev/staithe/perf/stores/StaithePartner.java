package dev.staithe.perf.stores;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our storage element as one of two that have contracts with each other: an area {@code data}
 * without them, as its door says, and an area {@code secured} that requires them. Its settings are
 * in {@code storage-partner.yml} beside this class. Immutable.
 */
public final class StaithePartner implements Peer {
  private static final String TEMPLATE = "storage-partner.yml";

  private final Path repository;
  private final String name;
  private final int port;
  private final int partner;

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   * @param name of this side
   * @param port where it listens: either side is told that of the other before both are there
   * @param partner where the other listens
   */
  public StaithePartner(Path repository, String name, int port, int partner) {
    this.repository = repository;
    this.name = name;
    this.port = port;
    this.partner = partner;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Readiness readiness() {
    return StaithePeer.jar(repository).readiness();
  }

  /** The address of the area whose files move under contract; it ends in a slash. */
  public static URI secured(RunningPeer server) {
    return server.door(Door.HTTPS).resolve("/secured/");
  }

  /** The folder of that area. */
  public static Path securedData(RunningPeer server) {
    return server.data().resolveSibling("secured");
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.createDirectories(folder.resolve("secured"));
    Pem.writePrivateKey(folder.resolve("contract.pem"), KeyKind.EC_P256.generate().getPrivate());
    Path settings =
        Files.writeString(
            folder.resolve("settings.yml"),
            SettingsTemplate.filled(TEMPLATE, site, folder, port, Map.of("partner", partner)));
    String token = site.token("https://localhost:" + port);
    ReleasedJar jar = StaithePeer.jar(repository);
    List<String> command =
        jar.command(
            StaithePeer.JAVA_OPTIONS,
            List.of("--spring.config.additional-location=file:" + settings.toAbsolutePath()));
    ManagedProcess process =
        ManagedProcess.start(core.start(command), Map.of(), folder.resolve(ManagedProcess.OUTPUT));
    return RunningPeer.await(
        process,
        Map.of(Door.HTTPS, URI.create("https://localhost:" + port + "/data/")),
        "/.staithe/health",
        site.authority(),
        data,
        token,
        jar.shown(
            StaithePeer.JAVA_OPTIONS,
            "tls.provider: conscrypt, access log on, adler32 on upload, areas without contracts and"
                + " with mode: require, receipts: sync, contracts in H2"));
  }
}
