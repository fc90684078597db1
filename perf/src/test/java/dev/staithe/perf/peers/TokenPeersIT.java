package dev.staithe.perf.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.tokens.KeycloakPeer;
import dev.staithe.perf.tokens.OpenamPeer;
import dev.staithe.perf.tokens.StaitheAccounts;
import dev.staithe.perf.tokens.TokenPeer;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of the session study that are not ours, as they are. */
class TokenPeersIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  /** Databases run as somebody else where this is root. */
  @BeforeEach
  void letOthersIn() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void keycloakLogsInValidatesAndLogsOutByItsProtocol() throws Exception {
    var peer = new KeycloakPeer(REPOSITORY);
    // It is large and fetched by perf/run only.
    assumeTrue(peer.readiness() instanceof Readiness.Ready, "it was not fetched");
    everythingWorks(peer);
  }

  @Test
  void openamLogsInValidatesAndLogsOutByItsProtocol() throws Exception {
    var peer = new OpenamPeer(REPOSITORY);
    assumeTrue(peer.readiness() instanceof Readiness.Ready, "it was not fetched");
    everythingWorks(peer);
  }

  private void everythingWorks(TokenPeer peer) throws Exception {
    Set<Long> processes;
    try (TokenServer server = peer.start(folder, Core.ANY)) {
      processes = server.processes();
      String url = server.urls().getFirst();
      Outcome users = perform(load(server, Load.Kind.USERS, List.of(url)), 0);
      assertThat(users.failure()).isEmpty();
      assertThat(users.parts()).containsKeys("login", "validate", "logout");

      // Both nodes are the same: what is seen is that a token is good before its logout and not
      // after it.
      Outcome logouts = perform(load(server, Load.Kind.LOGOUT_LAG, List.of(url, url)), 3);
      assertThat(logouts.failure()).isEmpty();
      assertThat(logouts.requests()).isEqualTo(3);
    }
    assertThat(processes).allMatch(each -> ProcessHandle.of(each).isEmpty());
  }

  private static Load load(TokenServer server, Load.Kind kind, List<String> urls) {
    return new Load(
        "",
        kind,
        server.protocol(),
        urls,
        2,
        0.3,
        0.01,
        false,
        0,
        Accounts.USUAL.count(),
        Accounts.USUAL.password());
  }

  private Outcome perform(Load load, int trials) throws IOException {
    try (var client = LeanClientProcess.start(Core.ANY, folder.resolve("lean-client.log"))) {
      return client.perform(
          new UserTask(List.of(load), 1, 5, 1, trials, false, 1),
          new LeanClientProcess.Watcher() {
            @Override
            public void measureBegins() {}

            @Override
            public void measureEnds() {}
          });
    }
  }

  @Test
  void postgresqlHasStandbysThatConfirmCommits() throws Exception {
    ManagedProcess process = new PeerScript(REPOSITORY, "postgresql").start(folder, 3, Core.ANY);
    try {
      StaitheAccounts.psql(
          process.port(0),
          "ALTER SYSTEM SET synchronous_standby_names = 'FIRST 2 (standby1, standby2)'");
      StaitheAccounts.psql(process.port(0), "SELECT pg_reload_conf()");
      // It would wait for ever for a standby that is not there.
      StaitheAccounts.psql(process.port(0), "CREATE TABLE seen (x int)");
      StaitheAccounts.psql(process.port(2), "SELECT x FROM seen");
    } finally {
      process.close();
    }
    assertThat(ProcessHandle.of(process.pid())).isEmpty();
  }

  @Test
  void theBalancerSendsAllRequestsOfAUserToOneNodeAndOthersInTurn() throws Exception {
    if (LoadBalancer.readiness() instanceof Readiness.Missing(String reason)) {
      fail(reason);
    }
    try (var one = new NamedNode("one");
        var two = new NamedNode("two");
        var balancer =
            LoadBalancer.start(
                Files.createDirectory(folder.resolve("balancer")),
                Core.ANY,
                List.of(one.url(), two.url()))) {
      assertThat(List.of(get(balancer.inTurn(), "a"), get(balancer.inTurn(), "a")))
          .containsExactlyInAnyOrder("one", "two");
      String node = get(balancer.byUser(), "a");
      for (int i = 0; i < 5; i++) {
        assertThat(get(balancer.byUser(), "a")).isEqualTo(node);
      }
    }
  }

  private static String get(String url, String user) throws IOException, InterruptedException {
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      var request =
          HttpRequest.newBuilder(URI.create(url + "/")).header(LoadBalancer.USER, user).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  /** A server that says its name. */
  private static final class NamedNode implements AutoCloseable {
    private final HttpServer server;

    NamedNode(String name) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              exchange.sendResponseHeaders(200, name.length());
              exchange.getResponseBody().write(name.getBytes(StandardCharsets.US_ASCII));
            }
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
