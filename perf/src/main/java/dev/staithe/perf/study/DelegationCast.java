package dev.staithe.perf.study;

import dev.staithe.perf.peers.CredentialServer;
import dev.staithe.perf.peers.DelegationServer;
import dev.staithe.perf.peers.GridSitePeer;
import dev.staithe.perf.peers.StaitheDelegationPeer;
import dev.staithe.perf.peers.StaitheDelegationPeer.Variant;
import dev.staithe.perf.peers.StaitheEchoPeer;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parties of the study of delegation, each started on the server's core when it is first asked
 * for, to run until it is dismissed. Not thread-safe.
 */
final class DelegationCast implements AutoCloseable {
  private static final String FLOOR = "key-generation";

  /** Of RSA-2048, as people have them. */
  private static final String PERSON = "ada";

  /** Of P-256. */
  private static final String MODERN = "client";

  private final Bench bench;
  private final int stock;
  private final Set<Variant> asked = EnumSet.noneOf(Variant.class);
  private final Map<Variant, DelegationServer> servers = new EnumMap<>(Variant.class);
  private @Nullable Optional<CredentialServer> echo;
  private @Nullable Optional<GridSitePeer.Running> gridSite;
  private @Nullable LeanClientProcess floor;
  private @Nullable Path person;
  private @Nullable Path modern;

  /**
   * @param stock how many RSA keys are made ahead, where any are
   */
  DelegationCast(Bench bench, int stock) {
    this.bench = bench;
    this.stock = stock;
  }

  /** One of our services, where it runs. */
  Optional<DelegationServer> server(Variant variant) {
    if (asked.add(variant)) {
      var peer = new StaitheDelegationPeer(bench.site().repository(), variant, stock);
      bench.progress().line("starting " + peer.name());
      bench
          .start(
              peer.name(),
              peer.readiness(),
              folder -> peer.start(bench.site(), folder, bench.cores().server()),
              DelegationServer::command)
          .ifPresent(server -> servers.put(variant, server));
    }
    return Optional.ofNullable(servers.get(variant));
  }

  /** The service that is called with delegations of all but the stocked one. */
  Optional<CredentialServer> echo() {
    Optional<CredentialServer> known = echo;
    if (known == null) {
      var allowed = new ArrayList<URI>();
      for (Variant variant : List.of(Variant.BARE, Variant.EC)) {
        server(variant).ifPresent(server -> allowed.add(server.url()));
      }
      var peer = new StaitheEchoPeer(bench.site().repository());
      bench.progress().line("starting " + StaitheEchoPeer.NAME);
      known =
          allowed.isEmpty()
              ? Optional.empty()
              : bench.start(
                  StaitheEchoPeer.NAME,
                  peer.readiness(),
                  folder -> peer.start(bench.site(), folder, bench.cores().server(), allowed),
                  CredentialServer::command);
      echo = known;
    }
    return known;
  }

  /** The peer, where it runs. */
  Optional<GridSitePeer.Running> gridSite() {
    Optional<GridSitePeer.Running> known = gridSite;
    if (known == null) {
      var peer = new GridSitePeer(bench.site().repository());
      bench.progress().line("starting " + peer.name());
      known =
          bench.start(
              peer.name(),
              peer.readiness(),
              folder ->
                  peer.start(
                      bench.site(), bench.site().authority(), folder, bench.cores().server()),
              GridSitePeer.Running::command);
      gridSite = known;
    }
    return known;
  }

  /** A bare process on the server's core, for what a key costs without a service. */
  LeanClientProcess floor() throws IOException {
    LeanClientProcess known = floor;
    if (known == null) {
      known =
          LeanClientProcess.start(bench.cores().server(), bench.newFolder(FLOOR).resolve("output"));
      floor = known;
      bench.note(
          new Results.Party(
              FLOOR, "Java " + Runtime.version(), "RSA-2048 keys one after the other", ""));
    }
    return known;
  }

  /** Whose key is of the kind that most people have, in one file with the certificate. */
  Path person() throws IOException {
    Path known = person;
    if (known == null) {
      bench.site().addPerson(PERSON);
      known = credential(PERSON);
      person = known;
    }
    return known;
  }

  /** Whose key is of P-256. */
  Path modern() throws IOException {
    Path known = modern;
    if (known == null) {
      bench.site().addHost(MODERN);
      known = credential(MODERN);
      modern = known;
    }
    return known;
  }

  private Path credential(String name) throws IOException {
    return Files.writeString(
        bench.newFolder(name).resolve("credential.pem"),
        Files.readString(bench.site().key(name))
            + Files.readString(bench.site().certificate(name)));
  }

  /** Ends one that nobody asks for any more: an idle Java service is never quite idle. */
  void dismiss(Variant variant) {
    DelegationServer server = servers.remove(variant);
    if (server != null) {
      server.close();
    }
  }

  /** One line for each of the parties that does not run. */
  List<String> missing(String... names) {
    var lines = new ArrayList<String>();
    for (String name : names) {
      bench.missing(name).ifPresent(reason -> lines.add(name + ": " + reason));
    }
    return lines;
  }

  @Override
  public void close() {
    if (echo != null) {
      echo.ifPresent(CredentialServer::close);
    }
    servers.values().forEach(DelegationServer::close);
    if (gridSite != null) {
      gridSite.ifPresent(GridSitePeer.Running::close);
    }
    if (floor != null) {
      floor.close();
    }
  }
}
