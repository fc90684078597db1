package dev.staithe.perf.study;

import dev.staithe.perf.peers.CredentialServer;
import dev.staithe.perf.peers.IdentityProvider;
import dev.staithe.perf.peers.MyproxyPeer;
import dev.staithe.perf.peers.StaitheSlcsPeer;
import dev.staithe.perf.peers.StaitheSlcsPeer.Variant;
import dev.staithe.perf.peers.ThrowAwayKeys;
import dev.staithe.perf.scenario.LeanClientProcess;
import java.io.IOException;
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
 * The parties of the study of the credential service, each started when it is first asked for, to
 * run until it is dismissed. Ours, the peer and the bare process are on the server's core, the
 * identity provider on the client's. Not thread-safe.
 */
final class CampusCast implements AutoCloseable {
  private static final String FLOOR = "floor";

  private final Bench bench;
  private final Set<Variant> asked = EnumSet.noneOf(Variant.class);
  private final Map<Variant, CredentialServer> servers = new EnumMap<>(Variant.class);
  private final Set<MyproxyPeer.Names> askedPeers = EnumSet.noneOf(MyproxyPeer.Names.class);
  private final Map<MyproxyPeer.Names, MyproxyPeer.Running> peers =
      new EnumMap<>(MyproxyPeer.Names.class);
  private @Nullable Optional<IdentityProvider> provider;
  private @Nullable LeanClientProcess floor;
  private @Nullable Path requests;
  private @Nullable Path credential;

  CampusCast(Bench bench) {
    this.bench = bench;
  }

  /** One of our services, where it and the identity provider run. */
  Optional<CredentialServer> server(Variant variant) {
    Optional<IdentityProvider> known = provider();
    if (known.isPresent() && asked.add(variant)) {
      var peer = new StaitheSlcsPeer(bench.site().repository(), variant);
      bench.progress().line("starting " + peer.name());
      bench
          .start(
              peer.name(),
              peer.readiness(),
              folder -> peer.start(bench.site(), folder, bench.cores().server(), known.get()),
              CredentialServer::command)
          .ifPresent(server -> servers.put(variant, server));
    }
    return Optional.ofNullable(servers.get(variant));
  }

  /** The identity provider, where it runs. */
  Optional<IdentityProvider> provider() {
    Optional<IdentityProvider> known = provider;
    if (known == null) {
      bench.progress().line("starting " + IdentityProvider.NAME);
      known =
          bench.start(
              IdentityProvider.NAME,
              IdentityProvider.readiness(),
              folder ->
                  IdentityProvider.start(bench.site().repository(), folder, bench.cores().client()),
              IdentityProvider::command);
      provider = known;
    }
    return known;
  }

  /** The peer in issuing, where it runs. */
  Optional<MyproxyPeer.Running> myproxy(MyproxyPeer.Names names) {
    if (askedPeers.add(names)) {
      var peer = new MyproxyPeer(bench.site().repository(), names);
      bench.progress().line("starting " + peer.name());
      bench
          .start(
              peer.name(),
              peer.readiness(),
              folder -> peer.start(folder, bench.cores().server()),
              MyproxyPeer.Running::command)
          .ifPresent(running -> peers.put(names, running));
    }
    return Optional.ofNullable(peers.get(names));
  }

  /** A bare process on the server's core, for what work costs without a service. */
  LeanClientProcess floor() throws IOException {
    LeanClientProcess known = floor;
    if (known == null) {
      known =
          LeanClientProcess.start(bench.cores().server(), bench.newFolder(FLOOR).resolve("output"));
      floor = known;
      bench.note(
          new Results.Party(FLOOR, "Java " + Runtime.version(), "a process without a service", ""));
    }
    return known;
  }

  /** A folder with a certificate request of each of the first accounts. */
  Path requests(int accounts) throws IOException {
    Path known = requests;
    if (known == null) {
      bench.progress().line("making " + accounts + " keys");
      known = bench.newFolder("requests");
      ThrowAwayKeys.requests(known, accounts);
      requests = known;
    }
    return known;
  }

  /** A certificate of a client and its key in one file. */
  Path credential() throws IOException {
    Path known = credential;
    if (known == null) {
      bench.site().addHost("client");
      known =
          Files.writeString(
              bench.newFolder("client").resolve("credential.pem"),
              Files.readString(bench.site().key("client"))
                  + Files.readString(bench.site().certificate("client")));
      credential = known;
    }
    return known;
  }

  /** Ends one that nobody asks for any more: an idle Java service is never quite idle. */
  void dismiss(Variant variant) {
    CredentialServer server = servers.remove(variant);
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
    servers.values().forEach(CredentialServer::close);
    peers.values().forEach(MyproxyPeer.Running::close);
    if (floor != null) {
      floor.close();
    }
    if (provider != null) {
      provider.ifPresent(IdentityProvider::close);
    }
  }
}
